import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type Answer,
  json,
  type Recorder,
  send,
  sendRaw,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { until } from '../support/until.js';
import { BOUNDARY, filePart, formHeaders, formOf, type SentPart } from './form.js';

let backend: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response) =>
    json(response, 200, { created: 1, data: [{ url: 'https://x.example/1', b64_json: 'AAAA' }] });
  gateway = await startGateway({
    backends: { any: { dialect: 'responses', baseUrl: backend.url, retries: 0 } },
    keys: [{ name: 'tests', key: 'a-key-of-the-tests' }],
    limits: { drainSeconds: 1, uploadMb: 32 },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});
beforeEach(() => {
  backend.seen.length = 0;
});

const PATH = '/v1/images/edits';
const KEY = { authorization: 'Bearer a-key-of-the-tests' };
const PICTURE = filePart('image', png({ width: 8, height: 8 }), 'a.png', 'image/png');
const PROMPT = { name: 'prompt', value: 'a hat' };
const MODEL = { name: 'model', value: 'img-multi' };

function upload(parts: readonly SentPart[]): Promise<Answer> {
  const body = formOf(parts);
  return send(gateway.url, PATH, { body, headers: { ...KEY, ...formHeaders(body) } });
}

describe('a part of a form', () => {
  test.each<[string, readonly SentPart[], string, string]>([
    [
      'in a charset that nobody knows',
      [PICTURE, { ...PROMPT, type: 'text/plain; charset=bogus' }],
      'prompt',
      'invalid_value',
    ],
    [
      'as a picture in a charset that nobody knows',
      [{ name: 'image', value: 'x', type: 'text/plain; charset=bogus' }, PROMPT],
      'image',
      'invalid_value',
    ],
    [
      'that is not UTF-8',
      [PICTURE, { name: 'prompt', value: Buffer.from('f\xfcr', 'latin1') }],
      'prompt',
      'invalid_value',
    ],
    [
      'in base64, as in mail',
      [PICTURE, { ...PROMPT, type: 'text/plain\r\nContent-Transfer-Encoding: base64' }],
      'prompt',
      'invalid_value',
    ],
    [
      'whose file is in base64, as in mail',
      [{ ...PICTURE, type: 'image/png\r\nContent-Transfer-Encoding: base64' }, PROMPT],
      'image',
      'invalid_value',
    ],
    ['that is a model in a file', [PICTURE, PROMPT, filePart('model', Buffer.from('x'))], 'model', 'invalid_type'],
    ['that is a prompt in a file', [PICTURE, filePart('prompt', Buffer.from('x'))], 'prompt', 'invalid_type'],
    ['twice', [PICTURE, PROMPT, PROMPT], 'prompt', 'duplicate_parameter'],
    [
      'with a second mask',
      [PICTURE, PROMPT, { ...PICTURE, name: 'mask' }, { ...PICTURE, name: 'mask' }],
      'mask',
      'duplicate_parameter',
    ],
    ['with a fraction', [PICTURE, PROMPT, { name: 'n', value: '1.0' }], 'n', 'invalid_type'],
    ['with a power', [PICTURE, PROMPT, { name: 'n', value: '1e1' }], 'n', 'invalid_type'],
    ['with a space', [PICTURE, PROMPT, { name: 'n', value: ' 1' }], 'n', 'invalid_type'],
    ['with a truth that is none', [PICTURE, PROMPT, { name: 'stream', value: '1' }], 'stream', 'invalid_type'],
    ['with an empty file', [{ ...PICTURE, value: '' }, PROMPT], 'image', 'empty_image_file'],
    [
      'with a blank input of a browser',
      [filePart('image', Buffer.alloc(0), ''), PROMPT],
      'image',
      'missing_required_parameter',
    ],
    [
      'with the word null as picture',
      [{ name: 'image', value: 'null' }, PROMPT],
      'image',
      'missing_required_parameter',
    ],
    [
      'with an address inside in a field that nobody here knows',
      [PICTURE, PROMPT, { name: 'webhook_url', value: 'http://169.254.169.254/x' }],
      'webhook_url',
      'invalid_image_url',
    ],
  ])('%s is refused by name', async (_name, parts, param, code) => {
    const answer = await upload(parts);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { message: expect.stringMatching(/./), type: 'invalid_request_error', param, code },
    ]);
    expect(backend.seen).toHaveLength(0);
  });

  test('that says null or nothing counts as absent', async () => {
    const empty = ['mask', 'n', 'size', 'stream'].map((name) => ({ name, value: 'null' }));
    const answer = await upload([PICTURE, PROMPT, MODEL, ...empty, { name: 'quality', value: '' }]);
    expect(answer.status).toBe(200);
    expect(backend.seen[0]?.body).not.toContain('name="mask"');
  });

  test('has a name that ends neither its line nor its quotes', async () => {
    const name = "a%22; filename*=utf-8''x%0D%0AX-Evil: 1";
    const disposition = `form-data; name*=utf-8''odd%0D%0AX-Evil:%201; filename*=utf-8''b%0D%0AX-Evil:%201%22.bin`;
    const odd = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n` +
        `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: a/b\r\n\r\nx\r\n`,
    );
    const body = Buffer.concat([odd, formOf([PICTURE, PROMPT, MODEL])]);
    const answer = await send(gateway.url, PATH, { body, headers: { ...KEY, ...formHeaders(body) } });
    // Whether such names are taken is the parser's affair; what goes on has no line of theirs.
    expect([200, 400]).toContain(answer.status);
    for (const { body: sent } of backend.seen) expect(sent).not.toMatch(/^X-Evil/im);
  });
});

/** Sends exact bytes and gives all that is answered. */
function sendBytes(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

/** A form in chunks of one byte each. */
function inSingleBytes(body: Buffer): Buffer {
  const chunked = Buffer.alloc(body.length * 6, '1\r\nx\r\n');
  for (const [index, byte] of body.entries()) chunked[index * 6 + 3] = byte;
  return Buffer.concat([chunked, Buffer.from('0\r\n\r\n')]);
}

describe('a client that sends single bytes', () => {
  const HEAD = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${KEY.authorization}\r\nconnection: close\r\ntransfer-encoding: chunked\r\n`;

  test.each([
    ['a form', `content-type: ${formHeaders(FORM())['content-type']}\r\n\r\n`, () => FORM(60_000)],
    [
      'JSON',
      'content-type: application/json\r\n\r\n',
      () => Buffer.from(JSON.stringify({ prompt: 'x', odd: 'o'.repeat(60_000) })),
    ],
  ])('cannot fill the memory: %s', async (_name, type, body) => {
    const bytes = inSingleBytes(body());
    // Every piece is an object of some hundred bytes: how many are ever held shows where they are joined.
    const concat = jest.spyOn(Buffer, 'concat');
    const text = await sendBytes(Buffer.concat([Buffer.from(HEAD + type), bytes]));
    const most = Math.max(...concat.mock.calls.map(([list]) => list.length));
    concat.mockRestore();
    expect(text).toMatch(/^HTTP\/1\.1 [24]00 /);
    expect(most).toBeLessThanOrEqual(8 * 1024);
  });
});

function FORM(bytes = 100): Buffer {
  return formOf([filePart('image', png({ width: 8, height: 8, bytes }), 'a.png', 'image/png'), PROMPT, MODEL]);
}

describe('a client that waits to be asked for its body', () => {
  const form = FORM(20_000);
  const head = (more: string, length = form.length): string =>
    `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\n${more}expect: 100-continue\r\n` +
    `content-type: ${formHeaders(form)['content-type']}\r\ncontent-length: ${length}\r\n\r\n`;
  const key = `authorization: ${KEY.authorization}\r\n`;

  test('is asked', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(head(`${key}connection: close\r\n`));
    await until(() => text.includes('\r\n\r\n'));
    expect(text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(form);
    await until(() => text.includes('200 OK'));
    socket.destroy();
    expect(backend.seen).toHaveLength(1);
  });

  test.each([
    ['no key', '', 401, undefined],
    ['too much', key, 413, 33 * 1024 * 1024],
  ])('is told before it sends anything, and nothing follows: %s', async (_name, more, status, length) => {
    const text = await sendRaw(gateway.port, head(more, length));
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/^connection: close\r$/im);
  });
});

describe('a backend that answers before it has read', () => {
  test.each([
    ['and reads on', false],
    ['and hangs up', true],
  ])('is heard: %s', async (_name, hangUp) => {
    const early = createServer((request, response) => {
      response.writeHead(400, { 'content-type': 'application/json', ...(hangUp && { connection: 'close' }) });
      response.end(
        JSON.stringify({ error: { message: 'too early', type: 'invalid_request_error', param: null, code: null } }),
      );
      if (!hangUp) request.resume();
      else response.on('finish', () => setTimeout(() => request.socket.destroy(), 50));
    });
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const address = early.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const own = await startGateway({
      backends: { any: { dialect: 'responses', baseUrl: `http://127.0.0.1:${port}`, retries: 0 } },
      limits: { drainSeconds: 1 },
    });
    const body = FORM(6 * 1024 * 1024);
    const answer = await send(own.url, PATH, { body, headers: formHeaders(body) });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('too early')]);
    await own.close();
    early.closeAllConnections();
    await new Promise((resolve) => early.close(resolve));
  });
});
