import { errorMessage } from '../ground/index.js';

/** Called when the shared counts become unreachable, with the reason, and with undefined when they are reachable again. */
export type ReportShared = (reason: string | undefined) => void;

/** The way to counts that several processes share. */
export interface Link {
  /**
   * Asks; rejects when there is no answer within `WAIT_MS`. After that it rejects at once, but for one question now and
   * then that tries again.
   */
  ask<T>(question: () => Promise<T>): Promise<T>;
  /** The way was seen to be broken. */
  lost(reason: string): void;
  /** It may be whole again: the next question tries. */
  retry(): void;
}

/** How long, in ms, a request waits for shared counts. */
const WAIT_MS = 1000;

/** First and longest time, in ms, between two tries of a broken way. */
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** `tell` hears of each change once. */
export function createLink(report: ReportShared): Link {
  let broken: string | undefined;
  let nextTry = 0;
  let pause = PAUSE_MS;
  const lost = (reason: string): void => {
    const first = broken === undefined;
    broken = reason;
    nextTry = performance.now() + pause;
    if (first) report(reason);
  };
  return {
    async ask(question) {
      if (broken !== undefined) {
        if (performance.now() < nextTry) throw new Error(broken);
        // The others do not wait for this try.
        nextTry = performance.now() + WAIT_MS + pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      try {
        const answer = await within(WAIT_MS, question());
        if (broken !== undefined) {
          broken = undefined;
          pause = PAUSE_MS;
          report(undefined);
        }
        return answer;
      } catch (error) {
        lost(errorMessage(error));
        throw error;
      }
    },
    lost,
    retry() {
      nextTry = 0;
    },
  };
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
