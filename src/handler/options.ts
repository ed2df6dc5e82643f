import type { DialectId, Loss, ProfileChoice } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';
import type { PresetName } from '../presets/index.js';
import type { Clients, LossOption, Settings } from '../web/index.js';

/** A service that models are asked at. The keys are those of `backends` in the configuration of the gateway. */
export interface HandlerBackend {
  /** A host that is known by name: it gives the dialect, the address and the form of the key. */
  readonly preset?: PresetName;
  /** What it speaks; absent = by preset or address. */
  readonly dialect?: DialectId;
  /** The root of its service; absent = by preset. */
  readonly baseUrl?: string;
  /** Its key; absent = no credential is sent. A caller's own never is. */
  readonly apiKey?: string;
  /** The form of the key, where the host takes another than usual. */
  readonly auth?: KeyForm;
  /** Added to each call; wins over what is sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What its models can take, where their names do not tell. */
  readonly profile?: ProfileChoice;
}

/** Where a model name leads. */
export interface HandlerTarget {
  /** The name of a backend. */
  readonly backend: string;
  /** Its name of the model, in which `*` is what the `*` of the pattern stands for; absent = the client's. */
  readonly model?: string;
  /** Targets with weights are drawn in that proportion, the others are fallbacks. */
  readonly weight?: number;
  readonly profile?: ProfileChoice;
  /** Tokens of input and output together, for lists of models. */
  readonly contextWindow?: number;
  /** The most tokens that it generates. */
  readonly maxOutput?: number;
}

/** One caller. */
export interface HandlerKey {
  /** What records call it; ids of answers are shared by the keys of one name. */
  readonly name: string;
  /** 16 characters or more. */
  readonly key?: string;
  /** SHA-256 of the key in lower-case hex, in its place. */
  readonly sha256?: string;
  /** Names or patterns of the models it may use; absent = all. */
  readonly models?: readonly string[];
  /** What it is shown of addresses when it asks what would be sent. Default `path`. */
  readonly explain?: 'path' | 'full';
}

/** Where answers of the responses dialect are kept: texts by key. Any store with times to live does. */
export interface HandlerStore {
  /** The text at a key; null or undefined where there is none. */
  get(key: string): Promise<string | null | undefined>;
  /** Keeps a text for so many seconds. */
  set(key: string, text: string, ttlSeconds: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** What is known of an exchange at its end. */
export interface HandlerRecord {
  readonly id: string;
  /** The name of the key; absent without keys. */
  readonly key?: string;
  readonly client: DialectId;
  readonly method: string;
  readonly path: string;
  /** As the client asked. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Who answered, the dialect in which it was asked, and its name of the model. */
  readonly backend?: string;
  readonly dialect?: DialectId;
  readonly target?: string;
  /** How many targets were tried before. */
  readonly passed: number;
  /** Of the answer; 499 where the client left before there was one. */
  readonly status: number;
  /** `ok`, the kind of the error, or `client_closed`. */
  readonly outcome: string;
  /** What was thrown that nobody foresaw: a fault of the handler, or of a function among its options. */
  readonly fault?: unknown;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly finish?: string;
  readonly losses: readonly Loss[];
  /** Milliseconds until the head of the answer, and until its end. */
  readonly headMs: number;
  readonly ms: number;
  /** The call that would be made was shown, and nothing was called. */
  readonly explained?: true;
  /** Why an answer that was to be kept is not. */
  readonly notKept?: unknown;
}

/** What a handler needs to know beside its dialects. The keys are those of the gateway's configuration where there is one. */
export interface CommonHandlerOptions {
  readonly backends: Readonly<Record<string, HandlerBackend>>;
  /**
   * Where names of models lead; a name may end in `*`. Lists are tried in order. Absent = every name to the only backend, unchanged.
   */
  readonly models?: Readonly<Record<string, HandlerTarget | readonly HandlerTarget[]>>;
  /** Who may call. */
  readonly keys?: readonly HandlerKey[];
  /** Without keys: everybody may call. One of the two is required. */
  readonly open?: boolean;
  /** `strict` refuses what would be lost. Default `report`. */
  readonly losses?: LossOption;
  /** Origins of the pages that may call. */
  readonly cors?: readonly string[];
  /** Removed from the front of paths: where the handler is mounted, such as `/api/llm`. */
  readonly basePath?: string;
  /** Called once for each request, when its answer has ended. What it throws is ignored. */
  readonly onExchange?: (record: HandlerRecord) => void;
  /** Counts the tokens of a text where a backend cannot. Default: roughly, without a vocabulary. */
  readonly countTokens?: (text: string) => number;
  /** Sends the calls. Default: the global `fetch` at the time of the call. */
  readonly fetch?: typeof fetch;
  /** The bytes behind a URL, for backends that take media only inline. Absent = none are fetched. */
  readonly media?: (url: string) => Promise<Uint8Array>;
  /** The most bytes of a request that are read, unpacked. Default 67,108,864 (64 MB). */
  readonly maxBodyBytes?: number;
  /** The most bytes of an answer, or of one event of a stream, that are read of a backend. Default 67,108,864 (64 MB). */
  readonly maxAnswerBytes?: number;
  /** Seconds until the head of a backend's answer, above which the next target is tried, and until the store answers. Default 900. */
  readonly firstByteSeconds?: number;
}

/** What `createHandler` needs to know. */
export interface HandlerOptions extends CommonHandlerOptions {
  /** Where answers of the responses dialect are kept; absent = they are not. */
  readonly store?: HandlerStore;
  /** For how long. Default 30 days. */
  readonly storeDays?: number;
}

/** Which dialects there are on both sides of a handler. */
export interface HandlerSpeech extends Pick<Settings, 'readerOf' | 'relayedLimits'> {
  readonly clients: Clients;
  /** The half of a dialect for services; undefined where it was not handed over. */
  serviceOf(dialect: DialectId): Settings['service'] | undefined;
}
