import { type ImageAnswer, TranslationError } from '../../translators/index.js';
import { type BackendAsk, collectBody } from '../backend/index.js';
import { type AnsweredCall, callWithRetry, failureOf } from '../exchange/index.js';
import { CallFailure, Failure, MB } from '../ground/index.js';
import type { Waiting } from '../http/index.js';
import { checkAnswerType, parseAnswer } from '../protocol/index.js';
import type { MediaAttempt } from './services.js';

/** Several calls at the same time for one request. */
export interface Calls {
  /** Starts them. Resolves with the first that is answered well, else with the first refusal; rejects when none is answered. */
  start(): Promise<AnsweredCall>;
  /**
   * Reads every good answer as soon as its head is there. Resolves, once all are read, with what came out in the order of
   * the calls, and with why the others failed. Meant for after `start`.
   */
  each<T>(
    read: (answered: AnsweredCall) => Promise<T>,
  ): Promise<{ readonly values: readonly T[]; readonly failures: readonly unknown[] }>;
}

/** Prepares the calls. All of them end when the client goes away. */
export function createCalls(attempt: MediaAttempt, asks: readonly BackendAsk[]): Calls {
  const { call } = attempt;
  let started: readonly Promise<AnsweredCall>[] = [];
  return {
    async start() {
      const waiting = asks.map((): Waiting => ({ running: undefined, gone: call.gone, stopped: call.stopped }));
      call.running = {
        abort(reason) {
          for (const one of waiting) {
            one.gone = reason === undefined;
            one.stopped = reason;
            one.running?.abort(reason);
          }
        },
      };
      started = asks.map((ask, index) => callWithRetry(attempt, ask, waiting[index]));
      const good = started.map((one) =>
        one.then((answered) => (isGood(answered) ? answered : Promise.reject(answered))),
      );
      const first = await Promise.any(good).catch(() => undefined);
      if (first !== undefined) return first;
      const settled = await Promise.allSettled(started);
      // Whether such a call made its picture is not known, so that no other backend may be asked for it.
      const lost = settled.find((one) => one.status === 'rejected' && isOpen(one.reason));
      if (lost?.status === 'rejected') throw lost.reason;
      const refused = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const { running } of refused.slice(1)) running.abort();
      const [refusal] = refused;
      if (refusal !== undefined) return refusal;
      throw settled.find((one) => one.status === 'rejected')?.reason;
    },
    async each(read) {
      const reading = started.map(async (one) => {
        const answered = await one;
        if (!isGood(answered)) throw await failureOf(attempt, answered);
        return read(answered);
      });
      const settled = await Promise.allSettled(reading);
      return {
        values: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
        failures: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
      };
    },
  };
}

function isOpen(reason: unknown): boolean {
  return reason instanceof CallFailure && reason.connected;
}

function isGood({ answer }: AnsweredCall): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The whole answers of all calls. Some may fail as long as there is a picture at all; else the first failure is thrown. */
export async function readAnswers(
  attempt: MediaAttempt,
  calls: Calls,
  read: (body: Record<string, unknown>) => ImageAnswer,
): Promise<readonly ImageAnswer[]> {
  const { values, failures } = await calls.each((answered) => readOne(attempt, answered, read));
  if (values.length === 0) throw failures[0];
  return values;
}

async function readOne(
  { gateway }: MediaAttempt,
  { answer, running }: AnsweredCall,
  read: (body: Record<string, unknown>) => ImageAnswer,
): Promise<ImageAnswer> {
  try {
    checkAnswerType(answer.headers, 'json');
  } catch (thrown) {
    running.abort();
    throw thrown;
  }
  const { limits } = gateway.config;
  return read(parseAnswer(await collectBody(answer, limits.eventMb * MB, running.abort), limits));
}

/** A failure after a backend may have begun: trying again would pay again (media.md 4.4, 6.5). */
export function costly(thrown: unknown): unknown {
  const error =
    thrown instanceof Failure ? thrown.error : thrown instanceof TranslationError ? thrown.toCanonical() : undefined;
  if (error === undefined || error.retry !== undefined) return thrown;
  if (!COSTLY.has(error.kind) && !isOpen(thrown)) return thrown;
  const headers = thrown instanceof Failure ? thrown.headers : undefined;
  return new Failure(
    { ...error, retry: false, ...(isOpen(thrown) && { retryAfterMs: undefined }) },
    { cause: thrown, ...(headers !== undefined && { headers }) },
  );
}

const COSTLY: ReadonlySet<string> = new Set(['upstream', 'timeout', 'internal']);
