import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** A server of node:http that answers by a function of web standards, as adapters of frameworks do. */
export interface Bridge {
  readonly url: string;
  close(): Promise<void>;
}

export async function openBridge(handler: (request: Request) => Promise<Response> | Response): Promise<Bridge> {
  const server = createServer((request, response) => {
    answer(handler, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  handler: (request: Request) => Promise<Response> | Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('the client went away'));
  });
  const headers = new Headers();
  for (let index = 0; index < incoming.rawHeaders.length; index += 2)
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  const { method = 'GET' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init = {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
  };
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, init);
  const response = await handler(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers.entries()));
  if (response.body === null) outgoing.end();
  else {
    outgoing.flushHeaders();
    await pipeline(Readable.fromWeb(response.body as NodeStream<Uint8Array>), outgoing);
  }
}
