import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSimulator, type SimulatorOptions } from '../../src/simulator/index.js';

/** The built-in simulator behind a real socket. */
export interface SimulatorServer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves one simulator on a free loopback port. */
export async function startSimulatorServer(options?: SimulatorOptions): Promise<SimulatorServer> {
  const simulate = createSimulator(options);
  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await text(request);
    const { method = 'GET', url: path = '/' } = request;
    const answer = simulate({ method, path, headers: headersOf(request), body, signal: gone.signal });
    response.writeHead(answer.status, answer.headers);
    if (typeof answer.body === 'string') {
      response.end(answer.body);
      return;
    }
    for await (const piece of answer.body) response.write(piece);
    response.end();
  });
  return { url: await listen(server), close: () => shut(server) };
}

/** Header names in lower case, repeated ones joined. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(entries);
}

/** Listens on a free loopback port and tells the URL. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

/** Ends a server with every connection it has. */
export async function shut(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
