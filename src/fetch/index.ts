/** `interlingua/fetch`: a `fetch` for any SDK that calls a service of another dialect. */
import { dialectIds, dialects, isDialectId } from '../../translators/index.js';
import { anyErrors, limitHeaders } from '../protocol/index.js';
import { RELAYS } from '../web/index.js';
import { makeFetch } from './create-fetch.js';
import { type FetchOptions, fault, type SpeechOptions } from './options.js';

export type { FetchCall, FetchOptions } from './options.js';

const { messages, responses, generateContent, chatCompletions } = dialects;

/** Clients may speak every dialect. */
const EVERY: SpeechOptions<FetchOptions> = {
  names: ['to'],
  read({ to }) {
    if (!isDialectId(to)) throw fault('to', `must be one of ${dialectIds.join(', ')}`);
    return {
      clients: [messages, responses, generateContent, chatCompletions],
      service: dialects[to],
      readerOf: anyErrors,
      relayedLimits: limitHeaders,
    };
  },
};

/**
 * A `fetch` for the SDK of any dialect, which has its calls answered by a service of dialect `to`: conversations, token counts
 * and model lists are translated, or pass where both speak one dialect; every other URL is answered 404 and never sent.
 * Failures are answers in the client's dialect; only an abort rejects, with its reason. Throws TypeError for an option that
 * cannot be meant.
 */
export function createFetch(options: FetchOptions): typeof fetch {
  return makeFetch(options, EVERY, RELAYS);
}
