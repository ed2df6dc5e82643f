import { createRestorer } from '../adapt/restore.js';
import { mayWrapCalls } from '../adapt/wrapped-calls.js';
import type { Dialect, EncodedRequest } from '../dialect.js';
import { dialects } from '../dialects.js';
import { createAnswers, createCollector } from './answer.js';
import type { Parts } from './parts.js';
import { createStreamExchange } from './stream.js';
import type { AnswerOptions, AnswerTranslator, Exchange, ExchangeOptions } from './types.js';

export type {
  Answer,
  AnswerOptions,
  AnswerTranslator,
  Collector,
  Exchange,
  ExchangeOptions,
  StreamExchange,
} from './types.js';

/** Encodes a request for a backend of another dialect and prepares for its answer. */
export function createExchange(options: ExchangeOptions): Exchange {
  const sent = dialects[options.backend].encodeRequest(options.request, {
    losses: options.losses,
    profile: options.profile,
    domain: options.domain,
    media: options.media,
    omitMedia: options.omitMedia,
    seedUser: options.seedUser,
    cutsStop: true,
  });
  return { sent, ...createAnswerTranslator(options, sent) };
}

/** A translator for the answer to `sent`; without it a paused answer cannot be resumed. */
export function createAnswerTranslator(options: AnswerOptions, sent?: EncodedRequest): AnswerTranslator {
  const backend: Dialect = dialects[options.backend];
  const stops = options.request?.stop ?? [];
  const parts: Parts = {
    client: dialects[options.client],
    backend,
    options,
    sent,
    stops: stops.length > backend.rules.maxStops ? stops : undefined,
    restorer: options.request === undefined ? undefined : createRestorer(options.request, backend.rules),
    unwraps: options.request !== undefined && mayWrapCalls(options.request, backend.rules),
  };
  return {
    response: createAnswers(parts),
    stream: (framing) => createStreamExchange(parts, framing),
    collect: () => createCollector(parts),
  };
}
