import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';

/** Header names in lower case, repeated ones joined. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(entries);
}

/** Longer than any test: a machine that is busy closes idle connections late, just when the next request is on its way. */
const IDLE_MS = 120_000;

/** Listens on a free loopback port and tells the URL. */
export async function listen(server: Server): Promise<string> {
  server.keepAliveTimeout = IDLE_MS;
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
