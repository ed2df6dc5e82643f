/** `interlingua/fetch/core`: `createFetch` for the dialects that are handed over, and no others. */
import type { CallerDialect, DialectId, ServiceDialect } from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import { makeFetch } from './create-fetch.js';
import { type CommonOptions, fault, type SpeechOptions } from './options.js';

export type { CallerDialect, ServiceDialect } from '../../translators/index.js';
export type { CommonOptions, FetchCall } from './options.js';

/** What `createFetch` of parts needs to know. */
export interface CoreFetchOptions extends CommonOptions {
  /** What the clients speak: `fromMessages` of interlingua/fetch/messages and the like; not what the backend speaks. */
  readonly from: readonly CallerDialect<DialectId>[];
  /** What the backend speaks: `toResponses` of interlingua/fetch/responses and the like. */
  readonly to: ServiceDialect<DialectId>;
}

const GIVEN: SpeechOptions<CoreFetchOptions> = {
  names: ['from', 'to'],
  read({ from, to }) {
    if (!isObject(to) || typeof to.encodeRequest !== 'function')
      throw fault('to', 'must be a dialect, such as toResponses');
    const isClient = (one: unknown): boolean => isObject(one) && typeof one.decodeRequest === 'function';
    if (!Array.isArray(from) || !from.every(isClient)) throw fault('from', 'must hold dialects, such as fromMessages');
    const [first, ...others] = from;
    if (first === undefined) throw fault('from', 'must hold a dialect, such as fromMessages');
    if (from.some(({ id }) => id === to.id))
      throw fault(
        'from',
        `must not hold ${to.id}, the dialect of \`to\`: its calls pass with \`createFetch\` of interlingua/fetch`,
      );
    return { clients: [first, ...others], service: to, readerOf: () => to };
  },
};

/**
 * A `fetch` as `createFetch` of interlingua/fetch makes it, for clients of the dialects `from` and a service of the dialect `to`. A call
 * of another dialect is answered 404, with the reason. Throws TypeError for an option that cannot be meant.
 */
export function createFetch(options: CoreFetchOptions): typeof fetch {
  return makeFetch(options, GIVEN);
}
