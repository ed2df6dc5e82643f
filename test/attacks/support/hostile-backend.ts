import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { dialectAt } from '../../support/dialect-at.js';
import { json, WHOLE } from '../../support/gateway/harness.js';
import { listen, shut } from '../../support/sockets.js';
import { GROWING_ANSWERS } from '../growth/answers.js';
import { GROWING_STREAMS } from '../growth/streams.js';

/** What a backend is told to do by the words of a prompt. */
export type Hostility = 'answer' | 'stream' | 'bytes' | 'deep' | 'fail' | 'hang' | 'comment';

/** The words for a prompt: of answers and streams that grow, `index` says which. */
export function wordsFor(hostility: Hostility, index = 0): string {
  return `{{${hostility} ${index}}}`;
}

/** A backend that answers as its prompt says, in ways that cost whoever reads it. */
export interface HostileBackend {
  readonly url: string;
  close(): Promise<void>;
}

/** Entries of an answer, events of a stream, bytes that come one by one, and how deep an answer is nested. */
const ENTRIES = 5000;
const BYTES = 200_000;
const DEPTH = 9000;

export async function startHostileBackend(): Promise<HostileBackend> {
  const made = new Map<string, string>();
  /** Made once: it is not to cost the time in which others are measured. */
  const madeOf = (name: string, make: () => string): string => {
    const text = made.get(name) ?? make();
    made.set(name, text);
    return text;
  };
  const ways: Record<Hostility, (response: ServerResponse, index: number, dialect: keyof typeof WHOLE) => void> = {
    answer(response, index) {
      const text = madeOf(`answer ${index}`, () => JSON.stringify(GROWING_ANSWERS[index]?.body(ENTRIES)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    },
    stream(response, index) {
      const text = madeOf(`stream ${index}`, () => GROWING_STREAMS[index]?.text(ENTRIES) ?? '');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    },
    bytes: (response, _index, dialect) => void sendBytes(response, JSON.stringify(WHOLE[dialect]('x'.repeat(BYTES)))),
    deep(response, _index, dialect) {
      const whole = JSON.stringify(WHOLE[dialect]('hi'));
      const deep = `{"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},${whole.slice(1)}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(deep);
    },
    fail: (response) => json(response, 500, { type: 'error', error: { type: 'api_error', message: 'x' } }),
    // Until the client goes away.
    hang() {},
    comment(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`: ${'k'.repeat(100_000)}\n\n`.repeat(10));
    },
  };
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const body = await readText(incoming).catch(() => '');
    const [, way = '', index] = /\{\{(\w+) (\d+)\}\}/.exec(body) ?? [];
    const dialect = dialectAt(incoming.url ?? '');
    if (isHostility(way)) ways[way](response, Number(index), dialect);
    else json(response, 200, WHOLE[dialect]('hi'));
  });
  function isHostility(word: string): word is Hostility {
    return Object.hasOwn(ways, word);
  }
  return { url: await listen(server), close: () => shut(server) };
}

/** Sends every byte as a chunk of its own, as fast as it is taken. */
async function sendBytes(response: ServerResponse, body: string): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  socket.write(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
  );
  const step = 16 * 1024;
  for (let at = 0; at < body.length && !socket.destroyed; at += step) {
    const piece = Array.from(body.slice(at, at + step), (byte) => `1\r\n${byte}\r\n`).join('');
    if (!socket.write(piece)) while (socket.writableLength > 0 && !socket.destroyed) await turn();
  }
  socket.end('0\r\n\r\n');
}
