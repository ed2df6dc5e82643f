import { type DialectId, dialectIds } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';
import type { Ask, Asked, Framing, Sending } from './wire/requests.js';

const REQUESTS = tableOf('request') as Readonly<Record<DialectId, Ask>>;

/** The request of a client of a dialect, and where it is sent. */
export function requestTo(dialect: DialectId, asked: Asked): Sending {
  return REQUESTS[dialect](asked);
}

type Asking = (model: string, more?: object) => Sending;

function greeting(framing: Framing): Readonly<Record<DialectId, Asking>> {
  const each = dialectIds.map((id): [DialectId, Asking] => [
    id,
    (model, more) => {
      const { path, body } = requestTo(id, { model, turns: ['Hello'], framing });
      return { path, body: { ...body, ...more } };
    },
  ]);
  return Object.fromEntries(each) as Record<DialectId, Asking>;
}

/** A plain conversation request, and where it goes. */
export const ASK = greeting('plain');

/** The same, streamed. */
export const STREAM = greeting('stream');

const COUNT_PATHS = tableOf('countPath');

/** A count of the tokens of {@link ASK}, for a dialect that counts. */
export function countOf(dialect: DialectId, model: string): Sending {
  const { max_tokens: _cap, ...body } = ASK[dialect](model).body;
  return { path: (COUNT_PATHS[dialect] ?? '').replace('g-real', model), body };
}
