import { TranslationError } from '../canonical/errors.js';
import { createLosses, type Loss, type Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type {
  BackendDialect,
  ClientDialect,
  EncodedError,
  Headers,
  StreamEnds,
  TranslatorDialect,
} from '../dialect.js';
import type { DialectId } from '../dialects.js';
import { type AnswerTranslator, createAnswerTranslator } from '../exchange/index.js';
import type { ProfileChoice } from '../target/profile.js';
import { checkFlags } from '../target/profile.js';
import type { Target } from '../target/target.js';
import { isObject } from '../wire/json.js';
import {
  createRequestTranslators,
  defaultDomain,
  type RequestTranslators,
  type TranslatorOptions,
  type Way,
} from './request-translators.js';
import { createTable, guarded, type Halves, halvesOf } from './table.js';
import { createRelay, type StreamTranslator, translated } from './translate-stream.js';

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

/** Functions that translate between the dialects they were made of: requests from those of clients, answers back to them. */
export interface Translators<Client extends string = DialectId, Backend extends string = Client>
  extends RequestTranslators<Client, Backend> {
  /**
   * Translates an answer: from the backend's dialect to the client's. Throws TranslationError for a body that is no answer
   * and for an answer that is a failure.
   */
  translateResponse(options: ResponseOptions & Way<Backend, Client> & { readonly body: unknown }): {
    readonly body: JsonObject;
    readonly losses: readonly Loss[];
  };
  /** Translates an error answer with its status and headers. Never throws for odd bodies: what cannot be read is `upstream`. */
  translateError(
    options: Way<Backend, Client> & {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Headers;
      readonly requestId?: string;
    },
  ): EncodedError;
  /** Decodes an answer. */
  decodeResponse(
    dialect: Backend,
    body: unknown,
    options?: Pick<ResponseOptions, 'domain' | 'profile'>,
  ): { readonly value: CanonicalResponse; readonly losses: readonly Loss[] };
  /** Encodes a canonical answer for a client. `now` defaults to 0: encoding reads no clock. */
  encodeResponse(
    dialect: Client,
    response: CanonicalResponse,
    options?: ResponseOptions,
  ): { readonly value: JsonObject; readonly losses: readonly Loss[] };
  /** A translator for one stream. Streams of one dialect pass as they are, watched for their last word. */
  createStreamTranslator(options: ResponseOptions & Way<Backend, Client>): StreamTranslator;
  /** Translates a stream of bytes; what the source sends is translated as it comes. */
  translateStream(
    readable: ReadableStream<Uint8Array>,
    options: ResponseOptions & Way<Backend, Client>,
  ): ReadableStream<Uint8Array>;
}

/**
 * Translators for some dialects, or for clients and services of some. An id of another throws TranslationError
 * (`invalid_request`) that names the known ones.
 */
export function createTranslators<Id extends string>(
  dialects: readonly TranslatorDialect<Id>[],
  context?: TranslatorOptions,
): Translators<Id>;
export function createTranslators<Client extends string, Backend extends string>(
  dialects: Halves<ClientDialect<Client>, BackendDialect<Backend>>,
  context?: TranslatorOptions,
): Translators<Client, Backend>;
export function createTranslators<Client extends string, Backend extends string>(
  dialects:
    | readonly (ClientDialect<Client> & BackendDialect<Backend>)[]
    | Halves<ClientDialect<Client>, BackendDialect<Backend>>,
  context: TranslatorOptions = {},
): Translators<Client, Backend> {
  const halves = halvesOf(dialects);
  const table = createTable(halves);
  const requests = createRequestTranslators(halves, context);
  const clientRequest = (id: Client, { request, model, stream }: ResponseOptions): CanonicalRequest | undefined =>
    request === undefined ? undefined : requests.decodeRequest(id, request, { model, stream }).value;
  const answering = (options: ResponseOptions & Way<Backend, Client>, losses: Losses): AnswerTranslator =>
    createAnswering(
      table.backend(options.from),
      table.client(options.to),
      clientRequest(options.to, options),
      options,
      losses,
    );
  const createStreamTranslator: Translators<Client, Backend>['createStreamTranslator'] = (options) => {
    const [from, to] = [table.backend(options.from), table.client(options.to)];
    const losses = createLosses();
    if (isSame(from, to)) return createRelay(endsOf(to), options, losses);
    const stream = answering(options, losses).stream(options.framing ?? 'sse');
    return { push: (chunk) => stream.push(chunk), end: () => stream.end(), losses: losses.list };
  };
  return {
    ...requests,
    translateResponse(options) {
      const [from, to] = [table.backend(options.from), table.client(options.to)];
      const losses = createLosses();
      const body = guarded(from.id, losses, () =>
        isSame(from, to) ? (options.body as JsonObject) : answering(options, losses).response(options.body).body,
      );
      return { body, losses: losses.list };
    },
    translateError({ from, to, status, body, headers = {}, requestId }) {
      return table.client(to).encodeError(table.backend(from).decodeError(status, body, headers), { requestId });
    },
    decodeResponse(id, body, options = {}) {
      const dialect = table.backend(id);
      const losses = createLosses();
      const domain = options.domain ?? defaultDomain(id);
      const value = guarded(id, losses, () =>
        dialect.decodeResponse(body, { losses, domain, target: targetOf(dialect, options) }),
      );
      return { value, losses: losses.list };
    },
    encodeResponse: (id, response, options = {}) =>
      encodeAnswer(table.client(id), response, clientRequest(id, options), options),
    createStreamTranslator,
    translateStream: (readable, options) => translated(readable, createStreamTranslator(options)),
  };
}

function isSame(backend: BackendDialect, client: ClientDialect): boolean {
  return backend.id === client.id;
}

/** How a stream ends that passes as it is. Throws TranslationError for half a dialect, which does not know. */
function endsOf(dialect: ClientDialect & Partial<StreamEnds>): StreamEnds {
  const { isTerminal, relayedEnd, relayedFacts } = dialect;
  if (isTerminal !== undefined && relayedEnd !== undefined && relayedFacts !== undefined)
    return { isTerminal, relayedEnd, relayedFacts };
  const reason = `a stream of ${dialect.id} passes as it is where the client speaks that too; this needs the whole dialect \`${dialect.id}\` among the clients`;
  throw new TranslationError('invalid_request', reason);
}

/** The target of the model that answered; undefined where nothing is known of it. */
function targetOf(dialect: BackendDialect, { profile }: Pick<ResponseOptions, 'profile'>): Target | undefined {
  if (profile === undefined) return undefined;
  return dialect.target('', typeof profile === 'string' ? profile : checkFlags(profile));
}

function encodeAnswer(
  dialect: ClientDialect,
  response: CanonicalResponse,
  request: CanonicalRequest | undefined,
  options: ResponseOptions,
) {
  const losses = createLosses();
  const value = guarded(dialect.id, losses, () =>
    dialect.encodeResponse(response, {
      losses,
      request,
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

/** The translator of answers to the client's own request. */
function createAnswering(
  backend: BackendDialect,
  client: ClientDialect,
  request: CanonicalRequest | undefined,
  options: ResponseOptions,
  losses: Losses,
): AnswerTranslator {
  return createAnswerTranslator({
    client,
    backend,
    request,
    requestBody: isObject(options.request) ? options.request : undefined,
    requestedModel: request?.model === '' ? undefined : request?.model,
    domain: options.domain ?? defaultDomain(backend.id),
    target: targetOf(backend, options),
    losses,
    now: options.now ?? Math.floor(Date.now() / 1000),
    nonce: options.nonce ?? '',
    trailingState: options.trailingState,
    requestId: options.requestId,
    maxEventBytes: options.maxEventBytes,
    maxEventDepth: options.maxEventDepth,
  });
}
