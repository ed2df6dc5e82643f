import { describe, expect, test } from '@jest/globals';
import { configOf, parseConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import { createTargets } from '../../src/config/targets.js';
import { dialectsOf, hostFor, presetNames, presets } from '../../src/presets/index.js';
import { type DialectId, dialects, translateRequest } from '../../translators/index.js';

/** The backend that an entry makes. */
function backendOf(backend: object) {
  return parseConfig({ backends: { a: backend } }).backends.a;
}

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
    throw error;
  }
  return [];
}

/** An address of a host, whose variable parts do not matter. */
const addressOf = (name: (typeof presetNames)[number], dialect: DialectId): string => {
  const endpoint = presets[name].endpoints[dialect];
  return endpoint?.root ?? endpoint?.example ?? '';
};

const ENDPOINTS = presetNames.flatMap((name) => dialectsOf(presets[name]).map((dialect) => [name, dialect] as const));

describe('the table of hosts', () => {
  test('has those of the contract', () => {
    const known =
      'anthropic, openai, gemini, azure, foundry, bedrock, ollama, vllm, sglang, llamacpp, lmstudio, openrouter, deepseek, groq, mistral, together, fireworks, cerebras, xai, moonshot, zai, minimax, qwen';
    expect(presetNames).toEqual(expect.arrayContaining(known.split(', ')));
  });

  test('every endpoint is of a dialect, and counts by one', () => {
    const endpoints = Object.values(presets).flatMap((preset) => Object.entries(preset.endpoints));
    const named = endpoints.flatMap(([dialect, { counts = dialect }]) => [dialect, counts]);
    expect(named.filter((name) => !(name in dialects))).toEqual([]);
  });

  test.each(ENDPOINTS)('%s with %s: by name, and by its address alone where hosts have a name', (name, dialect) => {
    const { root } = presets[name].endpoints[dialect] ?? {};
    const baseUrl = addressOf(name, dialect);
    const named = backendOf({ preset: name, dialect, ...(root === undefined && { baseUrl }) });
    expect(named).toMatchObject({ dialect, preset: { name, by: 'name' } });
    expect(named?.origins).toMatchObject({
      dialect: 'file',
      auth: 'preset',
      baseUrl: root === undefined ? 'file' : 'preset',
    });
    if (presets[name].hosts.length === 0) return;
    const found = backendOf({ dialect, baseUrl });
    expect(found).toMatchObject({
      preset: { name, by: 'host' },
      auth: named?.auth,
      state: named?.state,
      headers: named?.headers,
    });
    expect(found?.baseUrl).toBe(named?.baseUrl);
  });

  test.each(presetNames)('%s: the address of its usual dialect says the dialect', (name) => {
    const [dialect = 'messages'] = dialectsOf(presets[name]);
    if (presets[name].hosts.length === 0) return;
    // Two dialects of one root: the first is taken.
    expect(backendOf({ baseUrl: addressOf(name, dialect) })).toMatchObject({ preset: { name }, dialect });
  });

  test.each(ENDPOINTS)(
    '%s with %s: the library is told a host that it knows, or none that it takes for another',
    (name) => {
      const host = hostFor(presets[name], new URL('http://10.1.2.3:4444'));
      expect(host).toBe(presets[name].hosts[0]?.replace('*', 'any') ?? '10.1.2.3:4444');
    },
  );
});

describe('what the file says wins', () => {
  test('over the preset that it names', () => {
    expect(
      backendOf({
        preset: 'deepseek',
        dialect: 'responses',
        baseUrl: 'http://127.0.0.1:9/proxy/v1',
        auth: 'api-key',
        state: 'own',
        apiKey: 'k-1',
        headers: { 'x-a': 'b' },
      }),
    ).toMatchObject({
      dialect: 'responses',
      baseUrl: 'http://127.0.0.1:9/proxy',
      auth: 'api-key',
      state: 'own',
      headers: { 'x-a': 'b' },
      origins: { dialect: 'file', baseUrl: 'file', auth: 'file', state: 'file' },
    });
  });

  test('over its headers, one by one', () => {
    expect(backendOf({ preset: 'qwen', headers: { 'x-a': 'b' } })?.headers).toEqual({
      'x-dashscope-session-cache': 'enable',
      'x-a': 'b',
    });
    expect(backendOf({ preset: 'qwen', headers: { 'X-DashScope-Session-Cache': 'disable' } })?.headers).toEqual({
      'x-dashscope-session-cache': 'disable',
    });
  });

  test('a dialect chooses among its roots and the forms of its key', () => {
    const shown = (dialect?: string) => {
      const found = backendOf({ preset: 'deepseek', ...(dialect !== undefined && { dialect }) });
      return [found?.dialect, found?.baseUrl, found?.auth];
    };
    expect(shown()).toEqual(['messages', 'https://api.deepseek.com/anthropic', 'x-api-key']);
    expect(shown('responses')).toEqual(['responses', 'https://api.deepseek.com', 'bearer']);
    expect(shown('chatCompletions')).toEqual(['chatCompletions', 'https://api.deepseek.com', 'bearer']);
  });

  test.each([
    [{ preset: 'ollama', unsupported: ['documents'] }, ['documents'], 'file'],
    [{ preset: 'ollama', unsupported: [] }, [], 'file'],
    [{ dialect: 'messages', baseUrl: 'http://127.0.0.1:9', unsupported: ['prefill'] }, ['prefill'], 'file'],
    [{ preset: 'sglang', dialect: 'messages' }, expect.arrayContaining(['documents', 'cacheMarks']), 'preset'],
    [{ dialect: 'messages', baseUrl: 'http://127.0.0.1:9' }, [], 'default'],
  ] as const)('what %j does not support', (backend, unsupported, origin) => {
    expect(backendOf(backend)).toMatchObject({ unsupported, origins: { unsupported: origin } });
  });

  test('a feature that nobody knows is refused by its name', () => {
    expect(() => backendOf({ preset: 'ollama', unsupported: ['documets'] })).toThrow(/unsupported\[0\]/);
  });

  test('a known host with a dialect that it is not known to speak is nobody', () => {
    expect(backendOf({ dialect: 'generateContent', baseUrl: 'https://api.groq.com' })).toMatchObject({
      auth: 'x-goog-api-key',
      preset: undefined,
    });
  });
});

describe('who keeps answers', () => {
  test.each([
    [{ dialect: 'responses', baseUrl: 'http://127.0.0.1:9' }, 'none', 'default'],
    [{ dialect: 'responses', baseUrl: 'https://api.openai.com' }, 'own', 'preset'],
    [{ preset: 'openai', baseUrl: 'http://127.0.0.1:9' }, 'own', 'preset'],
    [{ preset: 'lmstudio' }, 'own', 'preset'],
    [{ preset: 'lmstudio', dialect: 'messages' }, 'none', 'default'],
    [{ preset: 'ollama', dialect: 'responses' }, 'none', 'default'],
    [{ preset: 'openai', state: 'none' }, 'none', 'file'],
    [{ dialect: 'responses', simulator: true }, 'own', 'default'],
  ])('%j: %s', (backend, state, origin) => {
    expect(backendOf(backend)).toMatchObject({ state, origins: { state: origin } });
  });
});

describe('addresses', () => {
  test.each([
    ['http://localhost:11434', 'ollama', 'messages', 'http://localhost:11434'],
    ['http://127.0.0.1:11434/v1', 'ollama', 'messages', 'http://127.0.0.1:11434'],
    ['http://[::1]:1234', 'lmstudio', 'responses', 'http://[::1]:1234'],
    ['https://api.openai.com/v1', 'openai', 'responses', 'https://api.openai.com'],
    ['https://api.deepseek.com', 'deepseek', 'responses', 'https://api.deepseek.com'],
    ['https://api.deepseek.com/anthropic/v1', 'deepseek', 'messages', 'https://api.deepseek.com/anthropic'],
    ['https://x.openai.azure.com', 'azure', 'responses', 'https://x.openai.azure.com/openai'],
    [
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1',
      'vertex',
      'generateContent',
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/google',
    ],
    ['https://bedrock-runtime.eu-west-1.amazonaws.com/anthropic', 'bedrock', 'messages', undefined],
    ['https://bedrock-mantle.us-east-1.api.aws/v1', 'bedrock', 'responses', 'https://bedrock-mantle.us-east-1.api.aws'],
    ['https://open.bigmodel.cn', 'zai', 'messages', 'https://open.bigmodel.cn/api/anthropic'],
    ['https://api.groq.com', 'groq', 'chatCompletions', 'https://api.groq.com/openai/v1'],
    ['https://api.groq.com/openai', 'groq', 'chatCompletions', 'https://api.groq.com/openai/v1'],
  ])('%s is %s and speaks %s', (baseUrl, name, dialect, root) => {
    expect(backendOf({ baseUrl })).toMatchObject({ preset: { name, by: 'host' }, dialect, baseUrl: root ?? baseUrl });
  });

  test('what was completed is said', () => {
    const origin = (baseUrl: string) => backendOf({ baseUrl })?.origins.baseUrl;
    expect(origin('https://api.groq.com')).toBe('file and preset');
    expect(origin('https://api.groq.com/openai/v1')).toBe('file');
  });

  test.each(['http://gpu.internal:11434', 'http://127.0.0.1:8000', 'https://api.openai.com.example'])(
    '%s is nobody: ports count on this machine only, and names as a whole',
    (baseUrl) => {
      expect(problemsOf(() => backendOf({ baseUrl }))).toEqual([
        'backends.a.dialect: is required unless a preset gives it',
      ]);
    },
  );

  test('a named preset elsewhere keeps the address as it is', () => {
    expect(backendOf({ preset: 'groq', baseUrl: 'http://127.0.0.1:9/openai/v1' })).toMatchObject({
      dialect: 'chatCompletions',
      baseUrl: 'http://127.0.0.1:9/openai/v1',
    });
  });

  test('a query is kept apart', () => {
    const baseUrl = 'https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21';
    expect(backendOf({ dialect: 'chatCompletions', baseUrl })).toMatchObject({
      baseUrl: 'https://x.openai.azure.com/openai/deployments/d',
      query: 'api-version=2024-10-21',
      auth: 'api-key',
    });
  });

  test.each([
    ['https://api.anthropic.com/v1/messages', '`/v1/messages`'],
    ['https://api.anthropic.com/v1/messages/count_tokens', '`/v1/messages/count_tokens`'],
    ['http://x/v1/responses/', '`/v1/responses`'],
    ['http://x/openai/v1/chat/completions?api-version=1', '`/v1/chat/completions`'],
    ['https://g.example/v1beta/models/gemini-3-pro:generateContent', '`/models/gemini-3-pro:generateContent`'],
  ])('%s is an endpoint', (baseUrl, end) => {
    expect(problemsOf(() => backendOf({ dialect: 'messages', baseUrl }))).toEqual([
      `backends.a.baseUrl: expected the service root, not an endpoint: drop everything from ${end} on`,
    ]);
  });
});

describe('mistakes', () => {
  test.each<[string, object, string]>([
    ['a misspelled name', { preset: 'grog' }, 'preset: unknown preset; did you mean `groq`?'],
    [
      'no address where each customer has an own one',
      { preset: 'azure' },
      'baseUrl: is required: each customer of azure has its own, such as https://RESOURCE.openai.azure.com/openai',
    ],
    [
      'a dialect that it does not speak',
      { preset: 'mistral', dialect: 'responses' },
      'dialect: mistral is not known to support this dialect; known: chatCompletions',
    ],
    ['a simulator of it', { preset: 'groq', simulator: true }, 'preset: cannot be used with simulator: true'],
    [
      'a key in the query',
      { preset: 'gemini', baseUrl: 'http://x?key=1' },
      'baseUrl: must not contain credentials: use apiKey or headers',
    ],
    ['state where none is kept', { preset: 'groq', state: 'own' }, 'state: chatCompletions backends keep no answers'],
  ])('%s', (_name, backend, expected) => {
    const found = problemsOf(() => backendOf(backend));
    expect(found[0]).toContain(`backends.a.${expected}`);
  });
});

describe('the profile of a target', () => {
  test.each([
    [{ preset: 'groq', baseUrl: 'http://127.0.0.1:9' }, 'api.groq.com'],
    [{ preset: 'azure', baseUrl: 'http://127.0.0.1:9' }, 'any.openai.azure.com'],
    [{ preset: 'azure', baseUrl: 'https://x.openai.azure.com' }, 'x.openai.azure.com'],
    [{ preset: 'ollama', baseUrl: 'http://gpu:8' }, 'localhost:11434'],
    [{ preset: 'vllm' }, 'localhost:8000'],
    [{ dialect: 'messages', baseUrl: 'http://gpu:8' }, 'gpu:8'],
  ])('%j knows the host', (backend, host) => {
    const config = parseConfig({ backends: { a: backend } });
    expect(createTargets(config).resolve('any')[0]?.profile).toMatchObject({ host });
  });
});

test('models of a cloud take what the cloud takes', () => {
  const baseUrl = 'https://aiplatform.googleapis.com/v1/publishers/google';
  const config = parseConfig({ backends: { a: { baseUrl, auth: 'x-goog-api-key' } } });
  const [target] = createTargets(config).resolve('gemini-3-pro');
  const { cloud, mixHosted, toolTypes } = dialects.generateContent.target('gemini-3-pro', target?.profile);
  expect([cloud, mixHosted, 'mcp' in toolTypes]).toEqual([true, 'free', false]);
});

describe('how a model that nobody knows is asked to think', () => {
  const thinkingOf = (backend: object, model: string) => {
    const [target] = createTargets(parseConfig({ backends: { a: backend } })).resolve(model);
    return dialects.messages.target(model, target?.profile).thinking;
  };

  test('as its host takes it', () => {
    expect(thinkingOf({ preset: 'vllm' }, 'qwen3:32b')).toMatchObject({ control: 'effort', canDisable: true });
    expect(thinkingOf({ preset: 'ollama' }, 'qwen3:32b')).toMatchObject({ control: 'budget', canDisable: true });
  });

  test('a vendor’s model is asked as everywhere', () => {
    expect(thinkingOf({ preset: 'vllm' }, 'claude-sonnet-4-5')).toEqual(
      dialects.messages.target('claude-sonnet-4-5').thinking,
    );
  });
});

describe('backends of the command line', () => {
  const served = (backends: readonly string[], environment = {}) => configOf(undefined, environment, { backends });

  test('a name alone', () => {
    const { backends, models } = served(['ollama']);
    expect(backends.ollama).toMatchObject({ dialect: 'messages', baseUrl: 'http://localhost:11434' });
    expect(models).toEqual({ '*': [{ backend: 'ollama' }] });
  });

  test('a name with an address, and a dialect with one', () => {
    expect(served(['vllm=http://gpu:8000/v1?a=b=c']).backends.vllm).toMatchObject({
      baseUrl: 'http://gpu:8000',
      query: 'a=b=c',
      preset: { name: 'vllm', by: 'name' },
    });
    const { responses } = served(['responses=http://127.0.0.1:9'], { INTERLINGUA_BACKEND_KEY: 'k-1' }).backends;
    expect(responses).toMatchObject({ dialect: 'responses', apiKey: 'k-1', state: 'none' });
  });

  test('the key is that of the program, else that of the vendor', () => {
    const keyOf = (environment: object) => served(['groq'], environment).backends.groq?.apiKey;
    expect(keyOf({ INTERLINGUA_BACKEND_KEY: 'k-own', GROQ_API_KEY: 'k-vendor' })).toBe('k-own');
    expect(keyOf({ GROQ_API_KEY: 'k-vendor' })).toBe('k-vendor');
    expect(served(['ollama'], { INTERLINGUA_BACKEND_KEY: 'k-own' }).backends.ollama?.apiKey).toBe('k-own');
  });

  test('several are told apart, and no key is shown to another host', () => {
    const { backends, models } = served(['ollama', 'groq', 'anthropic'], {
      INTERLINGUA_BACKEND_KEY: 'k-own',
      GROQ_API_KEY: 'k-groq',
      ANTHROPIC_API_KEY: 'k-anthropic',
    });
    expect(Object.values(backends).map(({ apiKey }) => apiKey)).toEqual([undefined, 'k-groq', 'k-anthropic']);
    expect(models).toEqual({
      'ollama/*': [{ backend: 'ollama', model: '*' }],
      'groq/*': [{ backend: 'groq', model: '*' }],
      'anthropic/*': [{ backend: 'anthropic', model: '*' }],
      'claude-*': [{ backend: 'anthropic' }],
      '*': [{ backend: 'ollama' }],
    });
  });

  test.each([
    [['groq'], '--backend groq: needs a key: set INTERLINGUA_BACKEND_KEY or GROQ_API_KEY'],
    [['ollama', 'groq'], '--backend groq: needs a key: set GROQ_API_KEY'],
    [['olama'], '--backend olama: unknown host or dialect; did you mean ollama?'],
    [['messages'], '--backend messages: needs an address: --backend messages=URL'],
    [['ollama', 'ollama=http://x'], '--backend ollama: is given twice'],
    [['vllm=gpu'], 'backends.vllm.baseUrl: is not a URL; write one such as https://HOST'],
  ])('%j is refused', (flags, expected) => {
    expect(problemsOf(() => served(flags))).toEqual([expected]);
  });
});

describe('what a host lacks', () => {
  const sent = (preset: string, model: string, body: object) => {
    const [target] = createTargets(parseConfig({ backends: { a: { preset, dialect: 'messages' } } })).resolve(model);
    return translateRequest({ from: 'responses', to: 'messages', body, model, profile: target?.profile });
  };
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const asked = {
    model: 'any',
    input: 'q',
    text: { format: { type: 'json_schema', name: 'response', schema } },
    tools: [{ type: 'web_search' }],
  };

  test.each(['qwen3:32b', 'claude-sonnet-4-5'])('it is not sent by requests of other dialects: %s', (model) => {
    const { body, losses } = sent('ollama', model, asked);
    expect(body).not.toHaveProperty('output_config');
    expect(JSON.stringify(body)).not.toContain('web_search');
    const told = losses.map(({ path, feature, kind }) => `${path} ${feature} ${kind}`);
    expect(told).toContain('/text/format output.schema approximated');
    expect(told).toContain('/tools/0 tool.hosted dropped');
  });

  test('and what it has is', () => {
    const { body } = sent('vllm', 'qwen3:32b', asked);
    expect(body).toHaveProperty('output_config.format.schema', schema);
  });
});
