import type { BackendAnswer } from '../backend/index.js';
import { copied, type ToThread } from './messages.js';
import { packFailure } from './packed-failure.js';

/** Brings the answer of a backend to a thread, no faster than the thread reads it. */
export interface AnswerReader {
  /** The thread has so many bytes more of it. */
  read(size: number): void;
  /** The thread wants no more for now, or goes on. */
  hold(wanted: boolean): void;
}

/** So many bytes may be on their way to the thread. */
const AHEAD = 512 * 1024;

export function readAnswer(
  call: number,
  answer: BackendAnswer,
  post: (message: ToThread, memory?: ArrayBuffer[]) => void,
): AnswerReader {
  let ahead = 0;
  let held = false;
  let paused = false;
  const settle = (): void => {
    const pause = held || ahead > AHEAD;
    if (pause === paused) return;
    paused = pause;
    if (pause) answer.pause();
    else answer.resume();
  };
  post({ kind: 'head', call, status: answer.status, headers: { ...answer.headers } });
  answer.pipe({
    data(chunk) {
      const { bytes, memory } = copied(chunk);
      ahead += bytes.byteLength;
      post({ kind: 'data', call, chunk: bytes }, [memory]);
      settle();
    },
    end: () => post({ kind: 'end', call }),
    fail: (failure) => post({ kind: 'fail', call, failure: packFailure(failure) }),
  });
  return {
    read(size) {
      ahead -= size;
      settle();
    },
    hold(wanted) {
      held = wanted;
      settle();
    },
  };
}
