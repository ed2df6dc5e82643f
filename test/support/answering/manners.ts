import type { FakeDialectName } from '../fake-backend/index.js';
import { readData } from '../frames.js';

/** What a server makes of a request that holds something. */
export interface Refusal {
  /** A path of members, in which `*` is any entry of a list. */
  readonly at: string;
  /** The value that is refused there; all others with `not`; any when neither is given. */
  readonly is?: unknown;
  readonly not?: unknown;
  readonly status: number;
  readonly says: string;
}

/** What a server does as if it had not been asked. */
export type Ignored =
  | 'choice'
  /** All but a tool that is named. */
  | 'choiceButNamed'
  | 'namedChoice'
  | 'noneChoice'
  | 'allowedChoice'
  | 'parallel'
  | 'schema'
  | 'stop'
  | 'logprobs'
  | 'n'
  | 'newerCap'
  | 'streamUsage'
  /** That an answer was cut is not told. */
  | 'cut'
  | 'picture'
  | 'document'
  | 'prefill'
  /** An answer that was begun and is not marked, which chat templates end. */
  | 'unmarkedPrefill'
  | 'customTools'
  /** The cap. */
  | 'cap';

/** How a server behaves at one endpoint. */
export interface Endpoint {
  /** What a probing finds that does not hold, by how it shows; all else holds or is undecided. */
  readonly shows: Readonly<Record<'ignored' | 'refused' | 'other', readonly string[]>>;
  /** What it cannot do at all, with whatever configuration. */
  readonly cannot?: readonly string[];
  /** The same for clients of its own dialect, whose bodies pass as they are. */
  readonly cannotRelay?: readonly string[];
  /** What it can do only with the configuration that the probing writes. */
  readonly needs?: readonly string[];
  readonly ignores?: readonly Ignored[];
  readonly refuses?: readonly Refusal[];
}

/** A server that answers. */
export interface Manners {
  /** Who owns the models of its list. */
  readonly owner: string;
  /** More members of an entry of that list. */
  readonly list?: Readonly<Record<string, unknown>>;
  readonly listless?: true;
  /** What it answers to GET. */
  readonly routes?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path at which it counts. */
  readonly counts?: string;
  /** How it refuses a cap above 8192, with `%cap` for the member and `%n` for its value. */
  readonly cap?: string;
  /** How the bodies of its errors look. */
  readonly form: 'vllm' | 'ollama' | 'llamacpp' | 'litellm' | 'python' | 'detail';
  readonly dialects: Readonly<Partial<Record<FakeDialectName, Endpoint>>>;
}

/** The servers of servers.yaml, by name. */
export const SERVERS: Readonly<Record<string, Manners>> = readData('support/answering/servers.yaml');
