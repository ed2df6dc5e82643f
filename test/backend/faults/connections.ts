import { inChunks, LAST_CHUNK, messageHead, openingOf, rawAnswer, streamHead } from '../../support/faulty-backend.js';
import { WHOLE } from '../../support/gateway/harness.js';
import { BEGUN, type Fault, PLAIN, STREAMED, TEXT } from './fault.js';

/** Faults of connections: silence, early ends, broken HTTP (hardening.md section 4 rows 5, 7, 8, 21, 28). */
export const CONNECTION_FAULTS: readonly Fault[] = [
  { row: 5, name: 'closes with no byte', told: 'upstream', serve: ({ socket }) => socket.end() },
  { row: 5, name: 'resets with no byte', told: 'upstream', serve: ({ socket }) => socket.resetAndDestroy() },
  {
    row: 5,
    name: 'closes in the middle of the head',
    told: 'upstream',
    serve: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
  },
  { row: 5, name: 'is no HTTP server', told: 'upstream', serve: ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.0\r\n') },
  {
    row: 5,
    name: 'a head without end',
    told: 'upstream',
    serve: ({ socket }) => socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'x'.repeat(1000)}\r\n`.repeat(200)}`),
  },
  {
    row: 5,
    name: 'two lengths',
    told: 'upstream',
    serve: ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
  },
  {
    row: 5,
    name: 'switches protocols unasked',
    told: 'upstream',
    serve: ({ socket }) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  },
  { row: 7, name: 'never answers', limits: 'hasty', told: 'timeout', serve: () => {} },
  {
    row: 7,
    name: 'half a head, then silence',
    limits: 'hasty',
    told: 'timeout',
    serve: ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty'),
  },
  {
    row: 7,
    name: 'an informational head, then silence',
    limits: 'hasty',
    told: 'timeout',
    serve: ({ socket }) => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
  },
  {
    row: 8,
    name: 'a head, then silence',
    modes: PLAIN,
    limits: 'hasty',
    told: 'timeout',
    serve: ({ socket }) =>
      socket.write(messageHead('200 OK', { 'content-type': 'application/json', 'content-length': 9 })),
  },
  {
    row: 8,
    name: 'half a body, then silence',
    modes: PLAIN,
    limits: 'hasty',
    told: 'timeout',
    serve({ socket, dialect }) {
      const bytes = rawAnswer('200 OK', JSON.stringify(WHOLE[dialect](TEXT)));
      socket.write(bytes.subarray(0, bytes.length - 10));
    },
  },
  {
    row: 8,
    name: 'the head of a stream, then silence',
    modes: STREAMED,
    limits: 'hasty',
    told: 'timeout',
    serve: (asked) => asked.socket.write(streamHead(asked)),
  },
  {
    row: 8,
    name: 'half a stream, then silence',
    modes: STREAMED,
    limits: 'hasty',
    told: 'timeout',
    said: BEGUN,
    serve: (asked) => asked.socket.write(streamHead(asked) + inChunks(openingOf(asked, TEXT).join(''))),
  },
  {
    row: 8,
    name: 'half a refusal, then silence',
    limits: 'hasty',
    told: 'timeout',
    serve: ({ socket }) => socket.write(rawAnswer('400 Bad Request', '{"error":', { 'content-length': 99 })),
  },
  ...[
    { name: 'FIN', cut: 'end' as const },
    { name: 'RST', cut: 'resetAndDestroy' as const },
  ].flatMap(({ name, cut }): Fault[] => [
    {
      row: 21,
      name: `${name} in the middle of a body`,
      modes: PLAIN,
      told: 'upstream',
      serve({ socket, dialect }) {
        const bytes = rawAnswer('200 OK', JSON.stringify(WHOLE[dialect](TEXT)));
        socket.write(bytes.subarray(0, bytes.length - 10), () => socket[cut]());
      },
    },
    {
      row: 21,
      name: `${name} in the middle of a chunk`,
      modes: PLAIN,
      told: 'upstream',
      serve: (asked) =>
        asked.socket.write(`${streamHead({ ...asked, framing: 'array' })}ff\r\n{"a":`, () => asked.socket[cut]()),
    },
    {
      row: 21,
      name: `${name} behind the head of a stream`,
      modes: STREAMED,
      told: 'upstream',
      serve: (asked) => asked.socket.write(streamHead(asked), () => asked.socket[cut]()),
    },
    {
      row: 21,
      name: `${name} between two events`,
      modes: STREAMED,
      told: 'upstream',
      said: BEGUN,
      serve: (asked) => late(asked, '', (socket) => socket[cut]()),
    },
    {
      row: 21,
      name: `${name} in the middle of an event`,
      modes: STREAMED,
      told: 'upstream',
      said: BEGUN,
      breaksFrame: true,
      serve: (asked) => late(asked, asked.framing === 'sse' ? 'data: {"ty' : ',{"candi', (socket) => socket[cut]()),
    },
  ]),
  {
    row: 21,
    name: 'a refusal that is cut',
    told: 'upstream',
    serve: ({ socket }) => socket.end(rawAnswer('400 Bad Request', '{"error":', { 'content-length': 99 })),
  },
  {
    row: 21,
    name: 'a chunk of no size',
    told: 'upstream',
    serve: (asked) => asked.socket.end(`${streamHead(asked)}zz\r\n{}\r\n${LAST_CHUNK}`),
  },
  {
    row: 28,
    name: 'a body that drips',
    modes: PLAIN,
    limits: 'brief',
    told: 'timeout',
    serve: (asked) => drip(asked, rawAnswer('200 OK', '{"a":', { 'content-length': 9999 }), ' '),
  },
  {
    row: 28,
    name: 'a stream that drips before its first event',
    modes: ['stream'],
    limits: 'brief',
    told: 'timeout',
    serve: (asked) => drip(asked, streamHead(asked), inChunks(' ')),
  },
  {
    row: 28,
    name: 'a stream that drips for ever',
    modes: STREAMED,
    limits: 'brief',
    told: 'timeout',
    said: BEGUN,
    serve: (asked) =>
      drip(
        asked,
        Buffer.concat([Buffer.from(streamHead(asked)), inChunks(openingOf(asked, TEXT).join(''))]),
        inChunks(asked.framing === 'sse' ? ':\n\n' : ' '),
      ),
  },
];

type Asked = Parameters<Fault['serve']>[0];

/** The first words of a stream, some more bytes, and when all that is out the end. */
export function late(asked: Asked, more: string | Uint8Array, then: (socket: Asked['socket']) => void): void {
  const begun = inChunks(openingOf(asked, TEXT).join(''));
  const { socket } = asked;
  socket.write(Buffer.concat([Buffer.from(streamHead(asked)), begun]), () =>
    pause(() => (more.length === 0 ? then(socket) : socket.write(inChunks(more), () => pause(() => then(socket))))),
  );
}

/**
 * Lets what was written reach the gateway: pieces that are read together with the end may not count. Several short waits, since
 * the gateway runs in this process and reads between two of them however late they are.
 */
function pause(then: () => void, times = 5): void {
  setTimeout(() => (times === 1 ? then() : pause(then, times - 1)), 5);
}

/** Writes a piece again and again until nobody takes it. */
function drip({ socket }: Asked, head: string | Uint8Array, piece: string | Uint8Array): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 50);
  socket.on('close', () => clearInterval(timer));
}
