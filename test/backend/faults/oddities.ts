import { framesOf, inChunks, LAST_CHUNK, messageHead, rawAnswer, streamHead } from '../../support/faulty-backend.js';
import { WHOLE } from '../../support/gateway/harness.js';
import { type Fault, TEXT } from './fault.js';
import { whole } from './refusals.js';

type Asked = Parameters<Fault['serve']>[0];

/** The body that was asked for, whole or as a stream. */
function bodyOf(asked: Asked): Buffer {
  return Buffer.from(asked.stream ? framesOf(asked, TEXT).join('') : JSON.stringify(WHOLE[asked.dialect](TEXT)));
}

function typeOf({ stream, framing }: Asked): string {
  return stream && framing === 'sse' ? 'text/event-stream' : 'application/json';
}

/** One chunk per byte. */
function byteByByte(bytes: Buffer): Buffer {
  return Buffer.concat(Array.from(bytes, (_byte, at) => inChunks(bytes.subarray(at, at + 1))));
}

/** What is odd and no fault: the client has its answer. */
export const ODDITIES: readonly Fault[] = [
  {
    name: 'an informational head before the answer',
    serve(asked: Asked) {
      asked.socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n');
      whole(asked, '200 OK', bodyOf(asked), { 'content-type': typeOf(asked) });
    },
  },
  {
    name: 'a chunk for every byte, a chunk extension and a trailer',
    serve(asked: Asked) {
      asked.answered = true;
      const head = Buffer.from(streamHead({ ...asked, framing: asked.stream ? asked.framing : 'array' }));
      const end = Buffer.from('0;a=b\r\nx-trailer: 1\r\n\r\n');
      asked.socket.write(Buffer.concat([head, byteByByte(bodyOf(asked)), end]));
    },
  },
  {
    name: 'a body that ends with its connection',
    serve(asked: Asked) {
      const head = messageHead('200 OK', { 'content-type': typeOf(asked), connection: 'close' });
      asked.socket.end(Buffer.concat([Buffer.from(head), bodyOf(asked)]));
    },
  },
  {
    name: 'the identity coding, and a type with parameters',
    serve(asked: Asked) {
      const type = `${typeOf(asked).toUpperCase()} ; Charset="UTF-8"`;
      whole(asked, '200 Fine', bodyOf(asked), { 'content-type': type, 'content-encoding': 'Identity' });
    },
  },
  {
    name: 'no type at all',
    serve(asked: Asked) {
      asked.answered = true;
      const bytes = bodyOf(asked);
      asked.socket.write(
        Buffer.concat([Buffer.from(messageHead('200 OK', { 'content-length': bytes.length })), bytes]),
      );
    },
  },
  {
    name: 'pieces that are slow',
    serve(asked: Asked) {
      asked.answered = true;
      const { socket } = asked;
      const bytes = rawAnswer('200 OK', bodyOf(asked), { 'content-type': typeOf(asked) });
      const half = Math.floor(bytes.length * 0.7);
      socket.write(bytes.subarray(0, 20));
      // One within the other: timers of different lengths that were set together may fire in either order.
      setTimeout(() => {
        socket.write(bytes.subarray(20, half));
        setTimeout(() => socket.write(bytes.subarray(half)), 30);
      }, 30);
    },
  },
].map((odd): Fault => ({ row: 0, told: 'answer', ...odd }));

/** A stream whose lines end as the standard allows. */
export const LINE_ENDS: readonly Fault[] = ['\r\n', '\r'].map(
  (end): Fault => ({
    row: 0,
    name: `lines that end with ${JSON.stringify(end)}, behind a byte order mark`,
    modes: ['stream'],
    told: 'answer',
    relayed: 'bytes',
    serve(asked) {
      asked.answered = true;
      const text = `\ufeff${framesOf(asked, TEXT).join('').replace(/\r?\n/g, end)}`;
      asked.socket.write(Buffer.concat([Buffer.from(streamHead(asked)), inChunks(text), Buffer.from(LAST_CHUNK)]));
    },
  }),
);
