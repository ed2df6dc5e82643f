import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long, in ms, a connection above the limit may take to hear that it is one too many. */
const SURPLUS_MS = 1000;
/** So many connections above the limit get an answer that says so; the ones above those are closed at once. */
const TOLD = 64;

/** What is known of an open connection. */
interface OpenConnection {
  readonly socket: Socket;
  /** Where it stands in the list of its server. */
  index: number;
  /** How many requests on it are open. */
  requests: number;
  /** Since when there is none, in ms of the monotonic clock. */
  quietSince: number;
  /** A caller who may call has called on it. */
  admitted: boolean;
  /** It is above the limit. */
  surplus: boolean;
}

const connections = new WeakMap<Socket, OpenConnection>();

/** Whether a connection is above the limit: what it asks is refused, and nothing follows on it. */
export function isSurplus(socket: Socket): boolean {
  return connections.get(socket)?.surplus === true;
}

/** A request on a connection began (1) or ended (-1): only a quiet connection gives way to another. */
export function countRequest(socket: Socket, change: 1 | -1): void {
  const connection = connections.get(socket);
  if (connection === undefined) return;
  connection.requests += change;
  if (connection.requests === 0) connection.quietSince = performance.now();
}

/** The caller on a connection may call: those who have not shown that give way first. */
export function noteAdmitted(socket: Socket): void {
  const connection = connections.get(socket);
  if (connection !== undefined) connection.admitted = true;
}

/** Holds the connections of a server to a limit (configuration.md#rules, `limits.connections`). */
export interface Connections {
  /** How many there may be from now on; those that are open stay. */
  limitTo(most: number): void;
}

/**
 * Counts the connections of a server. Above the limit the quiet one that has waited longest is closed for the new one, first of those on
 * which nobody was admitted, so that no caller fills the limit with silence. Where a request is open on all of them, the new one lives
 * for a second, in which it hears why it is refused.
 */
export function limitConnections(server: Server, most: number): Connections {
  let limit = most;
  const open: OpenConnection[] = [];
  const leave = (connection: OpenConnection): void => {
    const last = open.at(-1);
    if (open[connection.index] !== connection || last === undefined) return;
    open[connection.index] = last;
    last.index = connection.index;
    open.pop();
  };
  server.maxConnections = limit + TOLD;
  server.on('connection', (socket: Socket) => {
    const quiet = open.length < limit ? undefined : longestQuiet(open);
    if (quiet !== undefined) {
      leave(quiet);
      quiet.socket.destroy();
    }
    const surplus = open.length >= limit;
    const connection = {
      socket,
      index: open.length,
      requests: 0,
      quietSince: performance.now(),
      admitted: false,
      surplus,
    };
    connections.set(socket, connection);
    open.push(connection);
    socket.once('close', () => leave(connection));
    if (!surplus) return;
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

/** The connection without an open request that gives way first. */
function longestQuiet(open: readonly OpenConnection[]): OpenConnection | undefined {
  let found: OpenConnection | undefined;
  for (const connection of open) {
    if (connection.requests > 0 || connection.surplus) continue;
    if (found === undefined || (found.admitted && !connection.admitted)) found = connection;
    else if (found.admitted === connection.admitted && connection.quietSince < found.quietSince) found = connection;
  }
  return found;
}

/**
 * How many connections of clients the system lets this process have, where it says so (Linux): half of the files that it may open, since
 * a call to a backend takes as many as its client. undefined elsewhere.
 */
export function connectionsOfSystem(): number | undefined {
  try {
    const [, files] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return files === undefined ? undefined : Math.max(1, Math.floor(Number(files) / 2));
  } catch {
    return undefined;
  }
}
