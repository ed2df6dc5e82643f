import type { ServerResponse } from 'node:http';

/** How long, in ms, a body may go on after its request was answered. */
const LEFTOVER_MS = 10_000;

/**
 * Ends the connection of a client whose body goes on long after the answer: nobody reads it, and until it ends the
 * connection serves nothing else (attacks.md, finding 14).
 */
export function cutLeftover(response: ServerResponse): void {
  response.on('finish', waitForLeftover);
}

/** One function for all: it is registered for each request, and has something to do for hardly any. */
function waitForLeftover(this: ServerResponse): void {
  const { req: request } = this;
  if (request.complete) return;
  const { socket } = request;
  const timer = setTimeout(() => request.complete || socket.destroy(), LEFTOVER_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}
