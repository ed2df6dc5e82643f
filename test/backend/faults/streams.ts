import { tableOf } from '../../support/dialects/index.js';
import { framesOf, inChunks, LAST_CHUNK, openingOf, streamHead } from '../../support/faulty-backend.js';
import { indiscretion } from './canaries.js';
import { late } from './connections.js';
import { BEGUN, type Fault, STREAMED, TEXT } from './fault.js';
import { endless } from './refusals.js';
import { type Kind, wordsOf } from './told.js';

export type Asked = Parameters<Fault['serve']>[0];

/** A whole stream of these pieces. */
function streamOf(asked: Asked, pieces: readonly string[]): void {
  asked.answered = true;
  const bytes = pieces.filter((piece) => piece !== '').map((piece) => inChunks(piece));
  asked.socket.write(Buffer.concat([Buffer.from(streamHead(asked)), ...bytes, Buffer.from(LAST_CHUNK)]));
}

/** The first words of a stream, more, and the HTTP end. */
function lateEnd(asked: Asked, more: string): void {
  asked.answered = true;
  late(asked, more, (socket) => socket.write(LAST_CHUNK));
}

/** Data as the next event of a stream that has begun. */
function event(asked: Asked, json: string, name?: string): string {
  if (asked.framing === 'array') return `,\r\n${json}`;
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`;
}

/** An error inside a stream, in the backend's own words. */
function failure(asked: Asked, kind: Kind): string {
  const host = /^host: *(\S+)/im.exec(asked.head)?.[1] ?? '';
  const { body } = wordsOf(asked.dialect, kind, indiscretion(host));
  const [name, data] = ERRORS[asked.dialect](body, openingOf(asked, TEXT).length);
  return event(asked, JSON.stringify(data), name);
}

const ERRORS = tableOf('errorEvent');

const DELTA = tableOf('deltaEvent');

/** Events that are none. */
const MALFORMED = ['{broken', '[]', '7', '"text"'] as const;

/** Faults inside a stream of good HTTP (hardening.md section 4 rows 22, 24 to 28). */
export const STREAM_FAULTS: readonly Fault[] = [
  {
    row: 22,
    name: 'ends without its last word',
    modes: STREAMED,
    told: 'upstream',
    said: BEGUN,
    serve: (asked) => lateEnd(asked, ''),
  },
  {
    row: 22,
    name: 'ends in the middle of an event',
    modes: STREAMED,
    told: 'upstream',
    said: BEGUN,
    breaksFrame: true,
    serve: (asked) => lateEnd(asked, asked.framing === 'sse' ? 'data: {"type' : ',{"candi'),
  },
  {
    row: 22,
    name: 'ends with the mark of chat completions',
    modes: ['stream'],
    // There it says that the answer is over (translation.md 6.1).
    told: ({ backend }) => (backend === 'chatCompletions' ? 'answer' : 'upstream'),
    said: BEGUN,
    relayed: ({ backend }) => (backend === 'chatCompletions' ? 'bytes' : undefined),
    serve: (asked) => (asked.framing === 'sse' ? lateEnd(asked, 'data: [DONE]\n\n') : lateEnd(asked, '')),
  },
  ...(['overloaded', 'internal', 'rate_limit', 'timeout'] as const).flatMap((kind): Fault[] => [
    {
      row: 24,
      name: `an error after the first words: ${kind}`,
      modes: STREAMED,
      told: kind,
      said: BEGUN,
      relayed: 'bytes',
      serve: (asked) => lateEnd(asked, failure(asked, kind)),
    },
  ]),
  ...MALFORMED.map(
    (json): Fault => ({
      row: 25,
      name: `a malformed event between good ones: ${json}`,
      modes: STREAMED,
      told: 'upstream',
      said: BEGUN,
      relayed: 'bytes',
      serve: (asked) =>
        lateEnd(
          asked,
          [
            event(asked, json, DELTA[asked.dialect]),
            ...framesOf(asked, TEXT).slice(openingOf(asked, TEXT).length),
          ].join(''),
        ),
    }),
  ),
  {
    row: 25,
    name: 'a first event that is malformed',
    modes: STREAMED,
    told: 'upstream',
    // An array that is over says nothing more.
    relayed: ({ mode }) => (mode === 'array' ? undefined : 'bytes'),
    serve: (asked) => streamOf(asked, asked.framing === 'sse' ? ['data: {broken\n\n'] : ['[{broken}]']),
  },
  {
    row: 26,
    name: 'an event without end',
    modes: STREAMED,
    told: 'upstream',
    said: BEGUN,
    breaksFrame: true,
    serve: (asked) =>
      late(asked, asked.framing === 'sse' ? 'data: {"a":"' : ',{"a":"', () =>
        endless(asked, '', inChunks('x'.repeat(65_536))),
      ),
  },
  {
    row: 26,
    name: 'an event above the limit',
    modes: STREAMED,
    told: 'upstream',
    said: BEGUN,
    breaksFrame: true,
    serve: (asked) =>
      lateEnd(
        asked,
        [
          event(asked, JSON.stringify({ type: 'ping', a: 'x'.repeat(600_000) })),
          ...framesOf(asked, TEXT).slice(openingOf(asked, TEXT).length),
        ].join(''),
      ),
  },
  {
    row: 27,
    name: 'bytes behind the last word',
    modes: ['stream'],
    told: 'answer',
    said: TEXT,
    serve: (asked) =>
      streamOf(asked, [...framesOf(asked, TEXT), asked.framing === 'sse' ? ': more\n\n: and more' : ' \r\n']),
  },
  {
    row: 27,
    name: 'a connection that stays open behind the last word',
    modes: ['stream'],
    told: 'answer',
    said: TEXT,
    limits: 'hasty',
    serve: (asked) =>
      asked.socket.write(Buffer.concat([Buffer.from(streamHead(asked)), inChunks(framesOf(asked, TEXT).join(''))])),
  },
  {
    row: 28,
    name: 'a million tiny events',
    modes: ['stream'],
    limits: 'brief',
    told: 'timeout',
    said: BEGUN,
    serve: (asked) =>
      late(asked, '', () => {
        const timer = setInterval(() => asked.socket.write(inChunks(':\n\n'.repeat(100))), 10);
        asked.socket.on('close', () => clearInterval(timer));
      }),
  },
];
