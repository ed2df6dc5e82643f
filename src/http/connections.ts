import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long, in ms, a connection above the limit may take to hear that it is one too many. */
const SURPLUS_MS = 1000;
/** So many connections above the limit get an answer that says so; the ones above those are closed at once. */
const TOLD = 64;

const surplus = new WeakSet<Socket>();

/** Whether a connection is above the limit: what it asks is refused, and nothing follows on it. */
export function isSurplus(socket: Socket): boolean {
  return surplus.has(socket);
}

/** Holds the connections of a server to a limit (contract 3.1, `limits.connections`). */
export interface Connections {
  /** How many there may be from now on; those that are open stay. */
  limitTo(most: number): void;
}

/** Counts the connections of a server. One above the limit lives for a second, in which it hears why it is refused. */
export function limitConnections(server: Server, most: number): Connections {
  let limit = most;
  let open = 0;
  server.maxConnections = limit + TOLD;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open <= limit) return;
    surplus.add(socket);
    const timer = setTimeout(() => socket.destroy(), SURPLUS_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  });
  return {
    limitTo(next) {
      limit = next;
      server.maxConnections = limit + TOLD;
    },
  };
}
