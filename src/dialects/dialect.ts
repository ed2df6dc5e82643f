import type { HostFeature, ModelTarget } from '../../translators/index.js';

/** The forms in which services take a key. */
export const KEY_FORMS = ['bearer', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

export type KeyForm = (typeof KEY_FORMS)[number];

/** The protocols in which backends make pictures (media.md 5), and `none`. */
export const IMAGES_FORMS = ['routes', 'generateContent', 'responses', 'predict', 'none'] as const;

export type ImagesForm = (typeof IMAGES_FORMS)[number];

/** The same for videos (media.md 6). */
export const VIDEOS_FORMS = ['a', 'b', 'operations', 'none'] as const;

export type VideosForm = (typeof VIDEOS_FORMS)[number];

/** What came out of `JSON.parse`, not narrowed. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the gateway knows of a dialect beside what the library does: its HTTP, and the service that it comes from. */
export interface GatewayDialect {
  readonly service: Service;
  /** The form in which the dialect's own service takes a key. */
  readonly keyForm: KeyForm;
  /** Names the version of the protocol. */
  readonly versionHeader?: string;
  /** Names features that a client wants to try. */
  readonly betaHeader?: string;
  /** Where clients look for the id of an answer. */
  readonly idHeaders: readonly string[];
  /** Headers of a request that select an account: they go along with the client's own credentials only. */
  readonly accountHeaders: readonly string[];
  /** Headers of an answer that pass to a client of the dialect. */
  readonly answerHeaders: RegExp;
  readonly callers: Callers;
  readonly families: Families;
  /** How backends of the dialect make pictures, unless their configuration says otherwise. */
  readonly images: ImagesForm;
  /** Protocols for pictures that backends of this dialect alone speak. */
  readonly ownImages: readonly ImagesForm[];
  /** The same as `images` for videos. */
  readonly videos: VideosForm;
  /** The body, and not the path, says which model is meant and whether a stream is wanted. */
  readonly asksInBody: boolean;
  /** The `object` of its answers, where the vendor has another dialect whose answers have one too. */
  readonly answerObject?: string;
  /** What a host lacks that has not the endpoint with which the dialect's services count tokens; false where none has one. */
  readonly counts: Extract<HostFeature, 'countTokens' | 'inputTokens'> | false;
  /** The dialect's own service keeps answers, which later requests name by id. */
  readonly keepsAnswers: boolean;
  /**
   * The dialect has an event with which a failed answer ends for every reader. Without one there are readers that pass over an error
   * and take the end of the body for the end of the answer: the connection has to break (translation.md 6.5).
   */
  readonly endsFailed: boolean;
  /** Model of the built-in simulator when there is neither a configuration file nor a key. */
  readonly simulated: string;
  /** Host of the service whose newest models it stands for; absent = servers of the dialect differ, and it stands for none of them. */
  readonly simulatedHost?: string;
  /** Names that lead to the simulator too: models for pictures and videos, which routes without a `model` mean. */
  readonly simulatedMedia: readonly string[];
  /** What some servers of the dialect do not serve, where flags of a profile and no features of their hosts say so. */
  readonly wishes?: readonly Wish[];
  /** The root of a service by the `baseUrl` of its backend, which ends in no slash. Absent = that without a version. */
  serviceRoot?(baseUrl: string): string;
  /** Distinguishes an error of the dialect from one of a server in between; `error` is the body's own `error`. */
  isError(body: Fields, error: Fields): boolean;
}

/** What a body may ask for. */
interface Wish {
  isIn(body: Fields): boolean;
  /** Whether a model's server is known not to serve it, by the profile. */
  lacks(profile: ModelTarget): boolean;
}

/** The vendor's service, which has all routes of the dialect. */
export interface Service {
  /** Its preset, after which its backend is named in a start without a configuration file. */
  readonly preset: 'anthropic' | 'openai' | 'gemini';
  /** Patterns of the names of its models; none = no start without a file calls it. */
  readonly models: readonly string[];
  /** Our neutral names of media models with its own. */
  readonly neutral: Readonly<Record<string, string>>;
  /** `gen_ai.provider.name` of a backend whose host says nothing better. */
  readonly provider: string;
  /** The publisher of its models in addresses of a cloud; absent: none there. */
  readonly publisher?: 'google' | 'anthropic';
  /** `gen_ai.operation.name` of its calls. */
  readonly operation: string;
}

/** How a caller of the dialect is recognised, before any route is looked for (http.md#tolerance). */
export interface Callers {
  /** Source of a pattern for paths below the version that no other dialect has. */
  readonly paths: string;
  /** Other paths that no other dialect has. */
  readonly otherPaths?: RegExp;
  /** On paths that several dialects have: headers that its clients send, and versions that it alone has. */
  readonly headers: readonly string[];
  readonly versions?: RegExp;
}

/** Routes of the dialect's service that are relayed without being understood. */
export interface Families {
  /** How their paths begin below the version. */
  readonly names: readonly string[];
  /** The same of those that have routes of their own, because these share a path with what is translated. */
  readonly placed?: readonly string[];
  /** The versions below which the service has them; any other is replaced by the first. '' = below its root. */
  readonly versions: readonly [string, ...string[]];
  /** Files go in and out below paths of their own. */
  readonly moves: boolean;
  /** Verbs on a model. */
  readonly verbs: readonly string[];
}
