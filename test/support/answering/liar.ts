import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import { listen, shut } from '../sockets.js';

/** A call that a server got. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that does what it is told with each call, until the test ends. */
export async function liar(answer: (call: Call, response: ServerResponse) => void) {
  const calls: Call[] = [];
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const raw = await readText(incoming).catch(() => '');
    const { method = '', url: path = '', headers } = incoming;
    const call = { method, path, body: raw === '' ? {} : JSON.parse(raw), headers };
    calls.push(call);
    answer(call, response);
  });
  const url = await listen(server);
  closing.push(() => shut(server));
  return { url, calls };
}

/** Answers with a stream of events; texts are their data as it is. */
export function stream(response: ServerResponse, ...events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  response.end();
}
