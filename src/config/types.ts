import type { DialectId, ProfileChoice } from '../../translators/index.js';
import type { ImagesForm } from '../dialects/index.js';
import type { CredentialFiles } from '../ground/index.js';
import type { Host, LossPolicy } from '../protocol/index.js';

/** For what and where calls are signed. */
export interface SigningConfig {
  readonly region: string;
  readonly service: string;
}

/** Times in seconds. */
export interface Timeouts {
  readonly connect: number;
  readonly firstByte: number;
  /** Longest silence between two pieces of an answer. */
  readonly idle: number;
  readonly total: number;
}

/** Where a value comes from: from who wrote the configuration, from what is known of the host, from both, or from neither. */
export type Origin = 'file' | 'preset' | 'file and preset' | 'default';

/** What tokens of each kind cost, in USD per million; what is absent is unknown. */
export interface Rates {
  readonly input?: number;
  readonly output?: number;
  /** Input that was read from the prompt cache. */
  readonly cacheRead?: number;
  /** Input that was written to it, for minutes and for an hour. */
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
}

/** The prices of a model, and what changes of them for requests whose input is above so many tokens; ascending. */
export interface Prices extends Rates {
  readonly above?: readonly (Rates & { readonly tokens: number })[];
}

/** What the file says of a model. */
export interface ModelConfig {
  /** Tokens of input and output together. */
  readonly contextWindow?: number;
  /** The most tokens that it generates. */
  readonly maxOutput?: number;
  readonly prices?: Prices;
  /** Its name for people. */
  readonly title?: string;
}

/** A server that we call, or the built-in simulator. */
export interface BackendConfig extends Host {
  readonly name: string;
  /**
   * The other endpoints of its host by which the same models are called, in the preset's order (hosts.md#endpoints); none where the file says which one is
   * meant.
   */
  readonly endpoints: readonly BackendConfig[];
  /** Where those keys come from that a preset may fill in. */
  readonly origins: Readonly<Record<'dialect' | 'baseUrl' | 'auth' | 'state' | 'unsupported', Origin>>;
  readonly simulator: boolean;
  readonly apiKey?: string;
  /** With `auth: aws`. */
  readonly signing?: SigningConfig;
  /** Where `apiKey` and `headers` come from files: read again when these change. */
  readonly files?: CredentialFiles;
  readonly stream: 'client' | 'always';
  /** Whether the backend keeps answers itself; else the gateway does. */
  readonly state: 'own' | 'none';
  readonly countTokens: 'auto' | 'native';
  /** Whether prompts of other dialects are marked for its cache where it caches only on request. */
  readonly cache: 'auto' | 'off';
  /** How it makes pictures: by the image routes themselves, or by a protocol that is translated. */
  readonly images: ImagesForm;
  readonly profile?: ProfileChoice;
  /** What the file says of its models, by their names or by patterns of them. */
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly timeouts: Timeouts;
  /** Repeats on the same target when the connection was never made. */
  readonly retries: number;
  /** Calls at the same time; absent = any number. */
  readonly concurrency?: number;
  /** How many calls may wait for others to end. */
  readonly queue: number;
  readonly breaker: BreakerConfig | false;
}

/** So many failures in a row take a backend out for so long. */
export interface BreakerConfig {
  readonly failures: number;
  readonly seconds: number;
}

/** Where a model name leads, and what the file says of the model there. */
export interface TargetConfig extends ModelConfig {
  readonly backend: string;
  /** The backend's name of the model; `*` is what the pattern's `*` matched. Absent = the client's name. */
  readonly model?: string;
  /** Targets with weights are drawn in that proportion, the others stay as fallbacks. */
  readonly weight?: number;
  readonly profile?: ProfileChoice;
}

/** One caller. Only the digest of its key is kept. */
export interface KeyConfig {
  readonly name: string;
  /** SHA-256 of the key, lower-case hex. */
  readonly sha256: string;
  /** Names or patterns of the models it may use; absent = all. */
  readonly models?: readonly string[];
  readonly requestsPerMinute?: number;
  /** Input and output together. */
  readonly tokensPerMinute?: number;
  /** Exchanges at the same time. */
  readonly concurrency?: number;
  /** What it is shown of a backend's address when it asks what would be sent. Absent = the path alone. */
  readonly explain?: 'path' | 'full';
  /** Whether it is shown what all callers do: exchanges, usage, and what is known of backends. */
  readonly operator?: boolean;
}

/** Sizes in MB of 1,048,576 bytes, times in seconds. */
export interface LimitsConfig {
  readonly bodyMb: number;
  /** A multipart form, all of it. */
  readonly uploadMb: number;
  readonly jsonDepth: number;
  /** Values in one JSON body, scalars and containers at every level. */
  readonly jsonValues: number;
  /** Longest path of a request, without its query. */
  readonly pathBytes: number;
  /** Decompressed bytes that the requests of one key hold together. */
  readonly inflateMb: number;
  readonly eventMb: number;
  readonly headersSeconds: number;
  readonly bodySeconds: number;
  readonly connectSeconds: number;
  readonly firstByteSeconds: number;
  readonly idleSeconds: number;
  readonly totalSeconds: number;
  readonly writeIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly exchanges: number;
  /** Sockets of clients that one process has open. */
  readonly connections: number;
  /** Stored items that one request may name. */
  readonly references: number;
  /** What is stored and loaded for one request. */
  readonly historyMb: number;
  readonly drainSeconds: number;
}

/** Where conversations are kept, and for how long. Sizes in MB of 1,048,576 bytes. */
export type StoreConfig = StorePlace & {
  readonly ttlDays: number;
  readonly maxMb: number;
  readonly entryMb: number;
};

type StorePlace =
  | { readonly type: 'lmdb' /** A folder. */; readonly path: string }
  | { readonly type: 'redis'; readonly url: string }
  | { readonly type: 'memory' | 'off' };

/** Pictures and what is fetched for requests. Sizes in MB of 1,048,576 bytes. */
export interface MediaConfig {
  /** Patterns of model names by family, in front of the defaults. */
  readonly families: Readonly<Record<string, readonly string[]>>;
  /** Files must be smaller: those of `img-legacy` and masks. */
  readonly smallFileMb: number;
  /** The same for all other files. */
  readonly fileMb: number;
  /** How long a picture is kept behind its URL. */
  readonly blobMinutes: number;
  /** All kept pictures together. */
  readonly blobMb: number;
  /** Whether what users name by URL is fetched. */
  readonly fetch: boolean;
  readonly fetchMb: number;
  readonly fetchSeconds: number;
  /** Hosts and CIDR blocks that may be fetched from although they are private. */
  readonly allowPrivate: readonly string[];
  /** The word for a running video task; `auto` = the one that the client knows. */
  readonly runningStatus: 'auto' | 'processing' | 'in_progress';
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Where exchanges are recorded for `interlingua migrate`; without a path they are not. */
export interface RecordConfig {
  readonly path?: string;
  /** Whether lines hold what was said. */
  readonly content: boolean;
  /** At this size the file is put aside and a new one begun. */
  readonly maxMb: number;
}

/** A whole configuration with every default filled in; frozen at every depth. */
export interface Config {
  readonly listen: {
    readonly host: string;
    readonly port: number;
    /** Base of URLs that are given out, without a trailing slash; absent = where the gateway listens. */
    readonly publicUrl?: string;
    /** Origins of the pages that may call. */
    readonly cors: readonly string[];
  };
  /** Processes that share port, store, limits and metrics. */
  readonly workers: number;
  readonly backends: Readonly<Record<string, BackendConfig>>;
  /** Targets in the order in which they are tried, by name or pattern. */
  readonly models: Readonly<Record<string, readonly TargetConfig[]>>;
  /** Where prices and windows are looked up that neither the file nor a host tells; absent = nowhere. */
  readonly prices?: 'genai-prices';
  readonly keys: readonly KeyConfig[];
  /** Without keys, admits callers from everywhere and not only from this machine. */
  readonly open: boolean;
  readonly losses: LossPolicy;
  /** The backend of each dialect that serves the routes which nothing here translates; absent = none does. */
  readonly passthrough: Readonly<Partial<Record<DialectId, string>>>;
  /** Whether the page for trying things out is served; absent = while the gateway listens on loopback. */
  readonly playground?: boolean;
  readonly translate: {
    readonly omitMedia: boolean;
    readonly seedUser: boolean;
    readonly trailingState: 'drop' | 'emit';
    /** The default of backends. */
    readonly cache: BackendConfig['cache'];
  };
  readonly limits: LimitsConfig;
  readonly store: StoreConfig;
  readonly media: MediaConfig;
  readonly record: RecordConfig;
  /** Sums of what is used are kept for so many days; absent = there are none. */
  readonly usage: { readonly keepDays: number } | undefined;
  readonly log: { readonly level: LogLevel /** Whether lines hold what was said. */; readonly content: boolean };
  /** The last exchanges in memory, for operators, and whether what was said in them is kept; false = none are. */
  readonly live: false | { readonly bodies: boolean };
  /** Where the metrics have a listener of their own; without a port they are on the main one. */
  readonly metrics: { readonly port?: number; readonly host: string };
  /**
   * Files with texts of it, but for credentials of backends, with digests of these texts: when one changes, the
   * configuration is another.
   */
  readonly files: Readonly<Record<string, string>>;
}
