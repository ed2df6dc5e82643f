import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { formHeaders, formOf } from './form.js';

let backend: Recorder;
/** Stands on this machine: nobody may be brought here. */
let inside: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response) => json(response, 200, WHOLE.generateContent('answered'));
  inside = await startRecorder();
  gateway = await startGateway({
    backends: { gem: { dialect: 'generateContent', baseUrl: backend.url, retries: 0 } },
    media: { families: { 'img-multi': ['gem'], 'img-ctx': ['ctx'] } },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([backend.close(), inside.close()]);
});

/** Ways to write an address inside; PORT is where the recorder listens. */
const URLS = [
  'http://127.0.0.1:PORT/x.png',
  'http://2130706433:PORT/x.png',
  'http://0x7f000001:PORT/x.png',
  'http://0177.0.0.1:PORT/x.png',
  'http://127.1:PORT/x.png',
  'http://0:PORT/x.png',
  'http://localhost:PORT/x.png',
  'http://[::1]:PORT/x.png',
  'http://[::ffff:127.0.0.1]:PORT/x.png',
  'http://[2002:7f00:1::]:PORT/x.png',
  'http://[64:ff9b::7f00:1]:PORT/x.png',
  'http://100.100.100.200/x.png',
  'http://169.254.169.254/latest/meta-data/',
  'http://a:b@127.0.0.1:PORT/x.png',
] as const;

const talk = (content: unknown) => ({
  path: '/v1/messages',
  body: { model: 'gem', max_tokens: 9, messages: [{ role: 'user', content }] },
});
const source = (url: string) => ({ type: 'url', url });
const respond = (content: unknown) => ({
  path: '/v1/responses',
  body: { model: 'gem', input: [{ role: 'user', content }] },
});
const edit = (body: object) => ({ path: '/v1/images/edits', body: { model: 'gem', prompt: 'x', ...body } });
const DATA = {
  image_url: `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x06\0\0\0', 'latin1').toString('base64')}`,
};

/** Every place where a request may name a file by URL that this target takes only inline. */
const PLACES: readonly (readonly [
  string,
  (url: string) => { path: string; body: unknown; headers?: Record<string, string> },
])[] = [
  ['a picture of a message', (url) => talk([{ type: 'image', source: source(url) }])],
  ['a document of a message', (url) => talk([{ type: 'document', source: source(url) }])],
  [
    'a picture in a tool result',
    (url) => ({
      path: '/v1/messages',
      body: {
        model: 'gem',
        max_tokens: 9,
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'image', source: source(url) }] }],
          },
        ],
      },
    }),
  ],
  ['a picture of an input', (url) => respond([{ type: 'input_image', image_url: url }])],
  ['a file of an input', (url) => respond([{ type: 'input_file', file_url: url }])],
  ['a count', (url) => ({ ...talk([{ type: 'image', source: source(url) }]), path: '/v1/messages/count_tokens' })],
  ['a picture to edit', (url) => edit({ images: [{ image_url: url }] })],
  ['the second picture to edit', (url) => edit({ images: [DATA, { image_url: url }] })],
  ['a mask', (url) => edit({ images: [DATA], mask: { image_url: url } })],
  [
    'an input image',
    (url) => ({ path: '/v1/images/generations', body: { model: 'ctx', prompt: 'x', input_image: url } }),
  ],
  [
    'a text of a form',
    (url) => {
      const body = formOf([
        { name: 'image', value: url },
        { name: 'prompt', value: 'x' },
        { name: 'model', value: 'gem' },
      ]);
      return { path: '/v1/images/edits', body, headers: formHeaders(body) };
    },
  ],
];

describe('an address inside', () => {
  test.each(PLACES)('is reached by nothing that stands in %s', async (_place, request) => {
    const port = new URL(inside.url).port;
    for (const template of URLS) {
      const url = template.replace('PORT', port);
      const { path, body, headers } = request(url);
      const answer = await send(gateway.url, path, { body, ...(headers !== undefined && { headers }) });
      expect([url, answer.status, answer.text]).toEqual([url, 400, expect.stringContaining('error')]);
      // Nothing tells what is there.
      expect(answer.text).not.toMatch(/ECONN|refused|ENOTFOUND|127\.0\.0\.1/);
    }
    expect(inside.seen).toHaveLength(0);
    expect(backend.seen).toHaveLength(0);
  });
});
