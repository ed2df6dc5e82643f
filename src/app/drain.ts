import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../gateway/index.js';
import { stoppedCall } from '../ground/index.js';
import { sendFailure, stopListening } from '../http/index.js';

/** How often, in ms, is looked whether anything is still open. */
const LOOK_MS = 20;
/** How long, in ms, what was aborted may take to report that to its client. */
const LAST_WORD_MS = 500;
/** How long, in ms, a client may take to read the end of an answer that was cut short. */
const READ_MS = 1000;
/** How long, in ms, the head of a request may take that is on its way when everything else has ended. */
const HEAD_MS = 100;

type Draining = Pick<Services, 'state' | 'jobs'>;

/** From now on every answer is the last of its connection, so that clients look for another gateway. */
export function hangUp({ state }: Pick<Services, 'state'>): void {
  state.draining = true;
  for (const { response } of state.open) {
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
}

/**
 * Takes no more connections and lets what is open finish, requests and background answers, for `seconds` at most. Then
 * ends what is left, truthfully: streams with the error frames of their dialect, what has no answer yet with 503.
 */
export async function drain(server: Server, draining: Draining, seconds: number): Promise<void> {
  const { state, jobs } = draining;
  const closed = stopListening(server);
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  await until(() => state.requests === 0 && jobs.size === 0, seconds * 1000);
  await endOpen(draining);
  clearInterval(idle);
  await Promise.race([closed, delay(HEAD_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

/** Background answers end after those who follow them got their last frame. */
async function endOpen({ state, jobs }: Draining): Promise<void> {
  const reason = stoppedCall();
  for (const call of state.open) {
    call.stopped = reason;
    call.running?.abort(reason);
  }
  await until(() => state.requests === 0, LAST_WORD_MS);
  for (const call of state.open) {
    const { request, response } = call;
    // Who still waits for the body hears that it will not come.
    response.once('close', () => request.destroy());
    if (!response.headersSent) call.record.error = sendFailure(call, reason);
    else if (!response.writableEnded) {
      call.record.error = reason.error.kind;
      response.destroy();
    }
  }
  await jobs.close(0);
  await until(() => state.requests === 0, READ_MS);
  for (const { response } of state.open) response.destroy();
}

async function until(reached: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!reached() && performance.now() < end) await delay(LOOK_MS);
}
