import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { listen, shut } from '../support/sockets.js';

/** One exchange between an agent and the gateway, as it was on the wire. */
export interface Tapped {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
  readonly answerHeaders: IncomingHttpHeaders;
  readonly answer: string;
}

/** A server in front of another one that hands everything on as it comes and keeps a copy. */
export interface Tap {
  readonly url: string;
  /** Exchanges that are complete, in the order in which they began. */
  readonly exchanges: readonly Tapped[];
  close(): Promise<void>;
}

/** Listens in front of the server at `target`. */
export async function startTap(target: string): Promise<Tap> {
  const slots: (Tapped | undefined)[] = [];
  const server = createServer((incoming, response) => {
    const slot = slots.push(undefined) - 1;
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body: Buffer[] = [];
    const outgoing = request(target, { method, path, headers, agent: false }, (inner) => {
      const answer: Buffer[] = [];
      const { statusCode: status = 0, headers: answerHeaders } = inner;
      response.writeHead(status, inner.headers);
      inner.on('data', (chunk: Buffer) => {
        answer.push(chunk);
        response.write(chunk);
      });
      inner.on('error', () => response.destroy());
      inner.on('end', () => {
        slots[slot] = { method, path, headers, body: textOf(body), status, answerHeaders, answer: textOf(answer) };
        response.end();
      });
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.pipe(outgoing);
  });
  return {
    url: await listen(server),
    get exchanges() {
      return slots.filter((slot) => slot !== undefined);
    },
    close: () => shut(server),
  };
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString();
}
