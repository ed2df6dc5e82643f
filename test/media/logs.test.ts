import fs from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { json, type Recorder, send, startGateway, startRecorder, type Tree } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { filePart, formHeaders, formOf, type SentPart } from './form.js';

const KEY = 'a-gateway-key-canary';
const UPSTREAM_KEY = 'an-upstream-key-canary';
const PROMPT = 'prompt-canary-77a1';
const FILE_NAME = 'name-canary-9c.png';
const TOKEN = 'signature-canary-5d2e';
const UPLOADED = png({ width: 9, height: 9 });
const MADE = png({ width: 11, height: 11 });
const AUTH = { authorization: `Bearer ${KEY}` };

let backend: Recorder;
let log = '';
/** Every answer that a client got. */
let told = '';
let kept = '';
let count = 0;

const lines = (): Tree[] =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  jest.spyOn(fs, 'writeSync').mockImplementation((_fd, text) => {
    log += String(text);
    return Buffer.byteLength(String(text));
  });
  backend = await startRecorder();
  const gateway = await startGateway({
    backends: {
      any: { dialect: 'responses', baseUrl: backend.url, apiKey: UPSTREAM_KEY, retries: 0 },
      gem: { dialect: 'generateContent', baseUrl: backend.url, apiKey: UPSTREAM_KEY, retries: 0 },
      dead: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9', apiKey: UPSTREAM_KEY, retries: 0 },
    },
    models: { gem: { backend: 'gem' }, dead: { backend: 'dead' }, '*': { backend: 'any' } },
    keys: [{ name: 'tests', key: KEY }],
    limits: { drainSeconds: 1 },
    log: { level: 'trace' },
  });
  const ask = async (path: string, body: unknown, headers: Record<string, string> = AUTH): Promise<Tree> => {
    count += 1;
    const answer = await send(gateway.url, path, { body, headers });
    told += answer.text;
    return answer.body;
  };
  const form = (parts: readonly SentPart[]): Promise<Tree> => {
    const body = formOf(parts);
    return ask('/v1/images/edits', body, { ...AUTH, ...formHeaders(body) });
  };
  const generate = (more: object = {}): Promise<Tree> =>
    ask('/v1/images/generations', { model: 'img-multi', prompt: PROMPT, ...more });
  const parts = [
    filePart('image', UPLOADED, FILE_NAME),
    { name: 'prompt', value: PROMPT },
    { name: 'model', value: 'img-multi' },
  ];

  backend.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: MADE.toString('base64') }] });
  kept = new URL((await generate({ response_format: 'url' })).data[0].url).pathname.slice('/media/'.length);
  await send(gateway.url, `/media/${kept}`);
  await form(parts);
  await form([...parts, { name: 'n', value: PROMPT }]);
  await form([filePart('image', Buffer.from(PROMPT), FILE_NAME), ...parts.slice(1)]);
  await ask('/v1/images/edits', formOf(parts).subarray(0, 300), { ...AUTH, ...formHeaders(Buffer.alloc(300)) });
  await generate({ model: 'dead' });
  await ask('/v1/images/edits', {
    model: 'gem',
    prompt: PROMPT,
    images: [{ image_url: `http://127.0.0.1:9/x.png?sig=${TOKEN}` }],
  });
  backend.reply = (response) =>
    json(response, 200, { created: 1, data: [{ url: `http://127.0.0.1:9/?sig=${TOKEN}` }] });
  await generate({ response_format: 'b64_json' });
  backend.reply = (response) =>
    json(response, 500, { error: { message: `key ${UPSTREAM_KEY}`, type: 'server_error', param: null, code: null } });
  await generate();
  backend.reply = (response) =>
    json(response, 400, { error: { code: 400, message: `${PROMPT} ${UPSTREAM_KEY}`, status: 'INVALID_ARGUMENT' } });
  await generate({ model: 'gem', n: 3 });
  await gateway.close();
  await backend.close();
}, 120_000);

afterAll(() => {
  jest.restoreAllMocks();
});

test('each image request has one line', () => {
  expect(lines().filter(({ msg }) => msg === 'exchange')).toHaveLength(count);
});

test('nothing of a client, of a picture, of a signed URL or of a key is in the log, nor the name of a kept picture', () => {
  const secrets = [KEY, UPSTREAM_KEY, PROMPT, FILE_NAME, TOKEN, kept];
  const bytes = [UPLOADED, MADE].map((picture) => picture.toString('base64').slice(0, 60));
  expect([...secrets, ...bytes].filter((secret) => log.includes(secret))).toEqual([]);
  expect(lines().filter(({ msg }) => msg === 'unexpected failure')).toEqual([]);
});

test('no key is in what clients are told', () => {
  expect([KEY, UPSTREAM_KEY].filter((secret) => told.includes(secret))).toEqual([]);
});
