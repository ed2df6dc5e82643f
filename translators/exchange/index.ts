import { createClientToolAnswers, createRestorer, createThoughtFilter, mayWrapCalls } from '../adapt/index.js';
import type { EncodedRequest } from '../dialect.js';
import { withSchemaBudget } from '../schema/index.js';
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

/** No backend's, so that no carrier is opened for it. */
const NO_DOMAIN = '';

/** Encodes a request for a backend of another dialect and prepares for its answer. */
export function createExchange(options: ExchangeOptions): Exchange {
  return withSchemaBudget(() => prepare(options));
}

function prepare(options: ExchangeOptions): Exchange {
  const { client, backend, request } = options;
  const encoded = backend.encodeRequest(request, {
    losses: options.losses,
    target: options.target,
    domain: options.withholdsState === true ? NO_DOMAIN : options.domain,
    sameVendor: request.source === client.id && client.vendor !== undefined && client.vendor === backend.vendor,
    media: options.media,
    mediaPath: request.source === client.id ? client.mediaPath : undefined,
    omitMedia: options.omitMedia,
    seedUser: options.seedUser,
    strict: options.strict,
    cutsStop: true,
    maxEventDepth: options.maxEventDepth,
    truncates: true,
    cache: options.cache,
  });
  const sent = options.amend?.(encoded) ?? encoded;
  return { sent, ...createAnswerTranslator(options, sent) };
}

/** A translator for the answer to `sent`; without it a paused answer cannot be resumed. */
export function createAnswerTranslator(options: AnswerOptions, sent?: EncodedRequest): AnswerTranslator {
  const { client, backend, request, losses } = options;
  const { rules } = options.target ?? backend;
  const stops = request?.stop ?? [];
  const parts: Parts = {
    client,
    backend,
    options,
    sent,
    stops: stops.length > rules.maxStops ? stops : undefined,
    restorer: request === undefined ? undefined : createRestorer(request, rules),
    clientTools:
      request === undefined
        ? undefined
        : createClientToolAnswers({ request, backend: rules, client: client.answerRules, losses }),
    thoughts: createThoughtFilter(request, options.target, losses),
    unwraps: request !== undefined && mayWrapCalls(request, rules),
  };
  return {
    response: createAnswers(parts),
    stream: (framing) => createStreamExchange(parts, framing),
    collect: () => createCollector(parts),
  };
}
