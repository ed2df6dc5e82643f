import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
/** The same with small limits. */
let narrow: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response) =>
    json(response, 200, { created: 1, data: [{ url: 'https://x.example/1', b64_json: 'AAAA' }] });
  const backends = { any: { dialect: 'responses', baseUrl: backend.url, retries: 0 } } as const;
  gateway = await startGateway({ backends, limits: { drainSeconds: 1 } });
  narrow = await startGateway({
    backends,
    limits: { drainSeconds: 1, uploadMb: 0.5, bodySeconds: 0.3 },
    media: { fileMb: 0.25, smallFileMb: 0.1 },
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), narrow.close()]);
  await backend.close();
});
beforeEach(() => {
  backend.seen.length = 0;
});

const PATH = '/v1/images/edits';
const PICTURE = png({ width: 8, height: 8, bytes: 3000 });
const PARTS: readonly SentPart[] = [
  filePart('image', PICTURE, 'a.png', 'image/png'),
  { name: 'prompt', value: 'a hat' },
  filePart('mask', png({ width: 8, height: 8 }), 'm.png', 'image/png'),
  { name: 'model', value: 'img-legacy' },
  { name: 'n', value: '2' },
];
const FORM = formOf(PARTS);

function upload(body: Buffer, url = gateway.url, headers = formHeaders(body)): Promise<Answer> {
  return send(url, PATH, { body, headers });
}

function expectRefusal(answer: Answer, status: number): string {
  expect([answer.status, Object.keys(answer.body ?? {})]).toEqual([status, ['error']]);
  expect(answer.body.error).toEqual({
    message: expect.stringMatching(/./),
    type: expect.stringMatching(/^(invalid_request_error|server_error)$/),
    param: answer.body.error.param,
    code: answer.body.error.code,
  });
  return answer.body.error.message;
}

describe('a form', () => {
  test('may have its parts in any order', async () => {
    for (const parts of [PARTS, [...PARTS].reverse(), [...PARTS.slice(2), ...PARTS.slice(0, 2)]]) {
      expect((await upload(formOf(parts))).status).toBe(200);
      expect(backend.seen.at(-1)?.body).toContain('name="prompt"\r\n\r\na hat\r\n');
    }
  });

  test.each([['image'], ['image[]'], ['image[0]'], ['images'], ['images[]']])(
    'may name one picture %s',
    async (name) => {
      const answer = await upload(
        formOf([{ name: 'model', value: 'img-multi' }, { name: 'prompt', value: 'x' }, filePart(name, PICTURE)]),
      );
      expect(answer.status).toBe(200);
      expect(backend.seen.at(-1)?.body).toContain('name="image"; filename="a.bin"\r\nContent-Type: image/png\r\n');
    },
  );

  test.each([
    [['image', 'image', 'image'], 'abc'],
    [['image[]', 'image[]', 'image[]'], 'abc'],
    [['image[2]', 'image[0]', 'image[1]'], 'bca'],
  ])('may name several pictures %s', async (names, order) => {
    const parts = names.map((name, index) => filePart(name, PICTURE, `${'abc'[index]}.png`));
    const answer = await upload(
      formOf([{ name: 'model', value: 'img-multi' }, { name: 'prompt', value: 'x' }, ...parts]),
    );
    expect(answer.status).toBe(200);
    const names2 = [...(backend.seen.at(-1)?.body ?? '').matchAll(/name="image\[\]"; filename="(\w)\.png"/g)].map(
      ([, name]) => name,
    );
    expect(names2.join('')).toBe(order);
  });

  test('may hold a picture as a data URL or as bare base64', async () => {
    for (const value of [`data:image/jpeg;base64,${PICTURE.toString('base64')}`, PICTURE.toString('base64')]) {
      const answer = await upload(
        formOf([
          { name: 'image', value },
          { name: 'prompt', value: 'x' },
        ]),
      );
      expect(answer.status).toBe(200);
      expect(backend.seen.at(-1)?.body).toContain(
        'name="image"; filename="image-1.png"\r\nContent-Type: image/png\r\n',
      );
    }
  });

  test('has UTF-8 names and values', async () => {
    await upload(formOf([filePart('image', PICTURE, 'größe.png'), { name: 'prompt', value: 'ein größerer Hut 🎩' }]));
    expect(backend.seen.at(-1)?.body).toContain('ein größerer Hut 🎩');
    expect(backend.seen.at(-1)?.body).toContain('filename="größe.png"');
  });

  test('cannot smuggle a path or a header in a file name', async () => {
    await upload(formOf([filePart('image', PICTURE, '../../etc/x.png'), { name: 'prompt', value: 'x' }]));
    expect(backend.seen.at(-1)?.body).toContain('filename="x.png"');
  });
});

describe('a form that is cut', () => {
  const borders = [...FORM.toString('latin1').matchAll(new RegExp(`--${BOUNDARY}`, 'g'))].flatMap(({ index }) => [
    index,
    index + 2,
    index + BOUNDARY.length + 2,
    index + BOUNDARY.length + 4,
  ]);
  const whole = FORM.length - 4;
  const random = Array.from({ length: 60 }, () => Math.floor(Math.random() * whole));
  const places = [...new Set([...borders, ...random])].filter((place) => place <= whole - 1);

  test(`is refused at every border and at random bytes (${places.length} places)`, async () => {
    for (const place of places) {
      const cut = FORM.subarray(0, place);
      const answer = await upload(cut);
      expect([place, answer.status]).toEqual([place, 400]);
      expectRefusal(answer, 400);
    }
    expect(backend.seen).toHaveLength(0);
  });

  test('and whose client goes away leaves nothing', async () => {
    await Promise.all(
      places.slice(0, 40).map(
        (place) =>
          new Promise<void>((resolve) => {
            const socket = connect(gateway.port, '127.0.0.1', () => {
              const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formHeaders(FORM)['content-type']}\r\ncontent-length: ${FORM.length}\r\n\r\n`;
              socket.write(Buffer.concat([Buffer.from(head), FORM.subarray(0, place)]), () => {
                setTimeout(() => socket.resetAndDestroy(), 5);
              });
            });
            socket.on('error', () => {});
            socket.on('close', () => resolve());
          }),
      ),
    );
    await delay(50);
    expect(backend.seen).toHaveLength(0);
    expect((await upload(FORM)).status).toBe(200);
  });
});

describe('a form that breaks a limit', () => {
  const file = (bytes: number): SentPart => filePart('image', png({ bytes }), 'a.png');
  const prompt = { name: 'prompt', value: 'x' };

  test('of one file', async () => {
    const answer = await upload(formOf([file(256 * 1024), prompt]), narrow.url);
    expect(expectRefusal(answer, 400)).toBe('image: the file must be smaller than 0.25 MB');
    expect(answer.body.error.param).toBe('image');
  });

  test.each([
    ['with a length', true],
    ['without one', false],
  ])('of the whole, %s', async (_name, known) => {
    const body = formOf([{ name: 'odd', value: Buffer.alloc(600 * 1024) }, prompt]);
    const headers = formHeaders(body);
    if (known) {
      expectRefusal(await upload(body, narrow.url, headers), 413);
      return;
    }
    const text = await sendRaw(
      narrow.port,
      `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${headers['content-type']}\r\ntransfer-encoding: chunked\r\n\r\n` +
        `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('of time', async () => {
    const text = await sendRaw(
      narrow.port,
      `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n--b\r\nContent-Disp`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*the form did not arrive in time/);
  });

  test.each([
    ['files', Array.from({ length: 18 }, () => filePart('image[]', PICTURE))],
    ['fields', Array.from({ length: 65 }, (_, index) => ({ name: `f${index}`, value: 'x' }))],
    [
      'parts',
      Array.from({ length: 300 }, (_, index) =>
        index % 2 === 0 ? filePart('image', PICTURE) : { name: `f${index}`, value: 'x' },
      ),
    ],
  ])('of %s', async (_name, parts) => {
    expectRefusal(await upload(formOf(parts)), 400);
    expect(backend.seen).toHaveLength(0);
  });

  test('of a name', async () => {
    expectRefusal(await upload(formOf([{ name: 'n'.repeat(300), value: 'x' }])), 400);
  });
});

describe('what is no form', () => {
  test.each([
    ['another type', 'application/x-www-form-urlencoded', 415],
    ['text', 'text/html', 415],
    ['no boundary', 'multipart/form-data', 400],
    ['an empty boundary', 'multipart/form-data; boundary=', 400],
    ['another multipart', 'multipart/mixed; boundary=b', 415],
    ['an endless boundary', `multipart/form-data; boundary=${'b'.repeat(1000)}`, 400],
  ])('%s', async (_name, type, status) => {
    const answer = await send(gateway.url, '/v1/images/variations', { body: FORM, headers: { 'content-type': type } });
    expectRefusal(answer, status);
  });

  test('a compressed form', async () => {
    expectRefusal(
      await send(gateway.url, PATH, { body: FORM, headers: { ...formHeaders(FORM), 'content-encoding': 'gzip' } }),
      415,
    );
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no parts', Buffer.from(`--${BOUNDARY}--\r\n`)],
    ['garbage', Buffer.from('garbage, and nothing but garbage')],
    ['another boundary', formOf(PARTS, 'other')],
    ['bare line feeds', Buffer.from(FORM.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')],
    ['a part without a name', formOf([{ value: 'x' }, ...PARTS])],
    ['a file without a name', formOf([filePart('', PICTURE), ...PARTS])],
    [
      'a picture that has no file name',
      formOf([
        { name: 'image', value: PICTURE, type: 'image/png' },
        { name: 'prompt', value: 'x' },
      ]),
    ],
    [
      'a head that never ends',
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="`),
        Buffer.alloc(100_000, 'a'),
      ]),
    ],
    ['a NUL in a head', Buffer.from(FORM.toString('latin1').replace('name="prompt"', 'name="pro\0mpt"'), 'latin1')],
  ])('%s', async (_name, body) => {
    expectRefusal(await upload(body), 400);
    expect(backend.seen).toHaveLength(0);
  });

  test('names of the object model are names like any other', async () => {
    const answer = await upload(
      formOf([...PARTS, { name: '__proto__', value: 'x' }, { name: 'constructor', value: 'y' }]),
    );
    expect(answer.status).toBe(200);
    expect(backend.seen.at(-1)?.body).toContain('name="__proto__"');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('paid work', () => {
  test.each([
    ['a time-out', 504, (): void => {}],
    ['a reset', 502, (response: import('node:http').ServerResponse): void => void response.socket?.destroy()],
  ])('is not asked for twice after %s, and the client is told not to', async (_name, status, reply) => {
    const slow = await startRecorder();
    slow.reply = reply;
    const second = await startRecorder();
    const paid = await startGateway({
      backends: {
        one: { dialect: 'responses', baseUrl: slow.url, timeouts: { firstByte: 0.2 }, retries: 3 },
        two: { dialect: 'responses', baseUrl: second.url },
      },
      models: { '*': [{ backend: 'one' }, { backend: 'two' }] },
      limits: { drainSeconds: 1 },
    });
    const answer = await upload(FORM, paid.url);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-should-retry']).toBe('false');
    expect([slow.seen.length, second.seen.length]).toEqual([1, 0]);
    await paid.close();
    await Promise.all([slow.close(), second.close()]);
  });

  describe('that comes in another type', () => {
    let odd: Recorder;
    let paid: TestGateway;
    beforeAll(async () => {
      odd = await startRecorder();
      odd.reply = (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write('<html>');
      };
      paid = await startGateway({
        backends: {
          any: { dialect: 'responses', baseUrl: odd.url, retries: 0 },
          gem: { dialect: 'generateContent', baseUrl: odd.url, retries: 0 },
        },
        models: { gem: { backend: 'gem' }, '*': { backend: 'any' } },
        limits: { drainSeconds: 1 },
      });
    });
    beforeEach(() => {
      odd.seen.length = 0;
      odd.aborted = 0;
    });
    afterAll(async () => {
      await paid.close();
      await odd.close();
    });

    test.each([
      ['a stream', { stream: true }],
      ['a picture', {}],
      ['several pictures', { n: 2, model: 'gem' }],
    ])('and was asked for as %s is not asked for twice', async (_name, more) => {
      const calls = 'n' in more ? 2 : 1;
      const answer = await send(paid.url, '/v1/images/generations', {
        body: { model: 'img-multi', prompt: 'x', ...more },
      });
      expect([answer.status, answer.headers['x-should-retry'], odd.seen.length]).toEqual([502, 'false', calls]);
      // What is still to come is not waited for.
      await until(() => odd.aborted === calls);
      expect(odd.aborted).toBe(calls);
    });
  });

  test('goes to the next target with the whole form when the first refuses', async () => {
    const busy = await startRecorder();
    busy.reply = (response) =>
      json(response, 429, { error: { message: 'busy', type: 'rate_limit_error', param: null, code: null } });
    const paid = await startGateway({
      backends: {
        one: { dialect: 'responses', baseUrl: busy.url },
        two: { dialect: 'responses', baseUrl: backend.url },
        none: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9', retries: 0 },
      },
      models: { '*': [{ backend: 'none' }, { backend: 'one' }, { backend: 'two' }] },
      limits: { drainSeconds: 1 },
    });
    expect((await upload(FORM, paid.url)).status).toBe(200);
    const [first, last] = [busy.seen.at(-1), backend.seen.at(-1)];
    expect(last?.headers['content-length']).toBe(first?.headers['content-length']);
    expect(last?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=interlingua-[0-9a-f]{32}$/);
    await paid.close();
    await busy.close();
  });

  test('ends when the client goes away', async () => {
    backend.aborted = 0;
    backend.reply = () => {};
    const socket = connect(gateway.port, '127.0.0.1', () => {
      const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formHeaders(FORM)['content-type']}\r\ncontent-length: ${FORM.length}\r\n\r\n`;
      socket.write(Buffer.concat([Buffer.from(head), FORM]));
    });
    while (backend.seen.length === 0) await delay(5);
    socket.destroy();
    await until(() => backend.aborted > 0);
    expect(backend.aborted).toBe(1);
    backend.reply = (response) =>
      json(response, 200, { created: 1, data: [{ url: 'https://x.example/1', b64_json: 'AAAA' }] });
  });
});

test('uploads never touch the disk', () => {
  const folder = fileURLToPath(new URL('../../src/media', import.meta.url));
  const writing = readdirSync(folder).filter((name) => /from 'node:fs/.test(readFileSync(join(folder, name), 'utf8')));
  expect(writing).toEqual([]);
});
