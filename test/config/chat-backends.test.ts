import { describe, expect, test } from '@jest/globals';
import { defaultInput } from '../../src/config/defaults.js';
import { parseConfig } from '../../src/config/load.js';
import { createTargets } from '../../src/config/targets.js';
import { dialects } from '../../translators/index.js';

function configOf(backend: object, models: object = { '*': { backend: 'a' } }) {
  return parseConfig({ backends: { a: { dialect: 'chatCompletions', ...backend } }, models });
}

describe('the address of a chat backend (translation.md 8)', () => {
  test.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['https://api.groq.com/openai/v1', 'https://api.groq.com/openai/v1'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'https://generativelanguage.googleapis.com/v1beta/openai',
    ],
    ['https://api.deepseek.com', 'https://api.deepseek.com'],
    ['https://api.deepseek.com/beta', 'https://api.deepseek.com/beta'],
    ['https://api.perplexity.ai/', 'https://api.perplexity.ai'],
    ['https://api.githubcopilot.com', 'https://api.githubcopilot.com'],
    ['https://x.openai.azure.com/openai/deployments/m', 'https://x.openai.azure.com/openai/deployments/m'],
  ])('%s', (baseUrl, root) => {
    expect(configOf({ baseUrl }).backends.a?.baseUrl).toBe(root);
  });

  test('a key is sent as a bearer token, or as servers of one cloud want it', () => {
    const baseUrl = 'https://x.openai.azure.com/openai/v1';
    expect(configOf({ baseUrl: 'https://llm.example/v1' }).backends.a?.auth).toBe('bearer');
    expect(configOf({ baseUrl }).backends.a?.auth).toBe('api-key');
    expect(configOf({ baseUrl, auth: 'bearer' }).backends.a?.auth).toBe('bearer');
  });
});

describe('the profile of a target knows the host of its backend', () => {
  const baseUrl = 'https://api.groq.com/openai/v1';

  test.each<[string, object, object, object]>([
    ['no choice', {}, {}, { host: 'api.groq.com' }],
    ['a name', { profile: 'gpt-5' }, {}, { host: 'api.groq.com', model: 'gpt-5' }],
    ['flags', { profile: { prefill: true } }, {}, { host: 'api.groq.com', prefill: true }],
    ['the target’s own', { profile: 'gpt-5' }, { profile: 'neutral' }, { host: 'api.groq.com', model: 'neutral' }],
  ])('%s', (_name, backend, target, profile) => {
    const config = configOf({ baseUrl, ...backend }, { '*': { backend: 'a', ...target } });
    expect(createTargets(config).resolve('any')[0]?.profile).toEqual(profile);
  });

  test('the simulator has none', () => {
    expect(createTargets(configOf({ simulator: true })).resolve('any')[0]?.profile).toBeUndefined();
  });
});

describe('how a server speaks', () => {
  test('every flag that the library knows can be set', () => {
    for (const host of ['api.openai.com', 'api.mistral.ai', 'llm.example']) {
      const { server } = dialects.chatCompletions.target('m', { host });
      const { profile } = configOf({ baseUrl: 'http://x', profile: { server } }).backends.a ?? {};
      expect(profile).toEqual({ server });
    }
  });

  test.each([
    [{ idRules: 'nine' }, /^backends\.a\.profile\.server\.idRules: unknown key/],
    [{ idRule: 'eight' }, /^backends\.a\.profile\.server\.idRule: /],
    [{ maxTools: -1 }, /^backends\.a\.profile\.server\.maxTools: /],
  ])('%j is a mistake', (server, expected) => {
    expect(() => configOf({ baseUrl: 'http://x', profile: { server } })).toThrow(expected);
  });
});

test('no variable of the environment makes a chat backend', () => {
  const { backends } = parseConfig(defaultInput({ OPENAI_API_KEY: 'sk-upstream-123' }));
  expect(Object.values(backends).map(({ dialect }) => dialect)).toEqual(['responses']);
});
