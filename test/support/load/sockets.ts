import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WHOLE } from '../answers.js';
import { dialectAt } from '../dialect-at.js';
import { askingOf } from './ask.js';
import { DIALECTS } from './mix.js';

/**
 * Both ends of a load on bare sockets: a client and a backend that cost so little that the program between them is what
 * is measured.
 */

const END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** A message that begins at `from`: where its head and the whole of it end. Undefined while it is not whole. */
function messageEnd(bytes: Buffer): { readonly head: string; readonly end: number } | undefined {
  const at = bytes.indexOf(END);
  if (at === -1) return undefined;
  const head = bytes.toString('latin1', 0, at);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = at + 4 + Number(length);
    return end <= bytes.length ? { head, end } : undefined;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { head, end: at + 4 };
  const last = bytes.indexOf(LAST_CHUNK, at + 4);
  return last === -1 ? undefined : { head, end: last + LAST_CHUNK.length };
}

/** Hands over whole messages as they come. */
function readMessages(socket: Socket, take: (head: string, message: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let found = messageEnd(held); found !== undefined; found = messageEnd(held)) {
      take(found.head, held.subarray(0, found.end));
      held = held.subarray(found.end);
      if (held.length === 0) return;
    }
  });
}

const WORDS = 'word '.repeat(200);

/** A plain answer of each dialect of about a kilobyte, ready to be written. */
const ANSWERS = new Map(
  DIALECTS.map((dialect) => {
    const body = JSON.stringify(WHOLE[dialect](WORDS));
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return [dialect, Buffer.from(`${head}\r\n\r\n${body}`)];
  }),
);

/** A backend of all dialects that answers the same to everybody. */
export async function startSocketBackend(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    readMessages(socket, (head) => {
      socket.write(ANSWERS.get(dialectAt(head.split(' ')[1] ?? '')) ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The bytes of a plain request of a client with a body of about 4 KB. */
export function requestBytes(client: (typeof DIALECTS)[number], backend: (typeof DIALECTS)[number]): Buffer {
  const order = { nonce: 'load', pieces: 1, gapMs: 0, call: false };
  const { path, body } = askingOf(client, backend, 'plain', order, 4096);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** What a load came to. */
export interface Loaded {
  /** What was no 2xx with the words in it, the first few. */
  readonly bad: readonly string[];
  readonly perSecond: number;
  /** Time of each answer in ms. */
  readonly times: readonly number[];
}

const FEW = 5;

/** Sends the same request again and again over so many connections. */
export async function loadFor(url: string, bytes: Buffer, connections: number, seconds: number): Promise<Loaded> {
  const port = Number(new URL(url).port);
  const bad: string[] = [];
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const complain = (why: string): void => {
    if (bad.length < FEW) bad.push(why);
  };
  const lane = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sent = 0;
      let over = false;
      const send = (): void => {
        sent = performance.now();
        if (sent < end) {
          socket.write(bytes);
          return;
        }
        over = true;
        socket.destroy();
      };
      socket.on('connect', send);
      readMessages(socket, (head, message) => {
        times.push(performance.now() - sent);
        if (!/^HTTP\/1\.1 2/.test(head) || !message.includes('word word')) complain(message.toString().slice(0, 300));
        send();
      });
      socket.on('error', (error) => complain(error.message));
      socket.on('close', () => {
        if (!over) complain('the connection was closed');
        resolve();
      });
    });
  const lanes = Promise.all(Array.from({ length: connections }, lane));
  const hung = delay(seconds * 1000 + 30_000, 'hung', { ref: false });
  if ((await Promise.race([lanes, hung])) === 'hung') complain('an answer never came');
  const spent = (performance.now() - started) / 1000;
  return { bad, perSecond: times.length / spent, times };
}
