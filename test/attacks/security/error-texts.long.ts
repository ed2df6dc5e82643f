import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exchange, inParallel } from '../../backend/faults/cells.js';
import { malformed } from '../../backend/faults/mutations.js';
import { filePart, formHeaders, formOf } from '../../media/form.js';
import { ASK, DIALECTS, sendRaw, startGateway, type TestGateway } from '../../support/gateway/harness.js';
import { probesOf } from './surface.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    media: { fetch: false },
    limits: { drainSeconds: 1 },
  });
});
afterAll(() => gateway.close());

/** What tells of the machine or of the program: paths, addresses of memory, frames of a stack, words of libraries. */
const INSIDE =
  /(?:\/(?:home|usr|var|tmp|work|root|opt|etc|Users|proc)\/|[A-Z]:\\|node_modules|file:\/\/|\b0x[0-9a-f]{6,}|\bat [\w.<>]+ \(|\bat (?:async )?\w+:\/\/|\.[cm]?[jt]s:\d|node:internal|Error: |TypeError|SyntaxError|RangeError|ZodError|ERR_[A-Z_]+|ECONN|EPIPE|ENOENT|\[object |at position \d+ \(|in JSON at|<anonymous>|Unexpected token|Cannot read prop|is not a function|is not iterable|zlib|Z_[A-Z]+_ERROR)/;

interface Sent {
  readonly path: string;
  readonly body: string | Uint8Array;
}

async function judge(sent: readonly Sent[], least: number): Promise<void> {
  const slips: unknown[] = [];
  let errors = 0;
  await inParallel(
    sent.map(({ path, body }) => async () => {
      const { status, text, head } = await exchange(gateway.url, path, body);
      if (status < 400) return;
      errors += 1;
      // What the caller said itself may be quoted.
      const slip = INSIDE.exec(text) ?? INSIDE.exec(head);
      if (slip !== null && !Buffer.from(body).includes(slip[0])) slips.push([path, slip[0], text.slice(0, 300)]);
      if (status >= 500) slips.push([path, status, text.slice(0, 300)]);
    }),
    8,
  );
  expect(slips).toEqual([]);
  expect(errors).toBeGreaterThan(least);
}

describe('errors tell nothing of the inside (hardening.md row 30)', () => {
  test.each(DIALECTS)('of malformed bodies of %s', async (dialect) => {
    const rich = fc.constantFrom(
      ...DIALECTS.map(
        (model) =>
          ASK[dialect](model, { tools: [{ name: 'f', type: 'function', input_schema: {}, parameters: {} }] }).body,
      ),
    );
    const { path } = ASK[dialect](dialect);
    const bodies = fc.sample(malformed(rich), { numRuns: 250, seed: 30 });
    await judge(
      bodies.map((body) => ({ path, body })),
      50,
    );
  });

  test('of every route, for bodies that are none', async () => {
    const odd = [
      '',
      '{',
      '[',
      'null',
      '7',
      '"x"',
      '[]',
      '{}',
      '{"model":7}',
      '{"model":"messages","n":1e999}',
      '\u0000',
      '{"a":\u0001}',
      '{"a":tru',
      '{"a":1,}',
      '{a:1}',
      `${'['.repeat(3000)}`,
    ];
    const sent = probesOf('messages')
      .filter(({ method }) => method === 'POST')
      .flatMap(({ path }) => odd.map((body) => ({ path, body })));
    await judge(sent, 150);
  });

  const postForm = (form: Buffer) =>
    fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: formHeaders(form),
      body: new Uint8Array(form),
    });

  test('of files that are none', async () => {
    const files = [
      '',
      'x',
      '\x89PNG\r\n\x1a\n',
      '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
      'GIF89a',
      '\xff\xd8\xff\xe0',
      'RIFF\0\0\0\0WEBPVP8 ',
      '<svg/>',
      '%PDF-1.7',
    ];
    for (const content of files) {
      const form = formOf([
        filePart('image', Buffer.from(content, 'latin1')),
        { name: 'prompt', value: 'x' },
        { name: 'model', value: 'generateContent' },
      ]);
      const answer = await postForm(form);
      const text = await answer.text();
      expect([content, answer.status < 500, INSIDE.exec(text)?.[0]]).toEqual([content, true, undefined]);
      for (const body of [form.subarray(0, form.length / 2), form.subarray(10), Buffer.concat([form, form])]) {
        const cut = await postForm(body);
        expect([content, cut.status < 500, INSIDE.exec(await cut.text())?.[0]]).toEqual([content, true, undefined]);
      }
    }
  });

  test('of what is no HTTP, no path, no encoding', async () => {
    for (const raw of [
      'GARBAGE\r\n\r\n',
      'GET /%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      'GET /v1/models/%E0%A4%A HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-encoding: gzip\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-encoding: br\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      'POST /v1/images/edits HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n',
    ]) {
      const text = await sendRaw(gateway.port, raw);
      expect([raw, INSIDE.exec(text)?.[0], /^HTTP\/1\.1 4\d\d /.test(text)]).toEqual([raw, undefined, true]);
    }
  });
});
