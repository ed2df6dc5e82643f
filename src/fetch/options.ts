import type {
  CallerDialect,
  DialectId,
  Headers,
  Loss,
  ProfileChoice,
  ServiceDialect,
} from '../../translators/index.js';
import { gatewayDialect, KEY_FORMS, type KeyForm } from '../dialects/index.js';
import { didYouMean, isObject } from '../ground/plain/index.js';
import { presets } from '../presets/index.js';
import {
  type AuthForm,
  addressOf,
  apiVersionOf,
  type CountTokens,
  defaultDomain,
  type ErrorReader,
  type Host,
  knownAs,
  type LossPolicy,
  patternFault,
  profileAt,
  publisherIn,
  roughCount,
  withCap,
} from '../protocol/index.js';

/** What a fetch needs to know beside the dialects. */
export interface CommonOptions {
  /** The root of its service; a trailing `/v1` or `/v1beta` is accepted. */
  readonly baseUrl: string;
  /** Its key; absent = no credential is sent. The caller's own credential never is. */
  readonly apiKey?: string;
  /** The form of the key, where the host takes another than its dialect's own. */
  readonly auth?: KeyForm;
  /** Added to each call; wins over what is sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The backend's name of the model: one for all, by the client's name, or what a function says. Absent = as the client asks. */
  readonly model?: string | Readonly<Record<string, string>> | ((model: string) => string);
  /** What the model can take, where its name does not tell: another name to look up, or flags. */
  readonly profile?: ProfileChoice;
  /** Tokens of input and output together, for lists of models. Default: what the backend tells. */
  readonly contextWindow?: number;
  /** The most tokens that the model generates: bounds the cap of translated requests, and is shown in lists. Default: by its name. */
  readonly maxOutput?: number;
  /** `strict` refuses what would be lost. Default `report`. */
  readonly losses?:
    | LossPolicy['policy']
    | { readonly policy: LossPolicy['policy']; readonly allow?: readonly string[] };
  /** Called once for each conversation and count, when its answer is complete. */
  readonly onLosses?: (losses: readonly Loss[], call: FetchCall) => void;
  /** Sends the calls. Default: the global `fetch` at the time of the call. */
  readonly fetch?: typeof fetch;
  /**
   * Counts the tokens of a text where the backend cannot count those of a request: `countTokens` of `interlingua/fetch/tokens` by the
   * o200k vocabulary, which is 2 MB. Default: a rough count without a vocabulary.
   */
  readonly countTokens?: (text: string) => number;
  /** The bytes behind a URL, for backends that take media only inline. Absent = none are fetched. */
  readonly media?: (url: string) => Promise<Uint8Array>;
  /** The most bytes of an answer, or of one event of a stream, that are read of the backend. Default 67,108,864 (64 MB). */
  readonly maxAnswerBytes?: number;
}

/** What `createFetch` needs to know. */
export interface FetchOptions extends CommonOptions {
  /** The dialect that the backend speaks. */
  readonly to: DialectId;
}

/** The dialects of a fetch. */
export interface Speech {
  /** Those of clients. */
  readonly clients: readonly [CallerDialect<DialectId>, ...CallerDialect<DialectId>[]];
  /** That of the backend. */
  readonly service: ServiceDialect<DialectId>;
  /** What reads the errors of services. */
  readonly readerOf: (dialect: DialectId) => ErrorReader;
  /** Limits and hints of an answer that is relayed. Absent where no client speaks the dialect of the backend. */
  readonly relayedLimits?: (dialect: DialectId, received: Headers) => Record<string, string>;
}

/** Which options there are that name dialects, and what they mean. */
export interface SpeechOptions<Options extends CommonOptions> {
  readonly names: readonly Exclude<keyof Options, keyof CommonOptions>[];
  /** Reports with `fault` what cannot be meant. */
  read(options: Options): Speech;
}

/** What `onLosses` is told of a call. */
export interface FetchCall {
  readonly from: DialectId;
  readonly to: DialectId;
  /** The backend's name of the model. */
  readonly model: string;
  readonly status: number;
  readonly stream: boolean;
}

/** The options, checked. */
export interface Settings
  extends Pick<CommonOptions, 'apiKey' | 'onLosses' | 'media' | 'contextWindow' | 'maxOutput'>,
    Speech {
  readonly host: Host;
  readonly profile: ProfileChoice | undefined;
  readonly policy: LossPolicy;
  readonly modelOf: (model: string) => string;
  /** Names of models that the options know. */
  readonly names: readonly string[];
  readonly countTokens: CountTokens;
  readonly maxAnswerBytes: number;
  readonly send: typeof fetch;
}

const KNOWN: Readonly<Record<keyof CommonOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  auth: true,
  headers: true,
  model: true,
  profile: true,
  contextWindow: true,
  maxOutput: true,
  losses: true,
  onLosses: true,
  countTokens: true,
  fetch: true,
  media: true,
  maxAnswerBytes: true,
};

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Throws TypeError that names the option which cannot be meant. `globalFetch` is taken where the options have none. */
export function readOptions<Options extends CommonOptions>(
  options: Options,
  speechOptions: SpeechOptions<Options>,
  globalFetch: typeof fetch,
): Settings {
  if (!isObject(options)) throw new TypeError('createFetch: an object with the options is needed');
  const known = [...speechOptions.names.map(String), ...Object.keys(KNOWN)];
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const close = didYouMean(name, known);
    throw fault(name, `unknown option${close === undefined ? '' : `; did you mean \`${close}\`?`}`);
  }
  const { apiKey, onLosses, media, model, profile, countTokens = roughCount, fetch: send = globalFetch } = options;
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const speech = speechOptions.read(options);
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)))
    throw fault('apiKey', 'must be a string of printable ASCII without blanks');
  checkFunction('onLosses', onLosses);
  checkFunction('media', media);
  checkFunction('countTokens', countTokens);
  checkFunction('fetch', send);
  const { contextWindow, maxOutput } = options;
  for (const [name, value] of Object.entries({ maxAnswerBytes, contextWindow, maxOutput }))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
      throw fault(name, 'must be a whole number above 0');
  if (contextWindow !== undefined && maxOutput !== undefined && maxOutput > contextWindow)
    throw fault('maxOutput', `cannot be above contextWindow, which is ${contextWindow}`);
  if (profile !== undefined && typeof profile !== 'string' && !isObject(profile))
    throw fault('profile', 'must be the name of a model, or flags');
  const host = hostOf(options, speech.service.id);
  return {
    ...speech,
    host,
    apiKey,
    onLosses,
    media,
    countTokens,
    maxAnswerBytes,
    contextWindow,
    maxOutput,
    profile: profileAt(host, withCap(profile, maxOutput)),
    policy: policyOf(options.losses),
    ...namesOf(model),
    send,
  };
}

/** The error for an option that cannot be meant. */
export function fault(option: string, reason: string): TypeError {
  return new TypeError(`createFetch: ${option}: ${reason}`);
}

function checkFunction(option: keyof CommonOptions, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw fault(option, 'must be a function');
}

/** The host of an address, with what is known of it. */
function hostOf({ baseUrl, auth, headers = {} }: CommonOptions, to: DialectId): Host {
  checkAddress(baseUrl);
  if (auth !== undefined && !KEY_FORMS.includes(auth)) throw fault('auth', `must be one of ${KEY_FORMS.join(', ')}`);
  const report = (key: string, reason: string): never => {
    throw fault(key, reason);
  };
  const given = { dialect: to, baseUrl, simulator: false };
  const { preset } = knownAs(given, report);
  const known = preset === undefined ? undefined : presets[preset.name];
  const endpoint = known?.endpoints[to];
  const address = addressOf(given, preset?.name, to, report);
  const root = address?.root ?? baseUrl;
  const own = gatewayDialect(to);
  const publisher = publisherIn(root);
  if (publisher !== undefined && publisher.dialect !== to)
    throw fault('to', `must be ${publisher.dialect} where baseUrl ends in /publishers/${publisher.name}`);
  return {
    dialect: to,
    baseUrl: root,
    ...(preset !== undefined && { preset }),
    ...(address?.query !== undefined && { query: address.query }),
    ...apiVersionOf(endpoint, address?.query),
    auth: keyFormOf(auth ?? endpoint?.auth ?? known?.auth ?? own.keyForm),
    ...(publisher !== undefined && { publisher: publisher.name }),
    version: '2023-06-01',
    headers: { ...known?.headers, ...headersOf(headers) },
    betas: 'all',
    videos: own.videos,
    unsupported: endpoint?.unsupported ?? [],
    threads: endpoint?.threads === true,
    domain: defaultDomain(to, root),
  };
}

/** Nothing is signed here: clouds take tokens that their callers fetched. */
function keyFormOf(auth: AuthForm): AuthForm {
  return auth === 'google' || auth === 'aws' ? 'bearer' : auth;
}

function checkAddress(baseUrl: unknown): void {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) throw fault('baseUrl', 'must be a URL');
  const { protocol, pathname, username, password } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw fault('baseUrl', 'must begin with http:// or https://');
  if (username !== '' || password !== '') throw fault('baseUrl', 'must not contain credentials; write apiKey');
  if (/\/(?:messages|responses|completions)\/?$|:\w+$/.test(pathname))
    throw fault('baseUrl', 'expected the service root, not an endpoint');
}

function headersOf(headers: unknown): Record<string, string> {
  if (!isObject(headers)) throw fault('headers', 'must be an object of texts');
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name) || typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value))
      throw fault('headers', `\`${name}\` is not a valid header name`);
    found[name.toLowerCase()] = value;
  }
  return found;
}

function policyOf(losses: CommonOptions['losses'] = 'report'): LossPolicy {
  const { policy, allow = [], ...others } = typeof losses === 'string' ? { policy: losses } : losses;
  if ((policy !== 'report' && policy !== 'strict') || Object.keys(others).length > 0 || !Array.isArray(allow))
    throw fault('losses', 'must be report, strict, or { policy, allow }');
  for (const pattern of allow) {
    const reason = typeof pattern === 'string' ? patternFault(pattern) : 'must hold names of features';
    if (reason !== undefined) throw fault('losses', reason);
  }
  return { policy, allow };
}

function namesOf(model: CommonOptions['model']): Pick<Settings, 'modelOf' | 'names'> {
  if (model === undefined) return { modelOf: (name) => name, names: [] };
  if (typeof model === 'function') return { modelOf: (name) => namedBy(model(name)), names: [] };
  if (typeof model === 'string') {
    if (model === '') throw fault('model', 'must not be empty');
    return { modelOf: () => model, names: [model] };
  }
  if (!isObject(model)) throw fault('model', 'must be a name, a map of names, or a function');
  const map = new Map(Object.entries(model).map(([name, to]) => [name, namedBy(to)]));
  return { modelOf: (name) => map.get(name) ?? name, names: [...map.keys()] };
}

function namedBy(name: unknown): string {
  if (typeof name === 'string' && name !== '') return name;
  throw fault('model', 'must give the name of a model');
}
