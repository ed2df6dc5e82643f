import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long, in ms, a body may go on after its request was answered. */
const LEFTOVER_MS = 10_000;

/**
 * Ends the connection of a client whose body goes on long after the answer: nobody reads it, and until it ends the
 * connection serves nothing else (attacks.md, finding 14).
 */
export function cutLeftover(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const timer = setTimeout(() => request.complete || socket.destroy(), LEFTOVER_MS);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
  });
}
