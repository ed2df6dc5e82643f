import type { ErrorPlace } from '../quoting.js';
import type { TestDialect } from './record.js';

/** An error of the service that both of its dialects word alike; the word is `type/code`. */
export const openaiErrorBody: TestDialect['errorBody'] = (_status, word, message) => {
  const [type, code] = word.split('/');
  return { error: { message, type, param: null, code: code === 'null' ? null : code } };
};

/** The headers of a refusal for a limit of a key, which its two dialects have alike. */
export const openaiLimitHeaders: TestDialect['limitHeaders'] = (kind, like) => ({
  'retry-after': like.seconds,
  'retry-after-ms': like.millis,
  ...(kind !== 'concurrency' && {
    [`x-ratelimit-limit-${kind}`]: kind === 'requests' ? '1' : '5',
    [`x-ratelimit-remaining-${kind}`]: '0',
    [`x-ratelimit-reset-${kind}`]: like.duration,
  }),
});

/** An error of two dialects that quotes a key. */
export function openaiErrorQuoting(place: ErrorPlace, key: string): object {
  return {
    error: {
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      type: 'invalid_request_error',
      param: place === 'param' ? key : null,
      code: place === 'code' ? key : null,
    },
  };
}
