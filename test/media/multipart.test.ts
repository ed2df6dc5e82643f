import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FormBody, type FormPart, writeForm } from '../../src/http/form-body.js';
import { formLimits } from '../../src/http/form-limits.js';
import { type Form, readForm } from '../../src/http/multipart.js';
import { createPaddingFilter } from '../../src/http/transport-padding.js';
import { runs } from '../support/runs.js';

const LIMITS = formLimits({ total: 1024 * 1024, file: 64 * 1024, deadline: 5000 });

/** A request whose body comes in pieces of the given sizes, again and again. */
function requestOf(
  { type, length }: Pick<FormBody, 'type' | 'length'>,
  body: Buffer,
  sizes: readonly number[],
): IncomingMessage {
  const stream = new PassThrough();
  const write = async (): Promise<void> => {
    let at = 0;
    for (let turn = 0; at < body.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? body.length;
      if (!stream.write(body.subarray(at, at + size))) await new Promise((resolve) => stream.once('drain', resolve));
      at += size;
    }
    stream.end();
  };
  void write();
  const headers = { 'content-type': type, 'content-length': String(length) };
  // What the reader looks at of a request: its headers, and that it is a stream.
  return Object.assign(stream, { headers }) as unknown as IncomingMessage;
}

function read(parts: readonly FormPart[], sizes: readonly number[]): Promise<Form> {
  const form = writeForm(parts);
  const body = Buffer.concat(form.pieces);
  expect(body.length).toBe(form.length);
  return readForm(requestOf(form, body, sizes), LIMITS);
}

/** A form that was read, as parts to send. */
function partsOf({ fields, files }: Form): FormPart[] {
  return [
    ...fields.map(([name, text]): FormPart => ({ name, text })),
    ...files.map(
      ({ name, filename, declared: mime, chunks, bytes }): FormPart => ({ name, filename, mime, chunks, bytes }),
    ),
  ];
}

function plain({ fields, files }: Form): unknown {
  return {
    fields,
    files: files.map(({ chunks, ...file }) => ({ ...file, content: Buffer.concat(chunks).toString('base64') })),
  };
}

/** Names as clients write them: no quote, no end of line, at most as long as is taken. */
const name = fc.stringMatching(/^[A-Za-z_[\]0-9äß🐈 ]{1,20}$/u).filter((text) => text.trim() !== '');
const filename = fc.stringMatching(/^[A-Za-z0-9 äß🐈_-]{1,20}\.[a-z]{3}$/u);
const mime = fc.constantFrom('image/png', 'image/jpeg', 'application/octet-stream', 'text/plain');
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // What looks like the end of a part.
  fc
    .constantFrom('\r\n', '\r\n--', '--interlingua-', '\r\n--interlingua-00\r\n')
    .map((text) => new Uint8Array(Buffer.from(text))),
  fc.integer({ min: 0, max: 40_000 }).map((length) => new Uint8Array(length).fill(0x0d)),
);
/** The mark of bytes that are no UTF-8 is refused, whoever wrote it. */
const written = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\uFFFD'));
const textPart = fc.record({ name, text: fc.oneof(written, fc.constantFrom('', '\r\n--x', 'null')) });
const filePart = fc
  .record({ name, filename, mime, content })
  .map(({ content: bytes, ...rest }): FormPart => ({ ...rest, chunks: [bytes], bytes: bytes.length }));

describe('a form that is read, written and read again', () => {
  test('[IMG-04] is the same, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(textPart, { maxLength: 6 }),
        fc.array(filePart, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 4 }),
        async (texts, files, sizes) => {
          const first = await read([...texts, ...files], sizes);
          const second = await read(partsOf(first), [777]);
          expect(plain(second)).toEqual(plain(first));
          expect(first.fields).toEqual(texts.map((part) => [part.name, part.text]));
          expect(first.files.map(({ filename: own }) => own)).toEqual(
            files.map((part) => ('filename' in part ? part.filename : '')),
          );
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('has files in the order in which they came, however large they are', async () => {
    const sizes = [60_000, 1, 0, 30_000, 7];
    const parts = sizes.map(
      (bytes, index): FormPart => ({
        name: 'image[]',
        filename: `${index}.png`,
        mime: 'image/png',
        chunks: [Buffer.alloc(bytes)],
        bytes,
      }),
    );
    const { files } = await read(parts, [64 * 1024]);
    expect(files.map(({ filename: own, bytes }) => [own, bytes])).toEqual(
      sizes.map((bytes, index) => [`${index}.png`, bytes]),
    );
  });

  test('never has two forms under one boundary', () => {
    const types = Array.from({ length: 50 }, () => writeForm([{ name: 'a', text: 'b' }]).type);
    expect(new Set(types).size).toBe(50);
  });
});

/** A form with white space behind its boundaries, in pieces of the given sizes. */
function readPadded(parts: readonly FormPart[], paddings: readonly string[], sizes: readonly number[]): Promise<Form> {
  const { type, pieces } = writeForm(parts);
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? '';
  const [before = '', ...rest] = Buffer.concat(pieces).toString('latin1').split(`--${boundary}`);
  const padded = rest.map((text, index) => `${paddings[index % paddings.length]}${text}`);
  const last = rest.at(-1) ?? '';
  const lines = [...padded.slice(0, -1), last.replace('--', `--${paddings[0]}`)];
  const body = Buffer.from([before, ...lines].join(`--${boundary}`), 'latin1');
  return readForm(requestOf({ type, length: body.length }, body, sizes), LIMITS);
}

describe('white space behind a boundary', () => {
  const padding = fc.stringMatching(/^[ \t]{0,40}$/);

  test('is none of the form, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 6 }),
        fc.array(padding, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 4 }),
        async (parts, paddings, sizes) => {
          expect(plain(await readPadded(parts, paddings, sizes))).toEqual(plain(await read(parts, sizes)));
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('is found in pieces that end anywhere in it', async () => {
    const size = 9000;
    for (let length = size - 200; length <= size; length += 1) {
      const parts: FormPart[] = [
        { name: 'f', filename: 'x.png', mime: 'image/png', chunks: [Buffer.alloc(length, 'x')], bytes: length },
        { name: 'prompt', text: 'draw' },
      ];
      const { fields, files } = await readPadded(parts, [' \t '], [size]);
      expect([length, fields, files[0]?.bytes]).toEqual([length, [['prompt', 'draw']], length]);
    }
  });

  test('stays where no line ends behind it', () => {
    const lines = ['--b c', `--b${' '.repeat(3000)}`, '--b \tx', '--b \r', ' --b ', '--B  ', '--b--  --'];
    const text = `x\r\n${lines.join('\r\n')}`;
    for (const size of [1, 3, 7, 1000, text.length]) {
      const filter = createPaddingFilter('multipart/form-data; boundary=b');
      const out: Buffer[] = [];
      for (let at = 0; at < text.length; at += size) {
        out.push(...(filter?.add(Buffer.from(text.slice(at, at + size))) ?? []));
      }
      out.push(...(filter?.rest() ?? []));
      expect([size, Buffer.concat(out).toString()]).toEqual([size, text]);
    }
  });

  test.each(['boundary=a; boundary=b', 'charset=utf-8', String.raw`boundary="a\"b"`])(
    'is left alone where the boundary is in doubt: %s',
    (parameters) => {
      expect(createPaddingFilter(`multipart/form-data; ${parameters}`)).toBeUndefined();
    },
  );
});

describe('bytes that are no form', () => {
  test('are refused or read, and always answered', async () => {
    const form = Buffer.concat(
      writeForm([
        { name: 'a', text: 'b' },
        { name: 'f', filename: 'x', mime: 'image/png', chunks: [Buffer.from('abc')], bytes: 3 },
      ]).pieces,
    );
    const boundary = form.toString('latin1', 2, form.indexOf('\r\n'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(form.length - 1), byte: fc.integer({ min: 0, max: 255 }) }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.integer({ min: 1, max: 400 }),
        async (changes, size) => {
          const body = Buffer.from(form);
          for (const { at, byte } of changes) body[at] = byte;
          const reading = readForm(
            requestOf({ type: `multipart/form-data; boundary=${boundary}`, length: body.length }, body, [size]),
            LIMITS,
          );
          const outcome = await reading.then(
            () => 'read',
            (thrown: { error?: { kind: string } }) => thrown.error?.kind,
          );
          expect(['read', 'invalid_request']).toContain(outcome);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
