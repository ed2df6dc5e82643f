import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Provider } from '@pydantic/genai-prices';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createTargets } from '../../src/config/targets.js';
import type { Attempt } from '../../src/exchange/attempt.js';
import { withinWindow } from '../../src/exchange/restrictions.js';
import { missingFor } from '../../src/ground/optional-packages.js';
import { createModels } from '../../src/models/facts.js';
import { createGenaiPrices } from '../../src/models/genai-prices.js';
import type { ModelTarget } from '../../translators/index.js';

const { findProvider } = createRequire(import.meta.url)(
  '@pydantic/genai-prices',
) as typeof import('@pydantic/genai-prices');

function lookUp(backend: object, model: string, at = '2026-11-28T12:00:00Z') {
  const config = parseConfig({ backends: { a: { apiKey: 'k', ...backend } } } as ConfigInput);
  const [target] = createTargets(config).resolve(model);
  if (target === undefined) throw new Error('no target');
  return createGenaiPrices(() => new Date(at))(target);
}

const anthropic = { preset: 'anthropic' };
const openai = { preset: 'openai' };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the package of prices', () => {
  // platform.claude.com/docs/en/about-claude/pricing and openai.com/api/pricing, with the tiers of the package.
  test.each([
    [anthropic, 'claude-opus-4-5', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 }],
    [anthropic, 'claude-haiku-4-5', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheWrite1h: 2 }],
    [openai, 'gpt-4o', { input: 2.5, output: 10, cacheRead: 1.25 }],
    [openai, 'gpt-4o-2024-05-13', { input: 5, output: 15 }],
    [openai, 'gpt-5-2025-08-07', { input: 1.25, output: 10, cacheRead: 0.125 }],
    [
      openai,
      'gpt-5.4',
      { input: 2.5, output: 15, cacheRead: 0.25, above: [{ tokens: 271_999, input: 5, output: 22.5, cacheRead: 0.5 }] },
    ],
  ])('at %j knows %s by its very name', (backend, model, prices) => {
    expect(lookUp(backend, model)?.prices).toEqual(prices);
  });

  test.each([
    [anthropic, 'claude-opus-4-5-20251101', 'claude-opus-4-5'],
    [anthropic, 'Claude-Opus-4-5', 'claude-opus-4-5'],
    [openai, 'gpt-5-2031-01-02', 'gpt-5'],
    [{ preset: 'gemini' }, 'models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ])('at %j knows %s, which is %s with a date or in another spelling', (backend, model, plain) => {
    const known = lookUp(backend, plain);
    expect(known?.prices?.input).toBeGreaterThan(0);
    expect(lookUp(backend, model)).toEqual(known);
  });

  test.each([
    // Its rules price these by how they begin, or by what they contain.
    [anthropic, 'claude-sonnet-5-5'],
    [anthropic, 'claude-haiku-4-5-turbo'],
    [anthropic, 'claude-opus-5.0-large'],
    [openai, 'ft:gpt-4o-2024-08-06:org::id'],
    [openai, 'gpt-5-nano-next'],
    [openai, 'gpt-6.1-sol'],
    [{ preset: 'gemini' }, 'gemini-1.5-flash-8b-latest'],
    [{ preset: 'openrouter' }, 'anthropic/claude-opus-4.5:free'],
    [
      { preset: 'bedrock', baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com' },
      'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    // A host of nobody whom it knows, whatever the model is called.
    [{ dialect: 'responses', baseUrl: 'http://127.0.0.1:9' }, 'gpt-4o'],
    [{ dialect: 'responses', baseUrl: 'https://proxy.example/https://api.openai.com' }, 'gpt-4o'],
    [{ dialect: 'responses', simulator: true, apiKey: undefined }, 'gpt-4o'],
  ])('at %j does not guess for %s', (backend, model) => {
    expect(lookUp(backend, model)).toBeUndefined();
  });

  test('takes the price that is in force', () => {
    const at = (time: string) => lookUp({ preset: 'deepseek' }, 'deepseek-v4-pro', time)?.prices?.input;
    expect([at('2026-08-16T12:00:00Z'), at('2026-08-17T12:00:00Z'), at('2026-08-18T02:00:00Z')]).toEqual([
      0.435, 0.66, 1.32,
    ]);
  });

  test('knows no price of a model where something else is paid than texts', () => {
    const sonar = findProvider({ providerId: 'perplexity' });
    const withFees = sonar?.models.filter(({ prices }) => !Array.isArray(prices) && 'requests_kcount' in prices) ?? [];
    expect(withFees.length).toBeGreaterThan(0);
    for (const { id } of withFees) expect(lookUp({ preset: 'perplexity' }, id)?.prices).toBeUndefined();
  });

  test('names no model twice, so that none is chosen by its place', () => {
    const providers = [
      'anthropic',
      'openai',
      'google',
      'aws',
      'azure',
      'openrouter',
      'groq',
      'mistral',
      'deepseek',
      'x-ai',
    ];
    const named = (rule: Provider['models'][number]['match']): string[] =>
      'or' in rule ? rule.or.flatMap(named) : 'equals' in rule ? [rule.equals] : [];
    for (const providerId of providers) {
      const names = (findProvider({ providerId })?.models ?? []).flatMap(({ id, match }) => [
        ...new Set([id, ...named(match)].map((name) => name.toLowerCase())),
      ]);
      expect([providerId, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([providerId, []]);
    }
  });

  test('asks nothing of the network, and is never told to', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch');
    lookUp(openai, 'gpt-4o');
    await new Promise((resolve) => setImmediate(resolve));
    expect(fetched).not.toHaveBeenCalled();
    const source = readFileSync(new URL('../../src/models/genai-prices.ts', import.meta.url), 'utf8');
    expect(source).not.toContain('updatePrices');
  });
});

describe('prices: genai-prices', () => {
  const backends = { a: { preset: 'anthropic' as const, apiKey: 'k' } };

  test('comes after the file and the host, and only where the file names it', () => {
    const factsOf = (prices: 'genai-prices' | undefined, target: object, told: object = {}) => {
      const config = parseConfig({
        backends,
        models: { m: { backend: 'a', model: 'claude-opus-4-5', ...target } },
        ...(prices && { prices }),
      });
      const targets = createTargets(config);
      return createModels(config, targets, () => new Map([['a', new Map([['claude-opus-4-5', told]])]])).of(
        targets.resolve('m')[0] as never,
      );
    };
    const maxOutput = { value: 64_000, source: 'profile' };
    expect(factsOf(undefined, {})).toEqual({ maxOutput });
    expect(factsOf('genai-prices', {})).toEqual({
      contextWindow: { value: 200_000, source: 'genai-prices' },
      maxOutput,
      prices: {
        value: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
        source: 'genai-prices',
      },
    });
    expect(factsOf('genai-prices', { prices: { input: 1 } }, { contextWindow: 7 })).toEqual({
      contextWindow: { value: 7, source: 'host' },
      maxOutput,
      prices: { value: { input: 1 }, source: 'file' },
    });
  });

  test.each([
    ['genai-prices', false, 64_000],
    ['host', false, 1000],
    ['file', false, 1000],
    ['host', true, 64_000],
  ] as const)('a window of %s, for the input alone: %s, leaves a made-up cap of %d', (source, inputAlone, cap) => {
    const window = { value: 1000, source, ...(inputAlone && { inputAlone }) };
    const attempt = { gateway: { models: { fact: () => window } } } as unknown as Attempt;
    const profile = { maxOutput: 64_000 } as ModelTarget;
    expect(withinWindow(profile, attempt, {}).maxOutput).toBe(cap);
  });

  test('is refused where the package is not installed, or is another', () => {
    expect(missingFor('genai-prices', () => false)).toBe(
      '`genai-prices` needs what is not installed: npm install @pydantic/genai-prices',
    );
    expect(missingFor('genai-prices')).toBeUndefined();
    expect(() => parseConfig({ backends, prices: 'litellm' })).toThrow(/^prices: must be `genai-prices`/);
  });
});
