/**
 * A process of its own that plays both ends of an exchange: a backend that answers from memory, and a client that calls
 * what it is told. Speaks with its parent by messages, so that the parent's processor time is the gateway's alone.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { DialectId } from '../../translators/index.js';
import { answerStream, WHOLE } from '../support/answers.js';
import { MARK } from './fresh.js';

/** What the parent asks for. */
export interface LoadOrder {
  readonly url: string;
  /** Each call has a number of its own in the place of each {@link MARK}. */
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly count: number;
  readonly concurrency: number;
}

const DELTAS = 200;
const DIALECTS: Readonly<Record<string, DialectId>> = {
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  '/v1/chat/completions': 'chatCompletions',
};

/** A backend that sends the events of a stream at once, or `apart`: each in a packet of its own, as services do. */
const backend = (apart: boolean): Server =>
  createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on('end', async () => {
      const path = (incoming.url ?? '').split('?')[0] ?? '';
      const dialect = DIALECTS[path] ?? 'generateContent';
      const streamed = /"stream": ?true/.test(body) || path.includes(':stream');
      if (!streamed) {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify(WHOLE[dialect]('word '.repeat(40))));
        return;
      }
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of answerStream(dialect, DELTAS)) {
        outgoing.write(event);
        if (apart) await setImmediate();
      }
      outgoing.end(dialect === 'chatCompletions' ? 'data: [DONE]\n\n' : '');
    });
  });

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

let calls = 0;

/** Gives the time to the first byte of the answer's body, in ms. */
function call(order: LoadOrder): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let first = 0;
    const outgoing = request(order.url, { method: 'POST', agent, headers: order.headers }, (incoming) => {
      incoming.once('data', () => {
        first = performance.now() - begun;
      });
      incoming.resume();
      incoming.on('end', () =>
        incoming.statusCode === 200 ? resolve(first) : reject(new Error(`${incoming.statusCode}`)),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    calls += 1;
    outgoing.end(order.body.replaceAll(MARK, String(calls).padStart(MARK.length, '0')));
  });
}

async function run(order: LoadOrder): Promise<number[]> {
  const times: number[] = [];
  let left = order.count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      times.push(await call(order));
    }
  };
  await Promise.all(Array.from({ length: order.concurrency }, lane));
  return times;
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (times) => process.send?.({ times }),
    (error: unknown) => process.send?.({ reason: String(error) }),
  );
});

async function listening(server: Server): Promise<number> {
  // Longer than any pause of a client: a connection that is closed while it sends a request is an error for some.
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

process.send?.({ port: await listening(backend(false)), apartPort: await listening(backend(true)) });
