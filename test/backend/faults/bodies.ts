import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { framesOf, inChunks, LAST_CHUNK, rawAnswer, streamHead } from '../../support/faulty-backend.js';
import { WHOLE } from '../../support/gateway/harness.js';
import { indiscretion } from './canaries.js';
import { type Fault, PLAIN, STREAMED, TEXT } from './fault.js';
import { endless, hostOf, whole } from './refusals.js';
import { type Kind, wordsOf } from './told.js';

type Asked = Parameters<Fault['serve']>[0];

const page = `<html>${'<p>sign in</p>'.repeat(20)}</html>`;

function answerOf({ dialect }: Asked): string {
  return JSON.stringify(WHOLE[dialect](TEXT));
}

/** The bytes of a text in which one character is none. */
function spoiled(text: string): Buffer {
  const bytes = Buffer.from(text);
  bytes.set([0xff, 0xff], bytes.indexOf('ü'));
  return bytes;
}

/** Successes that are none: wrong types, broken bodies, encodings nobody asked for (hardening.md section 4 rows 18 to 20, 23, 26). */
export const BODY_FAULTS: readonly Fault[] = [
  ...['text/html', 'text/plain; charset=utf-8', 'application/octet-stream', 'multipart/mixed', 'application/jsonp'].map(
    (type): Fault => ({
      row: 18,
      name: `200 with a page as ${type}`,
      told: 'upstream',
      serve: (asked) => whole(asked, '200 OK', page, { 'content-type': type }),
    }),
  ),
  {
    row: 18,
    name: 'a page that is called what was asked for',
    told: 'upstream',
    serve: (asked) =>
      whole(asked, '200 OK', page, {
        'content-type': asked.stream && asked.framing === 'sse' ? 'text/event-stream' : 'application/json',
      }),
  },
  {
    row: 18,
    name: 'a whole answer in the place of a stream',
    modes: ['stream'],
    told: 'answer',
    serve: (asked) => whole(asked, '200 OK', answerOf(asked)),
  },
  {
    row: 18,
    name: 'a stream in the place of a whole answer',
    modes: PLAIN,
    told: 'upstream',
    serve: (asked) => whole(asked, '200 OK', framesOf(asked, TEXT).join(''), { 'content-type': 'text/event-stream' }),
  },
  ...[
    { name: 'broken JSON', body: '{"id":' },
    { name: 'two values', body: '{}{}' },
    { name: 'a list', body: '[1]' },
    { name: 'a number', body: '1' },
    { name: 'null', body: 'null' },
    { name: 'no UTF-8', body: Buffer.from([0xff, 0xfe, 0x7b, 0x00]) },
  ].map(
    ({ name, body }): Fault => ({
      row: 19,
      name: `a body of ${name}`,
      modes: PLAIN,
      told: 'upstream',
      serve: (asked) => whole(asked, '200 OK', body),
    }),
  ),
  ...[
    { name: 'nothing in it', body: () => '{}' },
    { name: 'the answer of another service', body: () => '{"object":"chat.completion","choices":[{"message":{}}]}' },
    {
      name: 'values of other types',
      body: ({ dialect }: Asked) =>
        JSON.stringify(WHOLE[dialect](TEXT))
          .replace(/"(?:content|output|candidates|choices)":\[/, '"x":[')
          .replace(/\}$/, ',"content":7,"output":7,"candidates":7,"choices":7}'),
    },
  ].map(
    ({ name, body }): Fault => ({
      row: 19,
      name: `an object with ${name}`,
      modes: PLAIN,
      told: 'upstream',
      relayed: 'bytes',
      serve: (asked) => whole(asked, '200 OK', body(asked)),
    }),
  ),
  ...(['overloaded', 'rate_limit', 'internal', 'invalid_request'] as const).flatMap((kind) =>
    errorAsAnswer(kind, kind),
  ),
  ...errorAsAnswer('authentication', 'upstream'),
  // Without its status OpenAI's word for it is that of any invalid request.
  ...errorAsAnswer('permission', ({ backend }) =>
    backend === 'responses' || backend === 'chatCompletions' ? 'invalid_request' : 'upstream',
  ),
  {
    row: 19,
    name: 'text that is no UTF-8',
    modes: PLAIN,
    told: 'answer',
    said: TEXT.replace('ü', '\ufffd\ufffd'),
    serve: (asked) => whole(asked, '200 OK', spoiled(answerOf(asked))),
  },
  ...['200 OK', '204 No Content', '206 Partial'].map(
    (status): Fault => ({
      row: 20,
      name: `${status} with nothing`,
      told: 'upstream',
      serve: (asked) => whole(asked, status, ''),
    }),
  ),
  {
    row: 20,
    name: 'an empty stream',
    modes: STREAMED,
    told: 'upstream',
    serve: (asked) => {
      asked.answered = true;
      asked.socket.write(streamHead(asked) + LAST_CHUNK);
    },
  },
  ...[
    { coding: 'gzip', code: gzipSync },
    { coding: 'deflate', code: deflateSync },
    { coding: 'br', code: brotliCompressSync },
    { coding: 'zstd', code: (text: string) => Buffer.from(text) },
    { coding: 'gzip, identity', code: gzipSync },
  ].flatMap(({ coding, code }): Fault[] => [
    {
      row: 23,
      name: `a body in ${coding}`,
      modes: PLAIN,
      told: 'upstream',
      serve: (asked) => whole(asked, '200 OK', code(answerOf(asked)), { 'content-encoding': coding }),
    },
    {
      row: 23,
      name: `a stream in ${coding}, cut`,
      modes: STREAMED,
      told: 'upstream',
      serve(asked) {
        const bytes = code(framesOf(asked, TEXT).join(''));
        asked.answered = true;
        const begun = inChunks(bytes.subarray(0, Math.floor(bytes.length / 2)));
        asked.socket.write(
          Buffer.concat([
            Buffer.from(streamHead(asked, { 'content-encoding': coding })),
            begun,
            Buffer.from(LAST_CHUNK),
          ]),
        );
      },
    },
  ]),
  {
    row: 26,
    name: 'a body above the limit',
    modes: PLAIN,
    told: 'upstream',
    serve: (asked) =>
      endless(asked, rawAnswer('200 OK', '{"a":"', { 'content-length': 1e9 }), Buffer.alloc(65_536, 'x')),
  },
  {
    row: 26,
    name: 'a first event without end',
    modes: STREAMED,
    told: 'upstream',
    serve: (asked) =>
      endless(
        asked,
        streamHead(asked) + inChunks(asked.framing === 'sse' ? 'data: {"a":"' : '[{"a":"'),
        inChunks('x'.repeat(65_536)),
      ),
  },
];

/** An error with the status of a success: a body, and the first event of a stream. */
function errorAsAnswer(kind: Kind, told: Fault['told']): Fault[] {
  const json = (asked: Asked): string => JSON.stringify(wordsOf(asked.dialect, kind, indiscretion(hostOf(asked))).body);
  return [
    {
      row: 24,
      name: `an error in the place of an answer: ${kind}`,
      modes: PLAIN,
      told,
      serve: (asked) => whole(asked, '200 OK', json(asked)),
    },
    {
      row: 24,
      name: `an error in the place of a first event: ${kind}`,
      modes: STREAMED,
      told,
      // That our own key is refused is no event for a client (hardening.md section 4 row 11).
      relayed: (cell) => ((typeof told === 'function' ? told(cell) : told) === 'upstream' ? undefined : 'bytes'),
      serve: (asked) =>
        asked.framing === 'array'
          ? whole(asked, '200 OK', `[${json(asked)}]`)
          : whole(asked, '200 OK', `event: error\ndata: ${json(asked)}\n\n`, { 'content-type': 'text/event-stream' }),
    },
  ];
}
