import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../sockets.js';

/** A proxy as companies have them. It resolves no names: whatever is asked for, it speaks to one server. */
export interface ForwardProxy {
  readonly url: string;
  /** `CONNECT HOST:PORT` of each tunnel, and `METHOD URL` of each request that named its host, with its headers. */
  readonly seen: { readonly line: string; readonly headers: IncomingHttpHeaders }[];
  /** What a tunnel is refused with; undefined = it is built. */
  refusal: number | undefined;
  close(): Promise<void>;
}

/** `port` is that of the server on this machine that stands for all others. */
export async function startProxy(port: number): Promise<ForwardProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    proxy.seen.push({ line: `${method} ${url}`, headers });
    const { pathname, search } = new URL(url);
    const { 'proxy-authorization': _own, ...kept } = headers;
    const outgoing = request({ host: '127.0.0.1', port, method, path: pathname + search, headers: kept }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url, headers }, socket: Socket) => {
    proxy.seen.push({ line: `CONNECT ${url}`, headers });
    socket.on('error', () => {});
    if (proxy.refusal !== undefined) {
      socket.end(`HTTP/1.1 ${proxy.refusal} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const far = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket);
      socket.pipe(far);
    });
    sockets.add(far);
    far.on('error', () => socket.destroy());
    far.on('close', () => sockets.delete(far));
  });
  const proxy: ForwardProxy = {
    url: await listen(server),
    seen: [],
    refusal: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}
