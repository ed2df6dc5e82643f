import type { DialectId, Loss, ProfileChoice } from '../../translators/index.js';
import { gatewayDialect, type KeyForm } from '../dialects/index.js';
import { didYouMean, isObject } from '../ground/plain/index.js';
import { profileAt, roughCount, withCap } from '../protocol/index.js';
import {
  type ClientCall,
  type Clients,
  checkApiKey,
  checkFunctions,
  checkModel,
  checkNumbers,
  hostOf,
  type LossOption,
  MAX_ANSWER_BYTES,
  policyIn,
  type Settings,
} from '../web/index.js';

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
  readonly losses?: LossOption;
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
export interface Speech extends Pick<Settings, 'service' | 'readerOf' | 'relayedLimits'> {
  /** Those of clients. */
  readonly clients: Clients;
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
export interface FetchSettings extends Settings, Speech, Pick<CommonOptions, 'onLosses'> {
  readonly modelOf: (model: string) => string;
  /** Names of models that the options know. */
  readonly names: readonly string[];
}

/** One call of an SDK, with what it is answered by. */
export interface HostCall extends ClientCall {
  readonly settings: FetchSettings;
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

/** Throws TypeError that names the option which cannot be meant. `globalFetch` is taken where the options have none. */
export function readOptions<Options extends CommonOptions>(
  options: Options,
  speechOptions: SpeechOptions<Options>,
  globalFetch: typeof fetch,
): FetchSettings {
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
  checkApiKey(apiKey, fault);
  checkFunctions({ onLosses, media, countTokens, fetch: send }, fault);
  const { contextWindow, maxOutput } = options;
  checkNumbers({ maxAnswerBytes }, fault);
  checkModel({ contextWindow, maxOutput, profile }, fault);
  const { baseUrl, auth, headers } = options;
  const host = hostOf({ baseUrl, auth, headers, dialect: speech.service.id }, fault, 'to');
  const isVendor = host.preset?.name === gatewayDialect(host.dialect).service.preset;
  return {
    ...speech,
    host,
    name: new URL(host.baseUrl ?? '').host,
    apiKey,
    owner: 'caller',
    onLosses,
    media,
    countTokens,
    maxAnswerBytes,
    contextWindow,
    maxOutput,
    profile: profileAt(host, withCap(profile, maxOutput)),
    policy: policyIn(options.losses, fault),
    // The vendor's own service knows no carriers; any other server may be a gateway that waits for them.
    isForeign: (domain) => isVendor && domain !== host.domain,
    ...namesOf(model),
    send,
  };
}

/** The error for an option that cannot be meant. */
export function fault(option: string, reason: string): TypeError {
  return new TypeError(`createFetch: ${option}: ${reason}`);
}

function namesOf(model: CommonOptions['model']): Pick<FetchSettings, 'modelOf' | 'names'> {
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
