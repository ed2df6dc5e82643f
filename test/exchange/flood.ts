import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DialectId } from '../../translators/index.js';
import { type Asked, type FaultyBackend, inChunks, LAST_CHUNK, streamHead } from '../support/faulty-backend.js';
import { DIALECTS, FRAMES, STREAM } from '../support/gateway/harness.js';
import { DELTA, longDelta } from './cells.js';

/** A long stream that a backend is sending. */
export interface Flow {
  readonly dialect: DialectId;
  /** Bytes handed to the connection so far. */
  sent: number;
  /** The connection is closed. */
  closed: boolean;
}

/** Lets the models `fast`, `slow`… of all dialects answer with a stream of at least `bytes`, held back as HTTP does. */
export function flood(backend: FaultyBackend, model: string, bytes: number, flows: Flow[]): void {
  backend.on(model, (asked) => {
    const { socket, dialect } = asked;
    const flow: Flow = { dialect, sent: 0, closed: false };
    flows.push(flow);
    // A connection may carry many, one after the other.
    socket.setMaxListeners(0).on('close', () => {
      flow.closed = true;
    });
    void pour(asked, bytes, flow);
  });
}

const PLACE = 'x'.repeat(12);

/** What the text of each delta begins with. */
export function markOf(number: number): string {
  return String(number).padStart(PLACE.length, '0');
}

async function pour(asked: Asked, bytes: number, flow: Flow): Promise<void> {
  const { socket, dialect } = asked;
  const frames = FRAMES[dialect]('end of the flood');
  const at = DELTA[dialect] + 1;
  socket.write(streamHead(asked) + inChunks(frames.slice(0, at).join('')));
  const delta = longDelta(dialect);
  for (let number = 0; flow.sent < bytes && !flow.closed; number += 1) {
    const piece = inChunks(delta.replace(PLACE, markOf(number)));
    flow.sent += piece.length;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
  asked.answered = true;
  if (!flow.closed) socket.write(inChunks(frames.slice(at).join('')) + LAST_CHUNK);
}

/** All nine pairs, in turn. */
export function pairAt(index: number): { readonly client: DialectId; readonly dialect: DialectId } {
  return { client: DIALECTS[index % 3] ?? 'messages', dialect: DIALECTS[Math.floor(index / 3) % 3] ?? 'messages' };
}

/** Asks for a stream and reads nothing of it. */
export function stall(port: number, client: DialectId, model: string): Socket {
  const { path, body } = STREAM[client](model);
  const payload = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
  );
  return socket;
}
