import type { ServerResponse } from 'node:http';

/** How long, in ms, a body may go on after its request was answered. */
const UNREAD_BODY_MS = 10_000;

/**
 * Ends the connection of a client whose body goes on long after the answer: nobody reads it, and until it ends the
 * connection serves nothing else (attacks.md, finding 14).
 */
export function cutUnreadBody(response: ServerResponse): void {
  response.on('finish', waitForUnreadBody);
}

/** One function for all: it is registered for each request, and has something to do for hardly any. */
function waitForUnreadBody(this: ServerResponse): void {
  const { req: request } = this;
  if (request.complete) return;
  const { socket } = request;
  const timer = setTimeout(() => request.complete || socket.destroy(), UNREAD_BODY_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}
