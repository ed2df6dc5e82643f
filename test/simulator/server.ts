import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSimulator, type SimulatorOptions, type SimulatorRequest } from '../../src/simulator/index.js';
import { headersOf, listen, shut } from '../support/sockets.js';

/** The built-in simulator behind a real socket. */
export interface SimulatorServer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves one simulator on a free loopback port. `hear` is told each request and the status of its answer. */
export async function startSimulatorServer(
  options?: SimulatorOptions,
  hear?: (request: SimulatorRequest, status: number) => void,
): Promise<SimulatorServer> {
  const simulate = createSimulator(options);
  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await text(request);
    const { method = 'GET', url: path = '/' } = request;
    const asked = { method, path, headers: headersOf(request), body, signal: gone.signal };
    const answer = simulate(asked);
    hear?.(asked, answer.status);
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
