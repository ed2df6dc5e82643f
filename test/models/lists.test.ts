import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectChatCompletions,
  connectGenerateContent,
  connectMessages,
  connectResponses,
} from '../support/clients.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

const TEAM = 'key-of-the-team-0123456789';
const ALL = 'key-of-everybody-0123456789';

let wide: Recorder;
let narrow: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  wide = await startRecorder();
  narrow = await startRecorder();
  const entries = (window: number) =>
    ['m', 'n', 'claude-like'].map((id) => ({
      id,
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'x',
      max_model_len: window,
    }));
  wide.reply = (response) => json(response, 200, { object: 'list', data: entries(200_000) });
  narrow.reply = (response) => json(response, 200, { object: 'list', data: entries(32_768) });
  gateway = await startGateway({
    backends: {
      wide: { dialect: 'chatCompletions', baseUrl: wide.url },
      narrow: { dialect: 'responses', baseUrl: narrow.url },
      silent: { simulator: true, dialect: 'messages' },
    },
    models: {
      'claude-fast': { backend: 'wide', model: 'm', maxOutput: 8192, title: 'Fast for Claude Code' },
      both: [
        { backend: 'wide', model: 'm', maxOutput: 9000, weight: 2 },
        { backend: 'narrow', model: 'm', maxOutput: 8000, weight: 1 },
      ],
      fallback: [
        { backend: 'wide', model: 'm', contextWindow: 100, maxOutput: 10 },
        { backend: 'narrow', model: 'unlisted' },
      ],
      'n*': { backend: 'narrow', maxOutput: 4000 },
    },
    keys: [
      { name: 'all', key: ALL },
      { name: 'team', key: TEAM, models: ['both', 'n*'] },
    ],
  });
});

afterAll(async () => {
  await gateway.close();
  await wide.close();
  await narrow.close();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('each official client reads the limits where it looks for them', () => {
  test('messages, as the picker of Claude Code asks', async () => {
    const { models } = connectMessages(gateway.url, { apiKey: ALL });
    const { data, has_more } = await models.list({ limit: 1000 });
    expect(has_more).toBe(false);
    expect(data.map((one) => [one.type, one.id, one.display_name, one.max_input_tokens, one.max_tokens])).toEqual([
      ['model', 'claude-fast', 'Fast for Claude Code', 200_000, 8192],
      ['model', 'both', 'both', 32_768, 8000],
      ['model', 'fallback', 'fallback', null, null],
      ['model', 'n', 'n', 32_768, 4000],
    ]);
    expect(await models.retrieve('both')).toEqual(data[1]);
    expect(await models.retrieve('n')).toEqual(data[3]);
  });

  test.each([
    ['responses', connectResponses],
    ['chatCompletions', connectChatCompletions],
  ])('%s', async (_dialect, connect) => {
    const { models } = connect(gateway.url, { apiKey: ALL });
    const { data } = await models.list();
    expect(data).toEqual([
      {
        id: 'claude-fast',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'wide',
        context_length: 200_000,
        max_model_len: 200_000,
        max_output_tokens: 8192,
      },
      {
        id: 'both',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'wide',
        context_length: 32_768,
        max_model_len: 32_768,
        max_output_tokens: 8000,
      },
      { id: 'fallback', object: 'model', created: 1_700_000_000, owned_by: 'wide' },
      {
        id: 'n',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'narrow',
        context_length: 32_768,
        max_model_len: 32_768,
        max_output_tokens: 4000,
      },
    ]);
    expect(await models.retrieve('claude-fast')).toEqual(data[0]);
  });

  test('generateContent', async () => {
    const { models } = connectGenerateContent(gateway.url, { apiKey: ALL });
    const found = await collect(await models.list({ config: { pageSize: 2 } }));
    expect(found.map((one) => [one.name, one.displayName, one.inputTokenLimit, one.outputTokenLimit])).toEqual([
      ['models/claude-fast', 'Fast for Claude Code', 200_000, 8192],
      ['models/both', 'both', 32_768, 8000],
      ['models/fallback', 'fallback', undefined, undefined],
      ['models/n', 'n', 32_768, 4000],
    ]);
    expect(await models.get({ model: 'both' })).toMatchObject({ inputTokenLimit: 32_768, outputTokenLimit: 8000 });
  });

  test('a name that no list has leads to a model, with what the file says of it', async () => {
    const { models } = connectMessages(gateway.url, { apiKey: ALL });
    narrow.reply = listOf404;
    expect(await models.retrieve('n').then(({ max_tokens }) => max_tokens)).toBe(4000);
  });
});

function listOf404(response: ServerResponse): void {
  json(response, 404, { error: { message: 'no', type: 'not_found_error' } });
}

test('a key is shown the models that it may call, and no others', async () => {
  const names = async (apiKey: string) =>
    (await connectMessages(gateway.url, { apiKey }).models.list()).data.map(({ id }) => id);
  expect(await names(TEAM)).toEqual(['both', 'n']);
  await expect(connectMessages(gateway.url, { apiKey: TEAM }).models.retrieve('claude-fast')).rejects.toMatchObject({
    status: 404,
  });
});

describe('a backend that does not answer', () => {
  let waiting: ServerResponse[];
  let slow: Recorder;
  let other: TestGateway;

  beforeAll(async () => {
    waiting = [];
    slow = await startRecorder();
    slow.reply = (response) => void waiting.push(response);
    wide.reply = (response) =>
      json(response, 200, { object: 'list', data: [{ id: 'm', object: 'model', max_model_len: 77 }] });
    other = await startGateway({
      backends: {
        slow: { dialect: 'chatCompletions', baseUrl: slow.url, domain: 's' },
        wide: { dialect: 'chatCompletions', baseUrl: wide.url },
      },
      models: {
        quick: { backend: 'wide', model: 'm' },
        late: { backend: 'slow', model: 'l', maxOutput: 5 },
        's-*': { backend: 'slow', model: '*' },
      },
    });
  });

  afterAll(async () => {
    await other.close();
    await slow.close();
  });

  test('delays no list: what is known is shown, and the rest when it is there', async () => {
    const client = connectMessages(other.url);
    const shown = async () =>
      (await client.models.list()).data.map(({ id, max_input_tokens, max_tokens }) => [
        id,
        max_input_tokens,
        max_tokens,
      ]);
    expect(await shown()).toEqual([
      ['quick', 77, null],
      ['late', null, 5],
    ]);
    expect(waiting).toHaveLength(1);
    // Who asks for one model is not kept waiting either, and asks nothing anew.
    expect(await client.models.retrieve('s-l')).toMatchObject({ id: 's-l', max_input_tokens: null });
    expect(waiting).toHaveLength(1);
    for (const response of waiting.splice(0))
      json(response, 200, { object: 'list', data: [{ id: 'l', object: 'model', context_window: 99 }] });
    await send(other.url, '/v1/models');
    expect(await shown()).toEqual([
      ['quick', 77, null],
      ['late', 99, 5],
      ['s-l', 99, null],
    ]);
    expect(await client.models.retrieve('s-l')).toMatchObject({ id: 's-l', max_input_tokens: 99 });
  });
});

test('a host whose list fails again and again is asked for answers all the same', async () => {
  const host = await startRecorder();
  host.reply = (response, { path }) => {
    if (path.endsWith('/models')) json(response, 503, { error: { message: 'no list here', type: 'server_error' } });
    else json(response, 200, WHOLE.chatCompletions('hello'));
  };
  const config = {
    backends: {
      host: { dialect: 'chatCompletions' as const, baseUrl: host.url, breaker: { failures: 1, seconds: 600 } },
    },
    models: { m: { backend: 'host' } },
  };
  const gate = await startGateway(config);
  try {
    expect((await connectMessages(gate.url).models.list()).data.map(({ id }) => id)).toEqual(['m']);
    const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };
    const { choices } = await connectChatCompletions(gate.url).chat.completions.create(ask);
    expect(choices).toHaveLength(1);
  } finally {
    await gate.close();
    await host.close();
  }
});
