import { TranslationError } from './canonical/errors.js';
import { allowingPatterns } from './canonical/explain.js';
import { createLosses, type Loss, type Losses, refusedLosses } from './canonical/loss.js';
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { CanonicalResponse } from './canonical/response.js';
import type { Dialect, DialectId, EncodedError, EncodeRequestContext, Headers, StoredItems } from './dialect.js';
import { dialects, mediaPathOf } from './dialects.js';
import { type AnswerTranslator, createAnswerTranslator } from './exchange/index.js';
import type { Profile, ProfileChoice } from './profile.js';
import { withSchemaBudget } from './schema/index.js';
import { withSchemas } from './schemas.js';
import { hash32 } from './wire/hash.js';
import { isObject } from './wire/json.js';

/** What every function that reads or writes a request may receive from its host. */
export interface RequestOptions {
  /** The model, for dialects that have it in the URL; also the name that is sent on. */
  readonly model?: string;
  /** Whether the answer is to be streamed, for dialects that have it in the URL. */
  readonly stream?: boolean;
  /** Wire items that the host kept, by the id of an answer or of an item; `requirements` says which are needed. */
  readonly state?: StoredItems;
  /** What the target can take: a model name to look up, or flags. Default: by the model. */
  readonly profile?: ProfileChoice;
  /** Whose opaque state the backend holds (translation.md 4.2). Default: one domain per dialect. */
  readonly domain?: string;
  /** Media by URL, fetched by the host; `requirements` says which are needed. */
  readonly media?: EncodeRequestContext['media'];
  readonly omitMedia?: boolean;
  readonly seedUser?: boolean;
  /** The host cuts answers at stop strings that the target does not take. */
  readonly cutsStop?: boolean;
  /** How deep JSON in a text, such as the arguments of a call, may nest. Default 128. */
  readonly maxEventDepth?: number;
  /**
   * The host leaves out old turns, by `laterBeginnings`, when the target refuses the input as too long: that old input is to
   * be dropped is then no loss before it happens.
   */
  readonly truncates?: boolean;
  /** Throw instead of losing meaning (translation.md 0.9). */
  readonly strict?: boolean;
  /** Features that strict lets go; a trailing `*` matches a family, `agents` what coding agents can do without. */
  readonly allow?: readonly string[];
}

/** What functions that write an answer for a client may receive. */
export interface ResponseOptions {
  /** The client's own request body: names, echo fields and what the client may be shown come from it. */
  readonly request?: unknown;
  /** The client's model and streaming choice where its dialect has them in the URL. */
  readonly model?: string;
  readonly stream?: boolean;
  /** What is known of the model that answered, and of its server: a name to look up, or flags. */
  readonly profile?: ProfileChoice;
  readonly domain?: string;
  /** Unix seconds; default: the clock. */
  readonly now?: number;
  /** Makes ids that cannot be guessed; default: from the source's id alone. */
  readonly nonce?: string;
  readonly trailingState?: 'drop' | 'emit';
  /** Framing of a generateContent stream. */
  readonly framing?: 'sse' | 'array';
  readonly requestId?: string;
  readonly maxEventBytes?: number;
  /** How deep one stream event, and JSON in a text, may nest. Default 128. Whole bodies are bounded where they are parsed. */
  readonly maxEventDepth?: number;
}

/** The state domain that is assumed when the host names none. */
export function defaultDomain(dialect: DialectId): string {
  return hash32(dialect, 12);
}

/** What goes with the body of a request for a backend. */
export interface SentRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Feature names that the service wants in its `anthropic-beta` header for this body; mostly none. */
  readonly betas: readonly string[];
  readonly losses: readonly Loss[];
}

/**
 * Translates a request body. Zod schemas may be wherever the body has a JSON Schema. Throws TranslationError:
 * `invalid_request` for a body that is not of dialect `from`, `unsupported` for what `to` cannot express and, with
 * `strict`, for what would be lost.
 */
export function translateRequest(
  options: RequestOptions & { readonly from: DialectId; readonly to: DialectId; readonly body: unknown },
): SentRequest & { readonly body: JsonObject } {
  const losses = createLosses();
  const request = decode(options.from, options.body, options, losses);
  const encoded = encode(options.to, request, options, losses);
  return { betas: [], ...encoded, losses: losses.list };
}

/** Decodes a request body to the canonical model. */
export function decodeRequest(
  dialect: DialectId,
  body: unknown,
  options: Pick<RequestOptions, 'model' | 'stream' | 'state'> = {},
): { readonly value: CanonicalRequest; readonly losses: readonly Loss[] } {
  const losses = createLosses();
  return { value: decode(dialect, body, options, losses), losses: losses.list };
}

/** Encodes a canonical request for a backend. */
export function encodeRequest(
  dialect: DialectId,
  request: CanonicalRequest,
  options: RequestOptions = {},
): SentRequest & { readonly value: JsonObject } {
  const losses = createLosses();
  const { body, model, stream, betas = [] } = encode(dialect, request, options, losses);
  return { value: body, model, stream, betas, losses: losses.list };
}

function decode(
  dialect: DialectId,
  body: unknown,
  options: Pick<RequestOptions, 'model' | 'stream' | 'state'>,
  losses: Losses,
): CanonicalRequest {
  return guarded(dialect, losses, () =>
    dialects[dialect].decodeRequest(withSchemas(body, dialects[dialect].schemaFields), {
      losses,
      model: options.model,
      stream: options.stream,
      state: options.state,
    }),
  );
}

function encode(dialect: DialectId, request: CanonicalRequest, options: RequestOptions, losses: Losses) {
  const target: Dialect = dialects[dialect];
  const { model = request.model } = options;
  // An untouched request is encoded as it came.
  const named = model === request.model ? request : { ...request, model };
  const context = {
    losses,
    profile: target.profile(named.model, options.profile),
    domain: options.domain ?? defaultDomain(dialect),
    media: options.media,
    mediaPath: mediaPathOf(request),
    omitMedia: options.omitMedia,
    seedUser: options.seedUser,
    strict: options.strict,
    cutsStop: options.cutsStop,
    maxEventDepth: options.maxEventDepth,
    truncates: options.truncates,
  };
  const encoded = guarded(dialect, losses, () => withSchemaBudget(() => target.encodeRequest(named, context)));
  if (options.strict === true) refuseLosses(losses.list, options.allow, request.source);
  return encoded;
}

/**
 * Throws TranslationError `unsupported` when strict has to refuse. The message names up to ten losses and the `allow` that
 * lets them go.
 */
export function refuseLosses(losses: readonly Loss[], allow: readonly string[] = [], dialect?: string): void {
  const refused = refusedLosses(losses, allow);
  const [first] = refused;
  if (first === undefined) return;
  const named = refused.slice(0, 10).map((loss) => `${loss.path} ${loss.feature} ${loss.kind}`);
  const more = refused.length > 10 ? ` and ${refused.length - 10} more` : '';
  const allowing = `allow="${allowingPatterns(refused).join(' ')}" lets ${refused.length === 1 ? 'it' : 'them'} go`;
  throw new TranslationError('unsupported', `strict translation refused: ${named.join('; ')}${more}; ${allowing}`, {
    path: first.path,
    dialect,
    losses,
    refused,
  });
}

/** Decodes an answer. */
export function decodeResponse(
  dialect: DialectId,
  body: unknown,
  options: Pick<ResponseOptions, 'domain' | 'profile'> = {},
): { readonly value: CanonicalResponse; readonly losses: readonly Loss[] } {
  const losses = createLosses();
  const domain = options.domain ?? defaultDomain(dialect);
  const profile = profileOf(dialect, options);
  const value = guarded(dialect, losses, () => dialects[dialect].decodeResponse(body, { losses, domain, profile }));
  return { value, losses: losses.list };
}

/** The profile of the model that answered; undefined where nothing is known of it. */
function profileOf(dialect: DialectId, { profile }: Pick<ResponseOptions, 'profile'>): Profile | undefined {
  return profile === undefined ? undefined : dialects[dialect].profile('', profile);
}

/** Encodes a canonical answer for a client. `now` defaults to 0: encoding reads no clock. */
export function encodeResponse(
  dialect: DialectId,
  response: CanonicalResponse,
  options: ResponseOptions = {},
): { readonly value: JsonObject; readonly losses: readonly Loss[] } {
  const losses = createLosses();
  const value = guarded(dialect, losses, () =>
    dialects[dialect].encodeResponse(response, {
      losses,
      request: clientRequest(dialect, options),
      requestBody: isObject(options.request) ? options.request : undefined,
      model: options.model,
      now: options.now ?? 0,
      nonce: options.nonce ?? '',
      trailingState: options.trailingState,
      maxEventDepth: options.maxEventDepth,
      requestId: options.requestId,
    }),
  );
  return { value, losses: losses.list };
}

function clientRequest(dialect: DialectId, options: ResponseOptions): CanonicalRequest | undefined {
  if (options.request === undefined) return undefined;
  return decode(dialect, options.request, { model: options.model, stream: options.stream }, createLosses());
}

/**
 * Translates an answer: from the backend's dialect to the client's. Throws TranslationError for a body that is no answer
 * and for an answer that is a failure.
 */
export function translateResponse(
  options: ResponseOptions & { readonly from: DialectId; readonly to: DialectId; readonly body: unknown },
): { readonly body: JsonObject; readonly losses: readonly Loss[] } {
  const losses = createLosses();
  const body = guarded(options.from, losses, () =>
    options.from === options.to
      ? (options.body as JsonObject)
      : createAnswering(options, losses).response(options.body).body,
  );
  return { body, losses: losses.list };
}

/** The translator of answers to the client's own request, from the backend's dialect to the client's. */
export function createAnswering(
  options: ResponseOptions & { readonly from: DialectId; readonly to: DialectId },
  losses: Losses,
): AnswerTranslator {
  const request = clientRequest(options.to, options);
  return createAnswerTranslator({
    client: options.to,
    backend: options.from,
    request,
    requestBody: isObject(options.request) ? options.request : undefined,
    requestedModel: request?.model === '' ? undefined : request?.model,
    domain: options.domain ?? defaultDomain(options.from),
    profile: profileOf(options.from, options),
    losses,
    now: options.now ?? Math.floor(Date.now() / 1000),
    nonce: options.nonce ?? '',
    trailingState: options.trailingState,
    requestId: options.requestId,
    maxEventBytes: options.maxEventBytes,
    maxEventDepth: options.maxEventDepth,
  });
}

/** Translates an error answer with its status and headers. Never throws for odd bodies: what cannot be read is `upstream`. */
export function translateError(options: {
  readonly from: DialectId;
  readonly to: DialectId;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
  readonly requestId?: string;
}): EncodedError {
  const error = dialects[options.from].decodeError(options.status, options.body, options.headers ?? {});
  return dialects[options.to].encodeError(error, { requestId: options.requestId });
}

/** Lets nothing but TranslationError out, with the dialect and the losses so far. */
function guarded<T>(dialect: DialectId, losses: Losses, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const error = TranslationError.from(thrown);
    throw new TranslationError(error.kind, error.message, {
      path: error.path,
      dialect: error.dialect ?? dialect,
      losses: losses.list,
      code: error.code,
      cause: error.cause,
    });
  }
}
