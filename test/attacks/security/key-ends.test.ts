import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';

/** Keys that are words, or end in one: what a backend says is not searched for these words. */

const WORD = 'lm-studio';
/** One character shorter than keys whose ends are looked for. */
const ENDING = 'key-for-8-responses';
const RANDOM = 'sk-8f3c-2b7e-91d4-a6f0-c5';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const of = (apiKey: string) => ({
    dialect: 'responses' as const,
    baseUrl: recorder.url,
    apiKey,
    retries: 0,
    breaker: false as const,
  });
  gateway = await startGateway({
    backends: { word: of(WORD), ending: of(ENDING), random: of(RANDOM) },
    models: { word: { backend: 'word' }, 'sim-responses': { backend: 'ending' }, random: { backend: 'random' } },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

test.each(DIALECTS)('words of an error stay for a client of %s', async (client) => {
  const words = 'Model qwen is not loaded in LM-Studio: see the studio for lm-studi and responses';
  recorder.reply = (response) =>
    json(response, 400, { error: { message: words, type: 'invalid_request_error', param: null, code: null } });
  for (const model of ['word', 'sim-responses']) {
    const { path, body } = ASK[client](model);
    expect(messageOf(client, (await send(gateway.url, path, { body })).body)).toBe(words);
  }
});

test('ends of a long key go, and so does every key that is whole', async () => {
  const words = `keys ${RANDOM.slice(0, 8)}*** and ${RANDOM.slice(-8)}, ${WORD}, ${ENDING}`;
  recorder.reply = (response) =>
    json(response, 400, { error: { message: words, type: 'invalid_request_error', param: null, code: null } });
  const { path, body } = ASK.responses('random');
  expect(messageOf('responses', (await send(gateway.url, path, { body })).body)).toBe(
    'keys [redacted]*** and [redacted], [redacted], [redacted]',
  );
});

test("a video's model and prompt are shown as they are, but for a whole key", async () => {
  recorder.reply = (response, { path }) =>
    json(response, 200, {
      id: 'video_1',
      object: 'video',
      model: 'sim-responses',
      prompt: `all responses of a ${RANDOM.slice(0, 8)} ${path === '/v1/videos' ? '' : RANDOM}`,
      status: 'queued',
      created_at: 1,
      seconds: '8',
      size: '1280x720',
    });
  const made = await send(gateway.url, '/v1/videos', { body: { model: 'sim-responses', prompt: 'p' } });
  expect(made.body).toMatchObject({ model: 'sim-responses', prompt: `all responses of a ${RANDOM.slice(0, 8)} ` });
  const told = await send(gateway.url, `/v1/videos/${made.body.id}`);
  expect(told.body.prompt).toBe(`all responses of a ${RANDOM.slice(0, 8)} [redacted]`);
});
