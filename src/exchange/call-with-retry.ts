import { Readable } from 'node:stream';
import { type BackendAsk, type CallKind, createBackoff } from '../backend/index.js';
import { abortedCall, CallFailure, errorCode, errorMessage } from '../ground/index.js';
import { type ClientCall, noteUpstream, runFor, sharerOf, type Waiting } from '../http/index.js';
import { upstreamIdOf } from './answer-head.js';
import type { AnsweredCall, Attempt } from './attempt.js';

/**
 * Calls the backend of a target; connections that cannot be made are tried again after a pause, and nothing else is.
 * `waiting` gets what runs, in the place of the client's call, when several calls run for it.
 */
export async function callWithRetry(
  { gateway, call, target }: Pick<Attempt, 'gateway' | 'call' | 'target'>,
  request: BackendAsk,
  waiting: Waiting = call,
): Promise<AnsweredCall> {
  const backend = gateway.backends.at(target.backend);
  const { name, retries } = backend.config;
  let nextPause: (() => number) | undefined;
  let earlier: CallFailure | undefined;
  for (let repeats = 0; ; repeats += 1) {
    const trace = gateway.tracer.called(call, target);
    const sent =
      trace.headers === undefined ? request : { ...request, headers: { ...request.headers, ...trace.headers } };
    const running = backend.call(sent, {
      kind: request.kind ?? kindOf(call),
      key: sharerOf(gateway.config, call),
      ended(status) {
        gateway.meter.called(name, status);
        trace.ended(call, status);
      },
    });
    runFor(waiting, running);
    try {
      const answer = await running.answer;
      noteUpstream(call, upstreamIdOf(backend.config, answer.headers));
      return { answer, running };
    } catch (thrown) {
      const failure = thrown instanceof CallFailure ? thrown : undefined;
      // That it may not be tried again does not explain why it failed.
      if (failure?.hindrance !== undefined && earlier !== undefined) throw earlier;
      if (!waiting.gone) {
        const level = failure?.hindrance === undefined ? 'warn' : 'debug';
        gateway.logger[level]({ id: call.id, backend: name, reason: reasonOf(thrown) }, 'call failed');
      }
      const most = request.body instanceof Readable ? 0 : Math.min(retries, failure?.repeats ?? 0);
      if (failure === undefined || failure.connected || waiting.gone || repeats >= most) throw thrown;
      earlier = failure;
      nextPause ??= createBackoff();
      await backOff(waiting, nextPause());
    }
  }
}

/** What calls for a client's request are for: its route tells. */
function kindOf({ surface }: ClientCall): CallKind {
  return surface === undefined ? 'conversations' : surface === 'images' ? 'pictures' : 'videos';
}

/** Waits `ms`. Rejects as soon as nobody waits for the answer any more. */
function backOff(waiting: Waiting, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    runFor(waiting, {
      abort(reason = abortedCall()) {
        clearTimeout(timer);
        reject(reason);
      },
    });
  });
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  const { cause } = thrown;
  return cause === undefined ? thrown.message : (errorCode(cause) ?? errorMessage(cause));
}
