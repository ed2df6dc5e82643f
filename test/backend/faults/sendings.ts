import fc from 'fast-check';
import { type DialectId, dialectIds, encodeRequest, TranslationError } from '../../../translators/index.js';
import { requests } from '../../laws/honesty/requests.js';
import { DOMAINS } from '../../laws/honesty/targets.js';
import { tableOf } from '../../support/dialects/index.js';
import { malformed } from './mutations.js';

const ROUTES = tableOf('routes');

/** Whole requests of a dialect, as its own encoder writes them. */
function valid(dialect: DialectId): fc.Arbitrary<object> {
  return requests(dialect, DOMAINS)
    .map((request) => encoded(dialect, request))
    .filter((body) => body !== undefined);
}

function encoded(dialect: DialectId, request: Parameters<typeof encodeRequest>[1]): object | undefined {
  try {
    return encodeRequest(dialect, request).value;
  } catch (thrown) {
    if (thrown instanceof TranslationError) return undefined;
    throw thrown;
  }
}

/** A body on its way to a route. */
export interface Sent {
  readonly path: string;
  readonly body: string;
}

/** Malformed bodies for all conversation routes of a dialect; the models are named as the dialects. */
export function sendings(dialect: DialectId): fc.Arbitrary<Sent> {
  return fc
    .record({
      route: fc.constantFrom(...ROUTES[dialect]),
      model: fc.constantFrom(...dialectIds),
      stream: fc.boolean(),
    })
    .chain(({ route, model, stream }) => {
      const named = valid(dialect).map((body) =>
        dialect === 'generateContent' ? body : { ...body, model, stream: stream && !route.includes('_tokens') },
      );
      const path = dialect === 'generateContent' ? `/v1beta/models/${model}${route}` : route;
      return malformed(named).map((body) => ({ path, body }));
    });
}
