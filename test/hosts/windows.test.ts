import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

// The window of a model that the list of its server tells: it reaches clients, and bounds what the gateway makes up.

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
});
beforeEach(async () => {
  recorder.reply = (response, { path }) => {
    // As vLLM has it, for all its dialects.
    const tiny = { id: 'tiny', object: 'model', created: 1795546365, owned_by: 'vllm', root: 'm', max_model_len: 4096 };
    if (path.startsWith('/v1/models')) json(response, 200, { object: 'list', data: [tiny] });
    else json(response, 200, WHOLE.messages('Hi'));
  };
  gateway = await startGateway(
    {
      backends: { vllm: { preset: 'vllm', dialect: 'messages', baseUrl: recorder.url } },
      models: { alias: { backend: 'vllm', model: 'tiny' }, '*': { backend: 'vllm' } },
    },
    { largeBytes: 20_000 },
  );
});
afterAll(() => recorder.close());

async function capOf(body: Tree, path = '/v1/chat/completions'): Promise<number> {
  recorder.seen.length = 0;
  expect((await send(gateway.url, path, { body })).status).toBe(200);
  expect(recorder.seen.map((seen) => seen.path)).toEqual(['/v1/messages']);
  return JSON.parse(recorder.seen[0]?.body ?? '').max_tokens;
}

const list = (headers: Record<string, string> = {}) => send(gateway.url, '/v1/models', { method: 'GET', headers });
const hello = (more: object = {}) => ({ model: 'tiny', messages: [{ role: 'user', content: 'Hello' }], ...more });

describe('the window that a list tells', () => {
  test('bounds a cap that is made up, once it is known, and asks nobody for it', async () => {
    try {
      expect(await capOf(hello())).toBe(8192);
      await list();
      expect(await capOf(hello())).toBe(4096);
      expect(await capOf(hello({ model: 'alias' }))).toBe(4096);
      const long = 'word '.repeat(6000);
      expect(await capOf(hello({ messages: [{ role: 'user', content: long }] }))).toBe(4096);
      const lowered = await capOf(hello({ max_tokens: 6000 }));
      expect([lowered > 4000, lowered < 4096]).toEqual([true, true]);
    } finally {
      await gateway.close();
    }
  });

  test('is in the lists of clients, for an alias too', async () => {
    try {
      const { body } = await list();
      expect(body.data).toEqual([
        {
          id: 'alias',
          object: 'model',
          created: 1795546365,
          owned_by: 'vllm',
          context_length: 4096,
          max_model_len: 4096,
        },
        {
          id: 'tiny',
          object: 'model',
          created: 1795546365,
          owned_by: 'vllm',
          context_length: 4096,
          max_model_len: 4096,
        },
      ]);
      const { body: messages } = await list({ 'anthropic-version': '2023-06-01' });
      expect(messages.data.map((model: Tree) => [model.id, model.max_input_tokens, model.created_at])).toEqual([
        ['alias', 4096, '2026-11-24T18:52:45Z'],
        ['tiny', 4096, '2026-11-24T18:52:45Z'],
      ]);
    } finally {
      await gateway.close();
    }
  });
});
