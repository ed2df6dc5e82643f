import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';

/** How a failure of a backend may be told. `model` = a model that the backend does not know. */
export type Kind =
  | 'invalid_request'
  | 'billing'
  | 'permission'
  | 'authentication'
  | 'model'
  | 'conflict'
  | 'too_large'
  | 'rate_limit'
  | 'timeout'
  | 'overloaded'
  | 'internal'
  | 'upstream';

/** Status, and the word of the dialect; of responses the type and, after a slash, the code. */
export type Told = readonly [status: number, word: string];

const REFUSALS = tableOf('refusals');

/** Status and word with which a dialect tells a kind of failure. */
export function refusalOf(dialect: DialectId, kind: Kind): Told {
  return REFUSALS[dialect][kind];
}

const ERROR_BODIES = tableOf('errorBody');

/** An error of a dialect as its own service words it: what a backend sends, as a body and inside a stream. */
export function wordsOf(dialect: DialectId, kind: Kind, message: string): { status: number; body: object } {
  const [status, word] = refusalOf(dialect, kind);
  return { status, body: ERROR_BODIES[dialect](status, word, message) };
}
