import { Readable } from 'node:stream';
import { type BackendAnswer, type BackendAsk, type CallKind, createBackoff } from '../backend/index.js';
import { abortedCall, CallFailure, errorCode, errorMessage } from '../ground/index.js';
import {
  type CallRecord,
  type ClientCall,
  noteTried,
  noteUpstream,
  runFor,
  sharerOf,
  type Tried,
  type Waiting,
  watchCalled,
} from '../http/index.js';
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
    const times = timeCall(call.record);
    const running = backend.call(sent, {
      kind: request.kind ?? kindOf(call),
      key: sharerOf(gateway.config, call),
      begun: times.begun,
      ended(status) {
        times.ended();
        gateway.meter.called(name, status);
        trace.ended(call, status);
      },
    });
    runFor(waiting, running);
    try {
      const answer = await running.answer;
      noteUpstream(call, upstreamIdOf(backend.config, answer.headers));
      const see = watchCalled(call.request, request.body, answer.headers['content-type']);
      return { answer: see === undefined ? answer : seen(answer, see), running };
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
      noteTried(call, { ...calledFacts(target), reason: 'unreachable', next: 'again' }, failure.error);
      nextPause ??= createBackoff();
      const pause = nextPause();
      await backOff(waiting, pause);
      call.record.waitedMs = (call.record.waitedMs ?? 0) + pause;
    }
  }
}

/** An answer whose pieces are seen on their way to who reads it. */
function seen(answer: BackendAnswer, see: (piece: Uint8Array) => void): BackendAnswer {
  return {
    ...answer,
    pipe(sink) {
      answer.pipe({
        data(piece) {
          see(piece);
          sink.data(piece);
        },
        end: () => sink.end(),
        fail: (failure) => sink.fail(failure),
      });
    },
  };
}

/** Measures a call for the record of its request: how long it waits for a place, and how long it takes from there to its end. */
function timeCall(record: CallRecord): { begun(): void; ended(): void } {
  const asked = performance.now();
  let left: number | undefined;
  return {
    begun() {
      left = performance.now();
      record.leftAt = left;
      record.waitedMs = (record.waitedMs ?? 0) + left - asked;
    },
    ended() {
      const now = performance.now();
      record.leftAt = undefined;
      if (left === undefined) record.waitedMs = (record.waitedMs ?? 0) + now - asked;
      else record.backendMs = (record.backendMs ?? 0) + now - left;
    },
  };
}

/** Which target a call was for. */
export function calledFacts({ backend, model }: Attempt['target']): Pick<Tried, 'backend' | 'dialect' | 'target'> {
  return { backend: backend.name, dialect: backend.dialect, target: model };
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
