import {
  type CallerDialect,
  createExchange,
  createLosses,
  type DialectId,
  type EncodedRequest,
  type Exchange,
  type ExchangeOptions,
  type Losses,
  type ModelTarget,
  type ServiceDialect,
} from '../../translators/index.js';
import {
  asksBeta,
  betaLoss,
  type Caller,
  type Host,
  type HostAsk,
  type LossPolicy,
  pathOf,
  publisherBody,
} from '../protocol/index.js';
import type { Decoded, GenerationRequest } from './request.js';

/** What is known of a request that is translated. */
export interface TranslationContext {
  readonly caller: Caller;
  readonly host: Host;
  readonly client: CallerDialect<DialectId>;
  /** The dialect in which the host is asked. */
  readonly backend: ServiceDialect<DialectId>;
  readonly policy: LossPolicy;
  readonly request: GenerationRequest;
  readonly decoded: Decoded;
  /** The host's name of the model. */
  readonly model: string;
  readonly stream: boolean;
  readonly profile: ModelTarget;
  /** What was lost so far; what the translation loses is added. */
  readonly losses: Losses;
  /** The tokens of the request are wanted, and no answer. */
  readonly counting: boolean;
  /** 32 hex digits. */
  readonly nonce: string;
  /** How deep what the host answers may nest. */
  readonly depth: number;
  readonly media: ExchangeOptions['media'];
}

/** Further options of a translation, from who has a configuration. */
export type TranslationOptions = Pick<
  ExchangeOptions,
  | 'amend'
  | 'cache'
  | 'keepPicture'
  | 'maxEventBytes'
  | 'omitMedia'
  | 'seedUser'
  | 'tellFailure'
  | 'trailingState'
  | 'withholdsState'
>;

/** Losses of a request that was decoded, to which those of its translation are added. */
export function lossesOf({ losses: found }: Decoded): Losses {
  const losses = createLosses();
  for (const { path, feature, kind, detail } of found) losses.add(path, feature, kind, detail);
  return losses;
}

/** Translates a request for its host. Throws TranslationError for what cannot be said there. */
export function openExchange(context: TranslationContext, options: TranslationOptions): Exchange {
  const { caller, client, backend, host, request, decoded, model, stream, counting, losses, media } = context;
  if (!counting && backend.id !== client.id) betaLoss(client, caller.headers, decoded.body, losses);
  return createExchange({
    ...options,
    client,
    backend,
    request: { ...decoded.request, model, stream },
    requestBody: decoded.body,
    requestedModel: request.model,
    target: context.profile,
    domain: host.domain,
    losses,
    now: Math.floor(Date.now() / 1000),
    nonce: context.nonce,
    strict: context.policy.policy === 'strict',
    requestId: caller.id,
    asksBeta: asksBeta(caller.dialect, caller.headers, caller.query),
    maxEventDepth: context.depth,
    media,
    ...(counting && { cache: 'off' }),
  });
}

/** The call that sends a translated request, or counts its tokens; its headers are the caller's. `printed` = its body, where that is known. */
export function translatedAsk<Body = string>(
  host: Host,
  service: Pick<ServiceDialect, 'count' | 'endpoint'>,
  operation: 'create' | 'count',
  sent: EncodedRequest,
  printed?: Body,
): HostAsk<'POST', Body | string> {
  const counts = operation === 'count';
  const body = (): EncodedRequest['body'] => (counts ? service.count.encodeRequest(sent) : sent.body);
  return {
    method: 'POST',
    path: pathOf(host, service, operation, { model: sent.model, stream: sent.stream && !counts }),
    body: printed ?? JSON.stringify(publisherBody(host, operation, body())),
  };
}
