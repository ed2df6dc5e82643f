import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { createDiscovery } from '../../src/models/discovery.js';
import { startWatched, until, type WatchedGateway } from '../backend/stage.js';
import { connectChatCompletions, connectMessages } from '../support/clients.js';
import { json, type Recorder, startGateway, startRecorder, type TestGateway } from '../support/gateway/harness.js';

/** A host of models: what it answers by method and path; a function sees the body. */
type Answers = Readonly<Record<string, unknown | ((body: string) => unknown)>>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const one of open.splice(0).reverse()) await one.close();
});

async function startHost(answers: Answers): Promise<Recorder> {
  const host = await startRecorder();
  host.reply = (response, { method, path, body }) => {
    const answer = answers[`${method} ${path}`] ?? answers[`${method} ${path.replace(/\?.*/, '')}`];
    if (answer === undefined) json(response, 404, { error: { message: 'no such route', type: 'not_found_error' } });
    else json(response, 200, typeof answer === 'function' ? answer(body) : answer);
  };
  open.push(host);
  return host;
}

type BackendInput = ConfigInput['backends'][string];

async function gatewayTo(host: Recorder, backend: Partial<BackendInput>, models?: ConfigInput['models']) {
  const gateway = await startGateway({
    backends: { host: { dialect: 'chatCompletions', baseUrl: host.url, ...backend } as BackendInput },
    ...(models !== undefined && { models }),
  });
  open.push(gateway);
  return gateway;
}

/** By id, the window and the output of each model that a client is shown. */
async function shown({ url }: TestGateway): Promise<Record<string, readonly (number | null)[]>> {
  const { data } = await connectMessages(url).models.list({ limit: 1000 });
  return Object.fromEntries(data.map((model) => [model.id, [model.max_input_tokens, model.max_tokens]]));
}

/** An entry of a list as most servers have it. */
const entry = (id: string, more: object = {}) => ({
  id,
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'host',
  ...more,
});
const listOf = (...data: object[]) => ({ object: 'list', data });

describe('the window of a model is what its host tells', () => {
  test('in its list: vLLM, SGLang, LiteLLM, Groq, Moonshot, Mistral, OpenRouter', async () => {
    const host = await startHost({
      'GET /v1/models': listOf(
        entry('vllm', { max_model_len: 40_960, root: 'Qwen/Qwen3', parent: null, permission: [] }),
        entry('litellm', { max_input_tokens: 200_000, max_output_tokens: 64_000 }),
        entry('groq', { active: true, context_window: 131_072, max_completion_tokens: 32_768 }),
        entry('moonshot', { context_length: 262_144, supports_image_in: false }),
        entry('mistral', { max_context_length: 32_768, capabilities: {} }),
        entry('openrouter', {
          name: 'Vendor: Model',
          context_length: 400_000,
          top_provider: { context_length: 128_000, max_completion_tokens: 16_384, is_moderated: false },
        }),
        entry('openrouter-open', {
          context_length: 8192,
          top_provider: { context_length: null, max_completion_tokens: null },
        }),
        entry('openai'),
      ),
    });
    expect(await shown(await gatewayTo(host, {}))).toEqual({
      vllm: [40_960, null],
      litellm: [200_000, 64_000],
      groq: [131_072, 32_768],
      moonshot: [262_144, null],
      mistral: [32_768, null],
      openrouter: [128_000, 16_384],
      'openrouter-open': [8192, null],
      openai: [null, null],
    });
  });

  test('in a list without an object around it (Together)', async () => {
    const host = await startHost({
      'GET /v1/models': [{ id: 'Qwen/Qwen3', object: 'model', display_name: 'Qwen 3', context_length: 40_960 }],
    });
    const gateway = await gatewayTo(host, {});
    const { data } = await connectMessages(gateway.url).models.list();
    expect(data).toMatchObject([{ id: 'Qwen/Qwen3', display_name: 'Qwen 3', max_input_tokens: 40_960 }]);
  });

  test('in pages: anthropic, gemini', async () => {
    const anthropic = await startHost({
      'GET /v1/models': {
        data: [
          {
            type: 'model',
            id: 'a',
            display_name: 'A',
            created_at: '2026-01-01T00:00:00Z',
            max_input_tokens: 1_000_000,
            max_tokens: 128_000,
          },
        ],
        has_more: true,
        first_id: 'a',
        last_id: 'a',
      },
      'GET /v1/models?limit=1000&after_id=a': {
        data: [
          {
            type: 'model',
            id: 'b',
            display_name: 'B',
            created_at: '2026-01-01T00:00:00Z',
            max_input_tokens: null,
            max_tokens: 4096,
          },
        ],
        has_more: false,
        first_id: 'b',
        last_id: 'b',
      },
    });
    expect(await shown(await gatewayTo(anthropic, { dialect: 'messages' }))).toEqual({
      a: [1_000_000, 128_000],
      b: [null, 4096],
    });
    const gemini = await startHost({
      'GET /v1beta/models': { models: [{ name: 'models/g', inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 }] },
    });
    expect(await shown(await gatewayTo(gemini, { dialect: 'generateContent' }))).toEqual({ g: [1_048_576, 65_536] });
  });

  test.each(['chatCompletions', 'messages', 'responses'] as const)(
    'llama.cpp: the slot of /props and not what the model was trained with, over %s, whatever the model is called',
    async (dialect) => {
      const host = await startHost({
        'GET /v1/models': listOf(
          entry('/models/qwen3.gguf', { meta: { n_ctx_train: 40_960, n_params: 8_190_735_360 } }),
        ),
        'GET /props': {
          default_generation_settings: { n_ctx: 8192, params: {} },
          total_slots: 4,
          model_path: '/models/qwen3.gguf',
        },
      });
      const gateway = await gatewayTo(
        host,
        { dialect, preset: 'llamacpp' },
        { coder: { backend: 'host', model: 'any' }, '*': { backend: 'host' } },
      );
      expect(await shown(gateway)).toEqual({ coder: [8192, null], '/models/qwen3.gguf': [8192, null] });
    },
  );

  test('llama.cpp that tells no running window: the trained one', async () => {
    const host = await startHost({ 'GET /v1/models': listOf(entry('m', { meta: { n_ctx_train: 40_960 } })) });
    expect(await shown(await gatewayTo(host, { preset: 'llamacpp' }))).toEqual({ m: [40_960, null] });
  });

  test('Ollama: the running window of /api/ps, then what the model is set to, then what it was trained with', async () => {
    const show: Record<string, object> = {
      'qwen3:8b': {
        parameters: 'stop "<|im_end|>"\nnum_ctx                        16384',
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
      },
      'gemma3:latest': { model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': 131_072 } },
      'broken:latest': {},
    };
    const host = await startHost({
      'GET /v1/models': listOf(entry('llama3.2:latest'), ...Object.keys(show).map((id) => entry(id))),
      'GET /api/ps': { models: [{ name: 'llama3.2:latest', model: 'llama3.2:latest', size: 1, context_length: 4096 }] },
      'POST /api/show': (body: string) => show[JSON.parse(body).model],
    });
    const gateway = await gatewayTo(
      host,
      { preset: 'ollama' },
      { small: { backend: 'host', model: 'llama3.2' }, '*': { backend: 'host' } },
    );
    expect(await shown(gateway)).toEqual({
      small: [4096, null],
      'llama3.2:latest': [4096, null],
      'qwen3:8b': [16_384, null],
      'gemma3:latest': [131_072, null],
      'broken:latest': [null, null],
    });
    expect(host.seen.filter(({ path }) => path === '/api/show').map(({ body }) => JSON.parse(body).model)).toEqual(
      Object.keys(show),
    );
  });

  test('LM Studio: what is loaded, else the most that the model can have', async () => {
    const host = await startHost({
      'GET /v1/models': listOf(entry('qwen'), entry('gemma')),
      'GET /api/v0/models': {
        data: [
          { id: 'qwen', state: 'loaded', max_context_length: 32_768, loaded_context_length: 4096 },
          { id: 'gemma', state: 'not-loaded', max_context_length: 8192 },
        ],
        object: 'list',
      },
    });
    expect(await shown(await gatewayTo(host, { preset: 'lmstudio' }))).toEqual({
      qwen: [4096, null],
      gemma: [8192, null],
    });
  });

  test('once for all who ask, with the list and never with a request', async () => {
    const host = await startHost({
      'GET /v1/models': listOf(entry('m')),
      'GET /props': { default_generation_settings: { n_ctx: 8192 } },
      'POST /v1/chat/completions': {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      },
    });
    const gateway = await gatewayTo(host, { preset: 'llamacpp' });
    const client = connectChatCompletions(gateway.url);
    const ask = () => client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hello' }] });
    await ask();
    expect(host.seen.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
    await Promise.all([shown(gateway), shown(gateway), client.models.retrieve('m')]);
    await ask();
    expect(host.seen.map(({ path }) => path).sort()).toEqual([
      '/props',
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/models',
    ]);
  });
});

describe('a host that tells what cannot be', () => {
  const LIES = [0, -1, 1.5, 1e300, 10_000_000_000, '40960', null, {}, [40_960], true];

  test('tells nothing, and the rest of its list counts', async () => {
    const chat = await startHost({
      'GET /v1/models': listOf(
        ...LIES.map((lie, at) =>
          entry(`m${at}`, { max_model_len: lie, max_output_tokens: lie, top_provider: lie, meta: lie }),
        ),
        entry('true', { max_model_len: 5 }),
      ),
    });
    const nothing = Object.fromEntries(LIES.map((_, at) => [`m${at}`, [null, null]]));
    expect(await shown(await gatewayTo(chat, {}))).toEqual({ ...nothing, true: [5, null] });
    const messages = await startHost({
      'GET /v1/models': {
        data: [
          ...LIES.map((lie, at) => ({ type: 'model', id: `m${at}`, max_input_tokens: lie, max_tokens: lie })),
          { type: 'model', id: 'true', max_input_tokens: 5 },
        ],
        has_more: false,
      },
    });
    expect(await shown(await gatewayTo(messages, { dialect: 'messages' }))).toEqual({ ...nothing, true: [5, null] });
    const gemini = await startHost({
      'GET /v1beta/models': {
        models: [
          ...LIES.map((lie, at) => ({ name: `models/m${at}`, inputTokenLimit: lie, outputTokenLimit: lie })),
          { name: 'models/true', inputTokenLimit: 5 },
        ],
      },
    });
    expect(await shown(await gatewayTo(gemini, { dialect: 'generateContent' }))).toEqual({
      ...nothing,
      true: [5, null],
    });
  });

  test.each(LIES)('also of the running window: %j', async (lie) => {
    const answers = {
      'GET /v1/models': listOf(entry('m')),
      'GET /props': { default_generation_settings: { n_ctx: lie } },
      'GET /api/ps': { models: [{ name: 'm', context_length: lie }] },
      'POST /api/show': { parameters: lie, model_info: { 'general.architecture': lie, 'x.context_length': lie } },
      'GET /api/v0/models': { data: [{ id: 'm', loaded_context_length: lie, max_context_length: lie }] },
    };
    for (const preset of ['llamacpp', 'ollama', 'lmstudio'] as const)
      expect([preset, await shown(await gatewayTo(await startHost(answers), { preset }))]).toEqual([
        preset,
        { m: [null, null] },
      ]);
  });

  test('with 200 and a page of HTML loses its windows alone, or its list, and the exact names stay', async () => {
    const page = '<!doctype html><title>Sign in</title>';
    const host = await startRecorder();
    open.push(host);
    host.reply = (response, { path }) => {
      if (path === '/v1/models') json(response, 200, listOf(entry('m', { meta: { n_ctx_train: 40_960 } })));
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    };
    expect(await shown(await gatewayTo(host, { preset: 'llamacpp' }))).toEqual({ m: [40_960, null] });
    host.reply = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const named = { mine: { backend: 'host', model: 'm', contextWindow: 7 }, '*': { backend: 'host' } };
    expect(await shown(await gatewayTo(host, { preset: 'llamacpp' }, named))).toEqual({ mine: [7, null] });
  });
});

describe('a host that fails for a while', () => {
  /** Sets the clock forward by so many ms. */
  function clock(): (ms: number) => void {
    const now = performance.now.bind(performance);
    let ahead = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    return (ms) => {
      ahead += ms;
    };
  }

  test.each(['503', 'cut'])('keeps the running windows that it told, and is asked again soon: %s', async (failure) => {
    const host = await startRecorder();
    open.push(host);
    let [fails, window] = [false, 8192];
    host.reply = (response, { path }) => {
      if (path === '/v1/models') json(response, 200, listOf(entry('m', { meta: { n_ctx_train: 40_960 } })));
      else if (!fails) json(response, 200, { default_generation_settings: { n_ctx: window } });
      else if (failure === '503') json(response, 503, { error: { code: 503, message: 'Loading model' } });
      else response.socket?.destroy();
    };
    const gateway = await gatewayTo(host, { preset: 'llamacpp' });
    const forward = clock();
    expect(await shown(gateway)).toEqual({ m: [8192, null] });
    [fails, window] = [true, 4096];
    forward(301_000);
    expect(await shown(gateway)).toEqual({ m: [8192, null] });
    fails = false;
    expect(await shown(gateway)).toEqual({ m: [8192, null] });
    forward(16_000);
    expect(await shown(gateway)).toEqual({ m: [4096, null] });
  });

  test('is asked again soon, whatever failed', async () => {
    const get = jest.fn(() => {
      throw new Error('broken');
    });
    const discovery = createDiscovery({ get } as never, { warn: () => {} } as never, () => {});
    const forward = clock();
    for (const calls of [1, 1, 2]) {
      await expect(discovery.listOf('a')).rejects.toThrow('broken');
      expect(get).toHaveBeenCalledTimes(calls);
      if (calls === 1) forward(8000);
    }
  });
});

describe('what the file says', () => {
  test('wins over what the host tells, and a running window that is smaller is warned about once', async () => {
    const host = await startHost({
      'GET /v1/models': listOf(entry('m')),
      'GET /props': { default_generation_settings: { n_ctx: 8192 } },
    });
    const gateway: WatchedGateway = await startWatched({
      backends: { host: { preset: 'llamacpp', dialect: 'chatCompletions', baseUrl: host.url } },
      models: {
        large: { backend: 'host', model: 'm', contextWindow: 32_768, maxOutput: 900, title: 'Large' },
        small: { backend: 'host', model: 'm', contextWindow: 4096 },
      },
    });
    open.push(gateway);
    const list = async () => (await connectMessages(gateway.url).models.list()).data;
    expect(await list()).toMatchObject([
      { id: 'large', display_name: 'Large', max_input_tokens: 32_768, max_tokens: 900 },
      { id: 'small', display_name: 'small', max_input_tokens: 4096, max_tokens: null },
    ]);
    await list();
    const warnings = () => gateway.lines.filter(({ msg }) => /window of the model/.test(msg));
    await until(() => warnings().length > 0, 'the warning');
    expect(warnings()).toMatchObject([{ level: 40, backend: 'host', model: 'm', contextWindow: 32_768, host: 8192 }]);
  });
});
