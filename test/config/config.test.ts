import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { loadConfig, parseConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import type { Config } from '../../src/config/types.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string, name = 'interlingua.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function problems(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
    throw error;
  }
  return [];
}

const MINIMAL = { backends: { claude: { dialect: 'messages', baseUrl: 'https://api.anthropic.com' } } };

describe('a whole file', () => {
  const config = loadConfig(
    file(`
listen: { host: 127.0.0.1, port: 9999 }
backends:
  claude:
    dialect: messages
    baseUrl: https://api.anthropic.com/v1/
    apiKey: \${CLAUDE_KEY}
    headers: { Anthropic-Beta: some-beta }
    timeouts: { idle: 5 }
  local:
    dialect: responses
    baseUrl: http://127.0.0.1:9000/openai/v1
models:
  fast: { backend: claude, model: claude-haiku-4-5 }
  steady: [ { backend: claude, model: claude-sonnet-4-5 }, { backend: local, model: gpt-oss } ]
  "*": { backend: local }
keys:
  - { name: team-a, key: \${TEAM_KEY}, models: [fast, steady] }
losses: strict
`),
    { CLAUDE_KEY: 'sk-upstream-123', TEAM_KEY: 'a-long-enough-team-key' },
  );

  test('is read with every default filled in', () => {
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 9999, cors: [] });
    expect(config).toMatchObject({
      workers: 1,
      metrics: { host: '127.0.0.1' },
      log: { level: 'info', content: false },
    });
    expect(config.backends.claude).toMatchObject({
      name: 'claude',
      dialect: 'messages',
      baseUrl: 'https://api.anthropic.com',
      simulator: false,
      apiKey: 'sk-upstream-123',
      auth: 'x-api-key',
      version: '2023-06-01',
      headers: { 'anthropic-beta': 'some-beta' },
      betas: 'all',
      stream: 'client',
      countTokens: 'auto',
      cache: 'auto',
      timeouts: { connect: 10, firstByte: 900, idle: 5, total: 3600 },
      retries: 2,
      queue: 100,
      breaker: { failures: 5, seconds: 30 },
    });
    expect(config.backends.claude?.domain).toMatch(/^[a-z2-7]{12}$/);
    expect(config.backends.local).toMatchObject({ baseUrl: 'http://127.0.0.1:9000/openai', auth: 'bearer' });
    expect(config.models).toEqual({
      fast: [{ backend: 'claude', model: 'claude-haiku-4-5' }],
      steady: [
        { backend: 'claude', model: 'claude-sonnet-4-5' },
        { backend: 'local', model: 'gpt-oss' },
      ],
      '*': [{ backend: 'local' }],
    });
    expect(config.losses).toEqual({ policy: 'strict', allow: [] });
    expect(config.translate).toEqual({ omitMedia: false, seedUser: false, trailingState: 'drop', cache: 'auto' });
    expect(config.limits).toEqual({
      bodyMb: 64,
      uploadMb: 128,
      jsonDepth: 128,
      jsonValues: 250_000,
      pathBytes: 2048,
      inflateMb: 256,
      eventMb: 64,
      headersSeconds: 30,
      bodySeconds: 300,
      connectSeconds: 10,
      firstByteSeconds: 900,
      idleSeconds: 300,
      totalSeconds: 3600,
      writeIdleSeconds: 30,
      heartbeatSeconds: 15,
      exchanges: 4096,
      connections: 4096,
      references: 1000,
      historyMb: 64,
      drainSeconds: 60,
    });
    expect(config.store).toEqual({ type: 'lmdb', path: '.interlingua', ttlDays: 30, maxMb: 1024, entryMb: 16 });
    expect([config.backends.claude?.state, config.backends.local?.state]).toEqual(['none', 'none']);
    expect(config.log).toEqual({ level: 'info', content: false });
  });

  test('keeps only the digest of a key', () => {
    const sha256 = createHash('sha256').update('a-long-enough-team-key').digest('hex');
    expect(config.keys).toEqual([{ name: 'team-a', sha256, models: ['fast', 'steady'] }]);
    expect(JSON.stringify(config.keys)).not.toContain('a-long-enough-team-key');
  });

  test('is frozen at every depth', () => {
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      for (const child of Object.values(value)) walk(child);
    };
    walk(config);
  });
});

describe('refusals name the path and the reason', () => {
  test.each<[string, unknown, RegExp]>([
    ['an unknown key', { ...MINIMAL, listne: {} }, /^listne: unknown key; did you mean `listen`\?$/],
    [
      'answers kept by a backend that keeps none',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', state: 'own' } } },
      /^backends\.a\.state: messages backends keep no answers/,
    ],
    ['redis without a server', { ...MINIMAL, store: { type: 'redis' } }, /^store\.url: is required for redis/],
    [
      'a folder that nothing is kept in',
      { ...MINIMAL, store: { type: 'memory', path: 'x' } },
      /^store\.path: cannot be used with type: memory/,
    ],
    [
      'workers that share no store',
      { ...MINIMAL, workers: 2, store: { type: 'memory' } },
      /^workers: more than one worker needs a shared store: lmdb, redis or off/,
    ],
    [
      'an origin with a path',
      { ...MINIMAL, listen: { cors: ['https://a.example/'] } },
      /^listen\.cors\[0\]: must be an origin/,
    ],
    ['a host without a port', { ...MINIMAL, metrics: { host: '::1' } }, /^metrics\.host: requires port/],
    [
      'a breaker that is on',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', breaker: true } } },
      /^backends\.a\.breaker: /,
    ],
    [
      'an unknown key at depth',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', foo: 1 } } },
      /^backends\.a\.foo: unknown key; see `interlingua check --print-schema`$/,
    ],
    ['an unknown dialect', { backends: { a: { dialect: 'chat', baseUrl: 'http://x' } } }, /^backends\.a\.dialect: /],
    ['a missing base URL', { backends: { a: { dialect: 'messages' } } }, /^backends\.a\.baseUrl: is required/],
    [
      'a base URL that is none',
      { backends: { a: { dialect: 'messages', baseUrl: 'api' } } },
      /^backends\.a\.baseUrl: is not a URL; write one such as https:\/\/HOST$/,
    ],
    [
      'credentials in a URL',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://u:p@x' } } },
      /^backends\.a\.baseUrl: must not contain credentials/,
    ],
    [
      'both URL and simulator',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', simulator: true } } },
      /^backends\.a\.baseUrl: cannot be used with/,
    ],
    ['no backends', { backends: {} }, /^backends: must name at least one backend$/],
    ['nothing at all', {}, /^backends: /],
    [
      'a blank key',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', apiKey: ' ' } } },
      /^backends\.a\.apiKey: /,
    ],
    [
      'a key that is the word undefined',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', apiKey: 'undefined' } } },
      /^backends\.a\.apiKey: is a placeholder, not a key$/,
    ],
    [
      'client auth beside a key',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', apiKey: 'abc', auth: 'client' } } },
      /^backends\.a\.auth: `client` excludes apiKey$/,
    ],
    [
      'client auth beside gateway keys',
      {
        backends: { a: { dialect: 'messages', baseUrl: 'http://x', auth: 'client' } },
        keys: [{ name: 'k', key: '0123456789abcdef' }],
      },
      /^backends\.a\.auth: `client` excludes keys$/,
    ],
    [
      'an unknown backend',
      { ...MINIMAL, models: { x: { backend: 'claud' } } },
      /^models\.x\.backend: unknown backend; did you mean `claude`\?$/,
    ],
    [
      'an unknown backend in a list',
      { ...MINIMAL, models: { 'x.1': [{ backend: 'claude' }, { backend: 'zzz' }] } },
      /^models\["x\.1"\]\[1\]\.backend: unknown backend; known: claude$/,
    ],
    [
      'a profile that nobody knows',
      { backends: { claude: { ...MINIMAL.backends.claude, profile: 'claud-sonnet-4-5' } } },
      /^backends\.claude\.profile: unknown model: backends of messages do not list it; did you mean `claude-sonnet-4-5`\? known: claude\*, neutral$/,
    ],
    [
      'one that only other dialects know, in the flags of a target',
      { ...MINIMAL, models: { x: [{ backend: 'claude', profile: { model: 'gpt-5', prefill: true } }] } },
      /^models\.x\[0\]\.profile\.model: unknown model: backends of messages do not list it; known: claude\*, neutral$/,
    ],
    [
      'a weight of nothing',
      { ...MINIMAL, models: { x: [{ backend: 'claude', weight: 0 }] } },
      /^models\.x\[0\]\.weight: /,
    ],
    [
      'a star in the middle',
      { ...MINIMAL, models: { 'a*b': { backend: 'claude' } } },
      /^models\["a\*b"\]: `\*` is only allowed at the end/,
    ],
    [
      'a star without a pattern',
      { ...MINIMAL, models: { x: { backend: 'claude', model: 'y-*' } } },
      /^models\.x\.model: `\*` needs a name/,
    ],
    [
      'several backends without models',
      { backends: { a: MINIMAL.backends.claude, b: MINIMAL.backends.claude } },
      /^models: is required/,
    ],
    [
      'a short key',
      { ...MINIMAL, keys: [{ name: 'k', key: 'short' }] },
      /^keys\[0\]\.key: must have at least 16 characters; `openssl rand -base64 32` makes one$/,
    ],
    [
      'a key without a secret',
      { ...MINIMAL, keys: [{ name: 'k' }] },
      /^keys\[0\]: needs exactly one of key and sha256$/,
    ],
    [
      'a bad digest',
      { ...MINIMAL, keys: [{ name: 'k', sha256: 'abc' }] },
      /^keys\[0\]\.sha256: must be 64 hex digits$/,
    ],
    [
      'one key twice',
      {
        ...MINIMAL,
        keys: [
          { name: 'a', key: '0123456789abcdef' },
          { name: 'b', key: '0123456789abcdef' },
        ],
      },
      /^keys\[1\]: is the same key as another$/,
    ],
    ['a port out of range', { ...MINIMAL, listen: { port: 70000 } }, /^listen\.port: /],
    [
      'a word for a number',
      { ...MINIMAL, limits: { bodyMb: 'big' } },
      /^limits\.bodyMb: must be a number, not a string; write digits alone, without a unit$/,
    ],
    ['an unknown policy', { ...MINIMAL, losses: 'loose' }, /^losses: /],
    [
      'a feature that is none',
      { ...MINIMAL, losses: { policy: 'strict', allow: ['sampling.topk'] } },
      /^losses\.allow\[0\]: .*did you mean `sampling\.topK`\?/,
    ],
    [
      'a header of the connection',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', headers: { Host: 'y' } } } },
      /^backends\.a\.headers\.Host: belongs to the connection/,
    ],
    [
      'a header on two lines',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', headers: { 'x-a': 'b\r\nc: d' } } } },
      /^backends\.a\.headers\.x-a: /,
    ],
    [
      'an unknown flag of a profile',
      { backends: { a: { dialect: 'messages', baseUrl: 'http://x', profile: { thinks: true } } } },
      /^backends\.a\.profile\.thinks: unknown key/,
    ],
  ])('%s', (_name, input, expected) => {
    const found = problems(() => parseConfig(input));
    expect(found).toEqual([expect.stringMatching(expected)]);
  });

  test('all mistakes at once', () => {
    const found = problems(() => parseConfig({ backends: { a: { dialect: 'x', baseUrl: 'y', z: 1 } }, keys: [] }));
    expect(found.map((line) => line.split(':')[0]).sort()).toEqual([
      'backends.a.baseUrl',
      'backends.a.dialect',
      'backends.a.z',
      'keys',
    ]);
  });

  test('a variable that is not set', () => {
    const path = file(`backends: { a: { dialect: messages, baseUrl: "http://x", apiKey: "\${NO_SUCH}" } }`);
    expect(problems(() => loadConfig(path, {}))).toEqual([
      'backends.a.apiKey: the environment variable NO_SUCH is not set; set it, or write the value here',
    ]);
  });

  test('a file that is no YAML, without quoting it', () => {
    const path = file('keys: [ { name: a, key: secret-secret-secret\nbackends: {');
    const [problem] = problems(() => loadConfig(path, {}));
    expect(problem).toMatch(/invalid YAML: /);
    expect(problem).not.toContain('secret-secret');
  });

  test('a file that is not there', () => {
    expect(problems(() => loadConfig(join(folder, 'absent.yaml'), {}))).toEqual([
      expect.stringMatching(/cannot be read \(ENOENT\)$/),
    ]);
  });
});

describe('variables of the environment', () => {
  test('win over the file', () => {
    const path = file(JSON.stringify({ ...MINIMAL, listen: { port: 1 } }), 'one.json');
    const config = loadConfig(path, {
      INTERLINGUA_PORT: '4321',
      INTERLINGUA_HOST: '127.0.0.2',
      INTERLINGUA_LOG_LEVEL: 'debug',
    });
    expect(config.listen).toEqual({ host: '127.0.0.2', port: 4321, cors: [] });
    expect(config.log.level).toBe('debug');
  });

  test('name the file', () => {
    const path = file(JSON.stringify({ ...MINIMAL, listen: { port: 77 } }), 'two.json');
    expect(loadConfig(undefined, { INTERLINGUA_CONFIG: path }).listen.port).toBe(77);
  });

  test('may stand for a number in the file', () => {
    const path = file(`listen: { port: "\${P}" }\nbackends: { a: { dialect: messages, simulator: true } }`);
    expect(loadConfig(path, { P: '123' }).listen.port).toBe(123);
  });

  test('a bad one is refused under its own name', () => {
    expect(problems(() => loadConfig(undefined, { INTERLINGUA_PORT: 'eighty' }))).toEqual([
      'INTERLINGUA_PORT: must be a number, not a string; write digits alone, without a unit',
    ]);
  });
});

describe('without a file', () => {
  const shown = (config: Config): Record<string, string> =>
    Object.fromEntries(Object.entries(config.models).map(([name, targets]) => [name, targets[0]?.backend ?? '']));

  test('the simulator serves a model of each dialect, and the names of media models', () => {
    const config = loadConfig(undefined, {});
    const {
      'sim-messages': m,
      'sim-responses': r,
      'sim-generate-content': g,
      'sim-chat-completions': h,
      ...media
    } = shown(config);
    expect([m, r, g, h]).toEqual(['sim-messages', 'sim-responses', 'sim-generate-content', 'sim-chat-completions']);
    expect(new Set(Object.values(media))).toEqual(new Set(['sim-responses']));
    expect(Object.keys(media)).toEqual(
      expect.arrayContaining(['img-legacy', 'img-v3', 'img-multi', 'img-ctx', 'img-wide', 'video-2']),
    );
    expect(Object.values(config.backends).map(({ dialect, simulator }) => [dialect, simulator])).toEqual([
      ['messages', true],
      ['responses', true],
      ['generateContent', true],
      ['chatCompletions', true],
    ]);
  });

  test('one key makes its service the one for any name', () => {
    const config = loadConfig(undefined, { OPENAI_API_KEY: 'sk-1234567890' });
    expect(shown(config)).toMatchObject({ 'gpt-*': 'openai', 'o3*': 'openai', 'sora-*': 'openai', '*': 'openai' });
    expect(config.backends.openai).toMatchObject({ dialect: 'responses', auth: 'bearer', apiKey: 'sk-1234567890' });
  });

  test('several keys serve their own names only', () => {
    const config = loadConfig(undefined, { ANTHROPIC_API_KEY: 'ka-1', GEMINI_API_KEY: 'kg-1', OPENAI_API_KEY: '' });
    expect(shown(config)).toEqual({
      'claude-*': 'anthropic',
      'gemini-*': 'gemini',
      'gemma-*': 'gemini',
      'imagen-*': 'gemini',
      'veo-*': 'gemini',
    });
  });
});

test.each([
  ['messages', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['messages', 'neutral'],
  ['responses', 'openai/gpt-5.1'],
  ['generateContent', 'Gemini-3-Pro'],
  ['chatCompletions', 'vllm'],
  ['chatCompletions', 'qwen3-coder:30b'],
])('a profile of %s is called %s', (dialect, profile) => {
  const config = parseConfig({ backends: { a: { dialect, baseUrl: 'http://127.0.0.1:9', profile } } });
  expect(config.backends.a?.profile).toBe(profile);
});

test('state domains differ by dialect and host, not by path or model', () => {
  const domain = (dialect: string, baseUrl: string): string | undefined =>
    parseConfig({ backends: { a: { dialect, baseUrl } } }).backends.a?.domain;
  expect(domain('messages', 'https://x/one')).toBe(domain('messages', 'https://x/two/v1'));
  expect(domain('messages', 'https://x')).not.toBe(domain('messages', 'https://y'));
  expect(domain('messages', 'https://x')).not.toBe(domain('responses', 'https://x'));
});

test('names of the prototype are no backends and no models', () => {
  const config = parseConfig(MINIMAL);
  expect(config.backends.constructor).toBeUndefined();
  expect(config.models.toString).toBeUndefined();
});
