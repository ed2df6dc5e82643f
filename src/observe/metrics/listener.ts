import { createServer, type Server, type ServerResponse } from 'node:http';
import { type Address, startListening } from '../../http/index.js';
import type { Scrape } from './meter.js';

/** A server for `/metrics` alone. */
export interface MetricsListener {
  readonly address: Address;
  close(): Promise<void>;
}

const PATH = /^\/+metrics\/*(?:\?|$)/;

/** Listens where the configuration says. Rejects with one line when it cannot. */
export async function startMetricsListener(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => Promise<Scrape>,
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    request.resume();
    if (!PATH.test(request.url ?? '')) return refuse(response, 404, 'there is only /metrics\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, 405, 'GET and HEAD only\n', { allow: 'GET, HEAD' });
    }
    render().then(
      ({ type, text }) => answer(response, 200, type, text),
      () => refuse(response, 503, 'the metrics cannot be gathered\n'),
    );
  });
  const address = await startListening(server, host, port, { host: 'metrics.host', port: 'metrics.port' });
  // Nobody waits for a scraper's idle connection.
  server.unref();
  return { address, close: () => closeServer(server) };
}

function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  answer(response, status, 'text/plain', text);
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
