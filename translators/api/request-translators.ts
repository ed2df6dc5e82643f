import { TranslationError } from '../canonical/errors.js';
import { createLosses, type Loss, type Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type {
  BackendRequestDialect,
  ClientRequestDialect,
  EncodedRequest,
  EncodeRequestContext,
  RequestDialect,
  StoredItems,
} from '../dialect.js';
import type { DialectId } from '../dialects.js';
import { type SchemaLibrary, withSchemaBudget } from '../schema/index.js';
import type { ProfileChoice } from '../target/profile.js';
import { hash32 } from '../wire/hash.js';
import { withSchemas } from './schemas.js';
import { refuseLosses } from './strict.js';
import { createTable, type DialectTable, guarded, type Halves, halvesOf } from './table.js';

/** Between which dialects something is translated. */
export interface Way<From, To = From> {
  readonly from: From;
  readonly to: To;
}

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
  /** Marks for the prompt cache where the target caches only on request and the client's own service by itself. Default `auto`. */
  readonly cache?: EncodeRequestContext['cache'];
  /** Throw instead of losing meaning (translation.md 0.9). */
  readonly strict?: boolean;
  /** Features that strict lets go; a trailing `*` matches a family, `agents` what coding agents can do without. */
  readonly allow?: readonly string[];
}

const DOMAINS = new Map<string, string>();

/** The state domain that is assumed when the host names none. */
export function defaultDomain(dialect: string): string {
  const domain = DOMAINS.get(dialect) ?? hash32(dialect, 12);
  DOMAINS.set(dialect, domain);
  return domain;
}

/** What goes with the body of a request for a backend. */
export interface SentRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Feature names that the service wants in its `anthropic-beta` header for this body; mostly none. */
  readonly betas: readonly string[];
  readonly losses: readonly Loss[];
}

/** What a request says that its body does not hold. */
type DecodeOptions = Pick<RequestOptions, 'model' | 'stream' | 'state'>;

/** What translators know beside their dialects. */
export interface TranslatorOptions {
  /**
   * Libraries whose schemas may be wherever a body has a JSON Schema. Schemas that describe themselves (Standard JSON Schema,
   * such as Zod from 4.2) need none; `zodSchemas` of translators/zod are those of every Zod.
   */
  readonly schemas?: readonly SchemaLibrary[];
}

/** Functions that translate requests between the dialects they were made of: from those of clients to those of services. */
export interface RequestTranslators<Client extends string = DialectId, Backend extends string = Client> {
  /**
   * Translates a request body. Schemas that describe themselves may be wherever the
   * body has a JSON Schema. Throws TranslationError:
   * `invalid_request` for a body that is not of dialect `from`, `unsupported` for what `to` cannot express and, with
   * `strict`, for what would be lost.
   */
  translateRequest(
    options: RequestOptions & Way<Client, Backend> & { readonly body: unknown },
  ): SentRequest & { readonly body: JsonObject };
  /** Decodes a request body to the canonical model. */
  decodeRequest(
    dialect: Client,
    body: unknown,
    options?: DecodeOptions,
  ): { readonly value: CanonicalRequest; readonly losses: readonly Loss[] };
  /** Encodes a canonical request for a backend. */
  encodeRequest(
    dialect: Backend,
    request: CanonicalRequest,
    options?: RequestOptions,
  ): SentRequest & { readonly value: JsonObject };
  /**
   * The dialect a request body is most likely written in, from the keys only one dialect has; undefined when none of those
   * at hand fits.
   */
  detectDialect(body: unknown): Client | undefined;
}

/**
 * Request translators for some dialects, or from those of `clients` to those of `backends`. An id of another throws
 * TranslationError (`invalid_request`).
 */
export function createRequestTranslators<Id extends string>(
  dialects: readonly RequestDialect<Id>[],
  options?: TranslatorOptions,
): RequestTranslators<Id>;
export function createRequestTranslators<Client extends string, Backend extends string>(
  dialects: Halves<ClientRequestDialect<Client>, BackendRequestDialect<Backend>>,
  options?: TranslatorOptions,
): RequestTranslators<Client, Backend>;
export function createRequestTranslators<Client extends string, Backend extends string>(
  dialects:
    | readonly (ClientRequestDialect<Client> & BackendRequestDialect<Backend>)[]
    | Halves<ClientRequestDialect<Client>, BackendRequestDialect<Backend>>,
  { schemas = [] }: TranslatorOptions = {},
): RequestTranslators<Client, Backend> {
  const table = createTable(halvesOf(dialects));
  return {
    translateRequest(options) {
      const [from, to] = [table.client(options.from), table.backend(options.to)];
      const losses = createLosses();
      const request = decode(from, options.body, options, losses, schemas);
      return { betas: [], ...encode(to, request, options, losses, table), losses: losses.list };
    },
    decodeRequest(dialect, body, options = {}) {
      const losses = createLosses();
      return { value: decode(table.client(dialect), body, options, losses, schemas), losses: losses.list };
    },
    encodeRequest(dialect, request, options = {}) {
      const losses = createLosses();
      const { body, model, stream, betas = [] } = encode(table.backend(dialect), request, options, losses, table);
      return { value: body, model, stream, betas, losses: losses.list };
    },
    detectDialect: table.detect,
  };
}

/** A request body as a request of the model. Throws nothing but TranslationError. */
function decode(
  dialect: ClientRequestDialect,
  body: unknown,
  { model, stream, state }: DecodeOptions,
  losses: Losses,
  schemas: readonly SchemaLibrary[],
): CanonicalRequest {
  return guarded(dialect.id, losses, () =>
    dialect.decodeRequest(withSchemas(body, dialect.schemaFields, schemas), { losses, model, stream, state }),
  );
}

function encode(
  target: BackendRequestDialect,
  request: CanonicalRequest,
  options: RequestOptions,
  losses: Losses,
  { mediaPathOf, targetOf, sharesVendor }: DialectTable<ClientRequestDialect, BackendRequestDialect>,
): EncodedRequest {
  const { model = request.model } = options;
  if (model === '' && request.source !== target.id) {
    const reason = 'no model is named: a request whose URL has it needs the option `model`';
    throw new TranslationError('invalid_request', reason, { path: '/$url/model', losses: losses.list });
  }
  // An untouched request is encoded as it came.
  const named = model === request.model ? request : { ...request, model };
  const context = {
    losses,
    target: targetOf(target, named.model, options.profile),
    domain: options.domain ?? defaultDomain(target.id),
    sameVendor: sharesVendor(target, request),
    media: options.media,
    mediaPath: mediaPathOf(request),
    omitMedia: options.omitMedia,
    seedUser: options.seedUser,
    strict: options.strict,
    cutsStop: options.cutsStop,
    maxEventDepth: options.maxEventDepth,
    truncates: options.truncates,
    cache: options.cache,
  };
  const encoded = guarded(target.id, losses, () => withSchemaBudget(() => target.encodeRequest(named, context)));
  if (options.strict === true) refuseLosses(losses.list, options.allow, request.source);
  return encoded;
}
