import { type ImageAnswer, TranslationError } from '../../translators/index.js';
import { type BackendAsk, CallFailure, collectBody } from '../backend.js';
import { checkAnswerType, parseAnswer } from '../exchange/answer-type.js';
import type { Attempt, Reached, Waiting } from '../exchange/passage.js';
import { Failure } from '../http/failure.js';

/** Several calls at the same time for one request. */
export interface Calls {
  /** Starts them. Resolves with the first that is answered well, else with the first refusal; rejects when none is answered. */
  reach(): Promise<Reached>;
  /**
   * Reads every good answer as soon as its head is there. Resolves, once all are read, with what came out in the order of
   * the calls, and with why the others failed. Meant for after `reach`.
   */
  each<T>(
    read: (reached: Reached) => Promise<T>,
  ): Promise<{ readonly values: readonly T[]; readonly failures: readonly unknown[] }>;
}

/** Prepares the calls. All of them end when the client goes away. */
export function createCalls(attempt: Attempt, asks: readonly BackendAsk[]): Calls {
  const { call } = attempt;
  let started: readonly Promise<Reached>[] = [];
  return {
    async reach() {
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
      started = asks.map((ask, index) => attempt.reach(ask, waiting[index]));
      const good = started.map((one) => one.then((reached) => (isGood(reached) ? reached : Promise.reject(reached))));
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
        const reached = await one;
        if (!isGood(reached)) throw await attempt.refusal(reached);
        return read(reached);
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

function isGood({ answer }: Reached): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The whole answers of all calls. Some may fail as long as there is a picture at all; else the first failure is thrown. */
export async function readAnswers(
  attempt: Attempt,
  calls: Calls,
  read: (body: Record<string, unknown>) => ImageAnswer,
): Promise<readonly ImageAnswer[]> {
  const { values, failures } = await calls.each((reached) => readOne(attempt, reached, read));
  if (values.length === 0) throw failures[0];
  return values;
}

const MB = 1024 * 1024;

async function readOne(
  { gateway }: Attempt,
  { answer, running }: Reached,
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
