import type { ClientToolAnswers, Restorer, ThoughtFilter } from '../adapt/index.js';
import type { CanonicalError } from '../canonical/errors.js';
import type { Finish } from '../canonical/response.js';
import type {
  BackendDialect,
  ClientDialect,
  DecodeResponseContext,
  EncodedRequest,
  EncodeResponseContext,
} from '../dialect.js';
import type { AnswerOptions } from './types.js';

/** What every stage of one exchange shares. */
export interface Parts {
  readonly client: ClientDialect;
  readonly backend: BackendDialect;
  readonly options: AnswerOptions;
  readonly sent: EncodedRequest | undefined;
  /** Stop strings that we cut at, because the backend does not take them all. */
  readonly stops: readonly string[] | undefined;
  readonly restorer: Restorer | undefined;
  /** Gives calls back as calls of the built-in tools that the client declared. */
  readonly clientTools: ClientToolAnswers | undefined;
  /** Leaves out thoughts that the client does not want. */
  readonly thoughts: ThoughtFilter | undefined;
  /** Calls may come wrapped in one. */
  readonly unwraps: boolean;
}

export function decodeContext({ options, sent }: Pick<Parts, 'options' | 'sent'>): DecodeResponseContext {
  const { losses, domain, maxEventBytes, maxEventDepth, target } = options;
  return { losses, domain, maxEventBytes, maxEventDepth, target, ...(sent && { sent: sent.body }) };
}

export function encodeContext(options: AnswerOptions, framing?: 'sse' | 'array'): EncodeResponseContext {
  return {
    losses: options.losses,
    request: options.request,
    requestBody: options.requestBody,
    model: options.requestedModel,
    now: options.now,
    nonce: options.nonce,
    trailingState: options.trailingState,
    framing,
    maxEventDepth: options.maxEventDepth,
    requestId: options.requestId,
    keepPicture: options.keepPicture,
    asksBeta: options.asksBeta,
  };
}

/** Ends for which the client's dialect has no word are errors; some only where nothing was `answered`. */
export function failureOf(
  finish: Finish,
  { answerRules: rules }: ClientDialect,
  answered: boolean,
): CanonicalError | undefined {
  const fails = rules.errorFinishes.includes(finish.kind);
  if (!fails && (answered || !rules.emptyErrorFinishes.includes(finish.kind))) return undefined;
  return { kind: 'internal', message: finish.detail ?? `the model ended its answer with ${finish.raw}` };
}

/** At most so many times is a paused answer resumed. */
export const MAX_HOPS = 5;

/** The failure of a stream without its terminal frame. */
export const INCOMPLETE: CanonicalError = {
  kind: 'upstream',
  message: 'the backend ended its answer without its final event',
  code: 'upstream_incomplete',
};
