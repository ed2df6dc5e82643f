import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { dialectAt } from '../dialect-at.js';

/** One request that a script answers, or does not. */
export interface Asked {
  readonly dialect: ReturnType<typeof dialectAt>;
  readonly stream: boolean;
  /** How a stream is to be cut. */
  readonly framing: 'sse' | 'array';
  /** Request line and headers, as they came. */
  readonly head: string;
  readonly body: string;
  readonly socket: Socket;
  /** Set by a script that answered with a whole message, after which the connection may serve another request. */
  answered: boolean;
}

/** Plays one answer on the bare socket. */
export type Script = (asked: Asked) => void;

/** A server that keeps every request, and lets a script write bytes in the place of an HTTP implementation. */
export interface FaultyBackend {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Every request in the order of its arrival, by the name of its script. */
  readonly seen: ReadonlyMap<string, readonly Asked[]>;
  /** Connections that are open. */
  readonly open: number;
  /**
   * Answers requests for the model `name`, or below the path `/at/NAME`; the latter as soon as their head is there.
   */
  on(name: string, script: Script): void;
  close(): Promise<void>;
}

export async function startFaultyBackend(): Promise<FaultyBackend> {
  const scripts = new Map<string, Script>();
  const seen = new Map<string, Asked[]>();
  const sockets = new Set<Socket>();
  const play = (asked: Asked, name: string): void => {
    const script = scripts.get(name);
    const before = seen.get(name);
    if (before === undefined) seen.set(name, [asked]);
    else before.push(asked);
    if (script === undefined) throw new Error(`no script for ${name}`);
    script(asked);
  };
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    readRequests(socket, play);
  });
  const port = await listenOn(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    seen,
    get open() {
      return sockets.size;
    },
    on: (name, script) => scripts.set(name, script),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function listenOn(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Cuts what comes over a connection into requests. */
function readRequests(socket: Socket, play: (asked: Asked, name: string) => void): void {
  let buffer = '';
  let skip = 0;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    buffer += chunk;
    if (skip > 0) {
      const dropped = Math.min(skip, buffer.length);
      buffer = buffer.slice(dropped);
      skip -= dropped;
    }
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = buffer.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const early = /^\S+ \/at\/([^/]+)/.exec(head)?.[1];
      const rest = buffer.slice(end + 4);
      if (early === undefined && rest.length < length) return;
      const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
      skip = Math.max(0, length - rest.length);
      buffer = rest.slice(length);
      const asked = readAsked(socket, head, body);
      play(asked, early ?? modelOf(asked));
    }
  });
}

function readAsked(socket: Socket, head: string, body: string): Asked {
  const path = head.split(' ')[1] ?? '';
  const common = { head, body, socket, answered: false };
  const dialect = dialectAt(path);
  if (dialect === 'generateContent') {
    const framing = path.includes('alt=sse') ? 'sse' : 'array';
    return { ...common, dialect, stream: path.includes(':stream'), framing };
  }
  const stream = /"stream":\s*true/.test(body);
  return { ...common, dialect, stream, framing: 'sse' };
}

function modelOf({ dialect, head, body }: Asked): string {
  const found = dialect === 'generateContent' ? /\/models\/([^:]+):/.exec(head) : /"model":\s*"([^"]+)"/.exec(body);
  return decodeURIComponent(found?.[1] ?? '');
}
