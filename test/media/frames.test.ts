import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INTERIM, MADE } from '../support/fake-backend/media/routes.js';
import { ITEM, responseOf, toolStream } from '../support/fake-backend/media/tool.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

const KEY = 'sk-canary-of-the-backend-0123456789';
/** One that base64 may be. */
const PLAIN_KEY = 'canaryOfTheOtherBackend0123456789012';

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: {
      routes: { dialect: 'responses', baseUrl: recorder.url, apiKey: KEY },
      tool: { dialect: 'responses', baseUrl: recorder.url, apiKey: KEY, images: 'responses', retries: 0 },
      plain: { dialect: 'responses', baseUrl: recorder.url, apiKey: PLAIN_KEY, retries: 0 },
    },
    models: {
      'gpt-image-1': { backend: 'routes' },
      'img-tool': { backend: 'tool', model: 'gpt-text' },
      'img-plain': { backend: 'plain', model: 'gpt-image-1' },
    },
    media: { families: { 'img-multi': ['img-tool', 'img-plain'] } },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

test.each([1, 7, 4096])('an error among relayed frames loses the key that it quotes, in pieces of %d', async (size) => {
  const partial = { type: 'image_generation.partial_image', b64_json: 'QUJD', partial_image_index: 0 };
  const error = { type: 'error', error: { code: 'x', message: `wrong key ${KEY} at ${new URL(recorder.url).host}` } };
  const frames = [partial, error].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  recorder.reply = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = frames.join('');
    for (let at = 0; at < text.length; at += size) {
      response.write(text.slice(at, at + size));
      await new Promise(setImmediate);
    }
    response.end();
  };
  const body = { model: 'gpt-image-1', prompt: 'x', stream: true, partial_images: 1 };
  const { text, status } = await send(gateway.url, '/v1/images/generations', { body });
  expect(status).toBe(200);
  expect(text.startsWith(frames[0] ?? '')).toBe(true);
  expect(text).toContain('"message":"wrong key');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain(new URL(recorder.url).host);
});

describe('frames that the gateway writes hold no key either', () => {
  const ask = (model: string, more: object = {}) =>
    send(gateway.url, '/v1/images/generations', { body: { model, prompt: 'x', stream: true, ...more } });
  const partial = { type: 'response.image_generation_call.partial_image', partial_image_index: 0 };
  const tells = { ...partial, partial_image_b64: INTERIM, size: `1024x1024 ${KEY}` };
  const fine = { ...partial, partial_image_b64: INTERIM };

  /** Streams of the image tool, one for each call. */
  const answerWith = (...streams: readonly string[]): void => {
    let calls = 0;
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streams[calls]);
      calls += 1;
    };
  };

  test('in the first one: a status', async () => {
    answerWith(toolStream([tells]));
    const { status, text } = await ask('img-tool', { partial_images: 1 });
    expect([status, text.includes(KEY)]).toEqual([502, false]);
    expect(text).toContain('a secret of the gateway');
  });

  test.each([
    ['an interim one', toolStream([fine, tells])],
    ['the finished one', toolStream([fine], responseOf([{ ...ITEM, quality: KEY }]))],
    ['the picture itself', toolStream([fine, { ...partial, partial_image_b64: `QUJD${KEY}` }])],
  ])('in %s: an error in its place, and nothing after it', async (_where, stream) => {
    answerWith(stream);
    const { text } = await ask('img-tool', { partial_images: 2 });
    expect(text).not.toContain(KEY);
    expect(text.match(/^event: .*$/gm)).toEqual(['event: image_generation.partial_image', 'event: error']);
    expect(text).toContain('a secret of the gateway');
  });

  test('in one of two pictures: the other arrives', async () => {
    answerWith(toolStream([tells]), toolStream([]));
    const { text } = await ask('img-tool', { n: 2 });
    expect([text.includes(KEY), text.includes(MADE)]).toEqual([false, true]);
    expect(text.match(/^event: .*$/gm)).toEqual(['event: image_generation.completed']);
  });

  test('made of a whole answer: a status', async () => {
    recorder.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: PLAIN_KEY }] });
    const { status, text } = await ask('img-plain');
    expect([status, text.includes(PLAIN_KEY)]).toEqual([502, false]);
  });
});
