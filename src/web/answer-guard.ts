import { finderOf, type SecretFinder } from '../ground/plain/index.js';
import { containsSecret, createTextFilter, type TextFilter, WEB_BYTES } from '../guard/index.js';

/** Keeps from clients what they must not see of one backend, in its answers. */
export interface AnswerGuard {
  /** Finds what that is. */
  readonly finder: SecretFinder;
  /** Whether a whole answer holds a secret; `parsed` = its value. */
  leaks(answer: string | Uint8Array, parsed: unknown): boolean;
  /** For the text of a stream that is translated. */
  translated(framing: 'sse' | 'array'): TextFilter;
}

/** The guard of a backend that is called with these secrets. */
export function answerGuard(secrets: readonly string[]): AnswerGuard {
  const finder = finderOf(secrets);
  return {
    finder,
    leaks(answer, parsed) {
      const text = (): string => (typeof answer === 'string' ? answer : WEB_BYTES.latin1(answer));
      return containsSecret(finder, text, parsed);
    },
    translated: (framing) => createTextFilter(finder, framing),
  };
}
