import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dialects } from '../../translators/index.js';
import type { LimitsConfig } from '../config/index.js';
import { DEFAULT_DIALECT } from '../dialects/index.js';
import { baseOf, errorCode, isLoopback, plainAddress } from '../ground/index.js';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/** Longer than balancers keep an idle connection, so that they close it first. */
const KEEP_ALIVE_MS = 75_000;
/** How often Node looks for requests whose head does not arrive. */
const CHECK_MS = 1000;

/**
 * An HTTP server around what answers its requests. Of Node's own limits only the one on the request's head is on. `draining` tells
 * that no connection is to be used again.
 */
export function createHttpServer(handler: RequestListener, limits: LimitsConfig, draining: () => boolean): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersSeconds * 1000,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    handler,
  );
  server.on('clientError', refuseUnreadable);
  server.on('checkContinue', (request, response) => askForBody(request, response, handler, draining));
  return server;
}

/**
 * Asks a client that waits for it to send its body only once somebody reads it: what is refused by its head is refused
 * before the body comes, on a connection that nothing follows on (media.md 3.5.6).
 */
function askForBody(
  request: IncomingMessage,
  response: ServerResponse,
  handler: RequestListener,
  draining: () => boolean,
): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive && !draining();
    response.writeContinue();
  });
  handler(request, response);
}

/** What Node cannot read as HTTP gets a JSON error all the same; its route, and with it its dialect, is unknown. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, phrase] = STATUS[error.code ?? ''] ?? [400, 'Bad Request'];
  const { body } = dialects[DEFAULT_DIALECT].encodeError(
    { kind: 'invalid_request', message: 'the request is not valid HTTP', status },
    {},
  );
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n` +
      `connection: close\r\n\r\n${text}`,
  );
}

const STATUS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Connections that may wait to be taken: a burst is more than Node's 511. The system's own limit may be lower. */
const BACKLOG = 4096;

/** Where the address of a server is chosen: what a message names for another one. */
export interface Chosen {
  readonly host: string;
  readonly port: string;
}

const MAIN: Chosen = { host: '--host or listen.host', port: '--port or listen.port' };

/** What is so, and how to go on, by the system's word for it. */
const OBSTACLES: Readonly<Record<string, (chosen: Chosen) => string>> = {
  EADDRINUSE: ({ port }) => `another program has this port already: end it, or choose another port with ${port}`,
  EACCES: ({ port }) => `this user may not use this port: choose one from 1024 with ${port}`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address: choose one that it has with ${host}`,
  ENOTFOUND: ({ host }) => `this name leads to no address: choose another with ${host}`,
};

/** Begins to listen; rejects with one line that says why it cannot, and how to go on. */
export function startListening(server: Server, host: string, port: number, chosen = MAIN): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error) ?? error.message;
      const obstacle = OBSTACLES[code]?.(chosen);
      const reason = obstacle === undefined ? ` (${code})` : `: ${obstacle} (${code})`;
      reject(new Error(`cannot listen on ${host}:${port}${reason}`));
    });
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      resolve({ host, port: taken, url: baseOf(host, taken) });
    });
  });
}

/** Takes no more connections; resolves when the last one has ended. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
}

/** Whether a connection comes from this machine: a header could say anything. */
export function isLocal({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return isLoopback(plainAddress(socket.remoteAddress));
}

/** The URL at which a connection reached us: for links where only somebody else knows where we are mounted. */
export function reachedAt({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const url = baseOf(plainAddress(socket.localAddress), socket.localPort ?? 0);
  return 'encrypted' in socket ? url.replace(/^http:/, 'https:') : url;
}
