import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sizes } from '../../src/launch/agent.js';
import { AGENTS } from '../../src/launch/agents.js';
import { prepare } from '../../src/launch/settings.js';
import { runTogether } from '../cli/command-lines.js';
import type { Tree } from '../support/gateway/harness.js';
import { KEY, type LaunchPlace, openLaunchPlace } from './support.js';

/** What agents are told of the window of their model, of a model for the background, and of their list of models. */

const MODELS = {
  mine: { contextWindow: 32_768, maxOutput: 4096, title: 'Mine' },
  wide: { contextWindow: 400_000, maxOutput: 128_000 },
  plain: {},
  tiny: { contextWindow: 8192, maxOutput: 1024 },
};
/** With names that Claude Code takes for its vendor's. */
const CLAUDES = {
  'claude-mid': { contextWindow: 128_000 },
  'claude-tiny': { contextWindow: 32_768 },
  'claude-any': {},
};

let room: LaunchPlace;
let runOf: Awaited<ReturnType<typeof runTogether>>;

const line = (agent: string, model: string, more: readonly string[] = [], file = 'sizes.json') => [
  'launch',
  agent,
  '--model',
  model,
  ...more,
  '--config',
  file,
  '--print',
  '--shell',
  'json',
];
const SMALL = ['--small', 'tiny'];
const THINK = ['--think', 'tiny'];
const LINES = [
  ...['claude', 'codex', 'gemini', 'opencode', 'copilot', 'zed'].flatMap((agent) =>
    ['mine', 'wide', 'plain'].flatMap((model) => [line(agent, model), line(agent, model, SMALL)]),
  ),
  ...Object.keys(CLAUDES).map((model) => line('claude', model, [], 'claudes.json')),
  line('claude', 'mine', ['--small', 'teny']),
  ...['claude', 'codex', 'opencode'].map((agent) => line(agent, 'mine', THINK)),
  line('gemini', 'mine', ['--trust']),
  line('claude', 'mine', ['--trust']),
  line('zed', 'mine', ['--small', 'plain']),
  ['launch', 'zed', '--model', 'mine', '--config', 'sizes.json'],
  ['launch', 'zed', '--model', 'mine', '--config', 'sizes.json', '--print'],
];

beforeAll(async () => {
  room = await openLaunchPlace();
  const write = (name: string, models: object): void => {
    const named = Object.entries(models).map(([model, facts]) => [model, { backend: 'local', model: 'x', ...facts }]);
    const backends = { local: { dialect: 'responses', baseUrl: room.backend.url, apiKey: 'k' } };
    const text = {
      listen: { port: 9 },
      backends,
      models: Object.fromEntries(named),
      keys: [{ name: 'team', key: KEY }],
    };
    writeFileSync(join(room.place, name), JSON.stringify(text));
  };
  write('sizes.json', MODELS);
  write('claudes.json', CLAUDES);
  runOf = await runTogether(room.place, LINES, {
    HOME: room.home,
    PATH: room.bin,
    XDG_CONFIG_HOME: '',
    INTERLINGUA_KEY: KEY,
  });
});
afterAll(() => room.close());

function printed(agent: string, model: string, more: readonly string[] = [], file?: string): Tree {
  const { code, stdout, stderr } = runOf(line(agent, model, more, file));
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
  return { ...JSON.parse(stdout), stderr };
}

/** What an agent gets with the file that it is to read. */
function prepared(name: string, sizes: Sizes): { readonly env: Tree; readonly file: Tree } {
  const agent = AGENTS.get(name);
  if (agent === undefined) throw new Error(`there is no agent ${name}`);
  const place = { url: 'http://127.0.0.1:9', key: KEY, model: 'mine', sizes, names: ['mine'] };
  const folder = join(room.place, `files-${name}`);
  const { env } = prepare(agent, place, folder, { HOME: room.home });
  const [file = ''] = readdirSync(folder);
  return { env, file: JSON.parse(readFileSync(join(folder, file), 'utf8')) };
}

describe('Claude Code', () => {
  test('is told the window and the cap of a model that is not its vendor’s', () => {
    expect(printed('claude', 'mine').env).toMatchObject({
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4096',
      ANTHROPIC_DEFAULT_FABLE_MODEL: 'mine',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'mine',
      ANTHROPIC_CUSTOM_MODEL_OPTION: 'mine',
      CLAUDE_CODE_USE_MANTLE: '',
    });
    expect(printed('claude', 'wide').env).toMatchObject({
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '400000',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '32000',
    });
  });

  test('is told nothing where nothing is known', () => {
    const names = Object.keys(printed('claude', 'plain').env);
    expect(names.filter((name) => /MAX_CONTEXT|MAX_OUTPUT|COMPACT/.test(name))).toEqual([]);
  });

  test('has its settings in the file that wins as well', () => {
    const { env, file } = prepared('claude', { window: 32_768, output: 4096 });
    expect(file.env).toEqual(env);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768' });
  });

  test('gets a small model for the background', () => {
    expect(printed('claude', 'mine', SMALL).env).toMatchObject({
      ANTHROPIC_MODEL: 'mine',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'mine',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'tiny',
      ANTHROPIC_SMALL_FAST_MODEL: 'tiny',
    });
  });

  test('gets a model that plans, by its own name for two models in a session', () => {
    const { env, args } = printed('claude', 'mine', THINK);
    expect(env).toMatchObject({
      ANTHROPIC_MODEL: 'opusplan',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'tiny',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'mine',
      CLAUDE_CODE_SUBAGENT_MODEL: 'mine',
      // Both share one conversation.
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '8192',
    });
    expect(args.slice(-2)).toEqual(['--model', 'opusplan']);
  });

  test('compacts earlier under a name of its vendor, and is told where it cannot', () => {
    const mid = printed('claude', 'claude-mid', [], 'claudes.json');
    expect(mid.env).toMatchObject({
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '128000',
      CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    });
    expect(mid.env).not.toHaveProperty('CLAUDE_CODE_MAX_CONTEXT_TOKENS');
    expect(mid.env).not.toHaveProperty('ANTHROPIC_CUSTOM_MODEL_OPTION');
    const tiny = printed('claude', 'claude-tiny', [], 'claudes.json');
    expect(tiny.env).not.toHaveProperty('CLAUDE_CODE_AUTO_COMPACT_WINDOW');
    expect(tiny.stderr.trim()).toBe(
      'interlingua: Claude Code takes claude-tiny to have a window of 200000 tokens, where it has 32768: use a name without claude for it, such as local-tiny',
    );
    expect(printed('claude', 'claude-any', [], 'claudes.json').stderr).toBe('');
  });
});

test('Codex is told the window', () => {
  expect(printed('codex', 'mine').args.slice(-2)).toEqual(['-c', 'model_context_window=32768']);
  expect(printed('codex', 'plain').args.join()).not.toContain('model_context_window');
});

test('Gemini CLI compacts at half of the window, of which it knows no other than its own', () => {
  // 32,768 of 1,048,576 are a 32nd.
  expect(prepared('gemini', { window: 32_768 }).file.model).toEqual({ name: 'mine', compressionThreshold: 0.0156 });
  expect(prepared('gemini', { window: 2_000_000 }).file.model.compressionThreshold).toBe(0.5);
  expect(prepared('gemini', {}).file.model).toEqual({ name: 'mine' });
});

test('OpenCode gets a provider, the limits of the model, and a small one', () => {
  const config = (model: string, more: readonly string[] = []): Tree =>
    JSON.parse(printed('opencode', model, more).env.OPENCODE_CONFIG_CONTENT);
  const { provider, ...chosen } = config('mine', SMALL);
  expect(chosen).toEqual({ model: 'interlingua/mine', small_model: 'interlingua/tiny' });
  expect(provider.interlingua).toMatchObject({
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: 'http://127.0.0.1:9/v1', apiKey: KEY },
    models: { mine: { limit: { context: 32_768, output: 4096 } }, tiny: { limit: { context: 8192, output: 1024 } } },
  });
  expect(config('plain').provider.interlingua.models).toEqual({ plain: {} });
});

test('Copilot CLI gets a provider of its own and needs no login', () => {
  expect(printed('copilot', 'mine').env).toEqual({
    COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:9/v1',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'responses',
    COPILOT_PROVIDER_TRANSPORT: 'http',
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_PROVIDER_BEARER_TOKEN: '',
    COPILOT_MODEL: 'mine',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '28672',
    COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '4096',
  });
  expect(Object.keys(printed('copilot', 'plain').env).filter((name) => name.includes('MAX'))).toEqual([]);
});

describe('Zed', () => {
  test('is printed what belongs into its file', () => {
    const { env, settings } = printed('zed', 'mine', SMALL);
    expect(env).toEqual({ INTERLINGUA_API_KEY: KEY });
    const { api_url, available_models } = settings.value.language_models.openai_compatible.interlingua;
    expect(api_url).toBe('http://127.0.0.1:9/v1');
    const capabilities = expect.objectContaining({ tools: true, chat_completions: false });
    expect(available_models).toEqual([
      { name: 'tiny', max_tokens: 8192, max_output_tokens: 1024, capabilities },
      { name: 'mine', max_tokens: 32_768, max_output_tokens: 4096, capabilities },
    ]);
    expect(settings.value.agent).toEqual({
      default_model: { provider: 'interlingua', model: 'mine' },
      thread_summary_model: { provider: 'interlingua', model: 'tiny' },
      commit_message_model: { provider: 'interlingua', model: 'tiny' },
    });
    const { stdout } = runOf(['launch', 'zed', '--model', 'mine', '--config', 'sizes.json', '--print']);
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe(`export INTERLINGUA_API_KEY='${KEY}'`);
    expect(lines.slice(1).every((text) => text.startsWith('# '))).toBe(true);
    const json = lines.slice(2, -1).map((text) => text.slice(2));
    expect(JSON.parse(json.join('\n')).language_models).toBeDefined();
  });

  test('is not run, and needs a window', () => {
    const run = runOf(['launch', 'zed', '--model', 'mine', '--config', 'sizes.json']);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--print')]);
    for (const words of [line('zed', 'plain'), line('zed', 'mine', ['--small', 'plain'])]) {
      const plain = runOf(words);
      expect([plain.code, plain.stderr]).toEqual([
        2,
        expect.stringContaining('window of plain: set its contextWindow'),
      ]);
    }
  });
});

test('a small model that there is not is a mistake, and an agent without a setting for one says so', () => {
  const { code, stderr } = runOf(line('claude', 'mine', ['--small', 'teny']));
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean tiny?')]);
  for (const agent of ['codex', 'gemini', 'copilot'])
    expect(printed(agent, 'mine', SMALL).stderr).toContain('--small has no effect');
  for (const agent of ['claude', 'opencode', 'zed']) expect(printed(agent, 'mine', SMALL).stderr).toBe('');
});

test('the window comes from the list of a gateway that runs', async () => {
  const { said } = await room.launch(['claude', '--model', 'mine', '--config', 'sizes.json', '--', 'ask', '0'], {
    INTERLINGUA_KEY: '',
  }).outcome;
  expect(said[0]?.env).toMatchObject({
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4096',
  });
});

describe('a model that plans', () => {
  test('is that of the agent for plans in OpenCode', () => {
    const { OPENCODE_CONFIG_CONTENT = '{}' } = printed('opencode', 'mine', THINK).env;
    expect(JSON.parse(OPENCODE_CONFIG_CONTENT)).toMatchObject({
      model: 'interlingua/mine',
      agent: { plan: { model: 'interlingua/tiny' } },
      provider: { interlingua: { models: { tiny: { limit: { context: 8192, output: 1024 } } } } },
    });
  });

  test('has no effect where the agent has no setting for it', () => {
    expect(printed('codex', 'mine', THINK).stderr).toContain('--think has no effect');
    expect(printed('codex', 'mine', THINK).args).toEqual(printed('codex', 'mine').args);
  });
});
