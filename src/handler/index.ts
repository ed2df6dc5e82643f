/** `interlingua/handler`: the gateway as a function from Request to Response, for every server of web standards. */
import { dialects } from '../../translators/index.js';
import { anyErrors, limitHeaders } from '../protocol/index.js';
import { GUARDED_RELAYS } from '../web/index.js';
import { makeHandler, type WebHandler } from './create-handler.js';
import type { HandlerOptions, HandlerSpeech } from './options.js';
import { readState } from './state-options.js';

export type { WebHandler } from './create-handler.js';
export type {
  HandlerBackend,
  HandlerKey,
  HandlerOptions,
  HandlerRecord,
  HandlerStore,
  HandlerTarget,
} from './options.js';

const { messages, responses, generateContent, chatCompletions } = dialects;

/** Clients and backends may speak every dialect. */
const EVERY: HandlerSpeech = {
  clients: [messages, responses, generateContent, chatCompletions],
  serviceOf: (dialect) => dialects[dialect],
  readerOf: anyErrors,
  relayedLimits: limitHeaders,
};

/**
 * The gateway by web standards alone: answers the clients of all four dialects by the backends of the options. Needs nothing of Node.js, and
 * keeps nothing between requests but what is put into the store of the options. Never rejects: failures are answers in the
 * client's dialect. Throws TypeError for an option that cannot be meant.
 */
export function createHandler(options: HandlerOptions): WebHandler {
  return makeHandler(options, EVERY, ['store', 'storeDays'], { relays: GUARDED_RELAYS, state: readState(options) });
}
