import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Recorder, send, startGateway, startRecorder, type TestGateway } from '../support/gateway/harness.js';

const KEY = 'sk-canary-of-the-backend-0123456789';

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: { routes: { dialect: 'responses', baseUrl: recorder.url, apiKey: KEY } },
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
