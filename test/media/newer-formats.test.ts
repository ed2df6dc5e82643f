import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: { images: { dialect: 'responses', baseUrl: recorder.url, retries: 0 } },
    log: { level: 'silent' },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

test.each(['svg', 'gif'])(
  'a format that clients know, and this gateway does not, reaches the backend: %s',
  async (format) => {
    recorder.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: btoa(SVG) }] });
    const body = { model: 'gpt-image-1', prompt: 'x', output_format: format };
    const answer = await send(gateway.url, '/v1/images/generations', { body });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    expect(JSON.parse(recorder.seen.at(-1)?.body ?? '{}')).toMatchObject({ output_format: format });
  },
);

test('what is no picture that is known is kept as a download, and never shown', async () => {
  recorder.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: btoa(SVG) }] });
  const body = { model: 'dall-e-2', prompt: 'x', response_format: 'url' };
  const { body: made } = await send(gateway.url, '/v1/images/generations', { body });
  const url: string = made.data[0].url;
  const { headers } = await send(gateway.url, new URL(url).pathname, { method: 'GET' });
  expect([headers['content-type'], headers['content-disposition']]).toEqual([
    'application/octet-stream',
    expect.stringMatching(/^attachment/),
  ]);
});
