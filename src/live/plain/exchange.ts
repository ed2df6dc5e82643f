import type { DialectId, Loss } from '../../../translators/index.js';
import type { Facts, Tried } from '../../http/index.js';

/** So many exchanges are kept. */
export const MOST_KEPT = 500;

/** One exchange as `GET /live` shows it (http.md#live). What is unknown is absent. No member holds what was said. */
export interface LiveExchange {
  /** Its number; ascending in the order in which exchanges ended. */
  readonly n: number;
  /** When it ended, in ISO 8601. */
  readonly at: string;
  /** Id of the request, as in the log. */
  readonly id: string;
  /** Name of the caller's key. */
  readonly key?: string;
  /** The client, as its user agent says. */
  readonly client?: string;
  /** `POST /v1/messages`. */
  readonly route: string;
  readonly asked: { readonly dialect: DialectId } & Readonly<Pick<Facts, 'model' | 'stream'>>;
  /** The target of the last call. */
  readonly answered?: {
    readonly backend: string;
    readonly dialect: DialectId;
    /** The backend's name for the model. */
    readonly target?: string;
    /** The model that the answer names. */
    readonly model?: string;
  };
  /** Where endpoints of the backend were compared: the losses that count at each; null = it cannot serve the request. */
  readonly endpoints?: Facts['endpoints'];
  /** Of the answer; absent = the client got nothing. */
  readonly status?: number;
  /** `ok`, `client_closed`, or the kind of the error that was answered. */
  readonly outcome: string;
  /** Why the answer ended, in the words of its backend. */
  readonly finish?: string;
  /** Why the gateway refused the request itself. */
  readonly words?: string;
  /** The answer broke off after it had begun. */
  readonly cut?: true;
  /** How many calls were repeated at the same target, and how many targets were passed over. */
  readonly retried?: number;
  readonly passed?: number;
  /** Calls that did not serve. */
  readonly attempts?: readonly LiveAttempt[];
  readonly losses?: LiveLosses;
  /** Learned restrictions that applied, and those that refusals of this request revealed. */
  readonly restrictions?: readonly LiveRestriction[];
  readonly times: LiveTimes;
  readonly tokens?: LiveTokens;
  /** In USD, by the prices that are known; whether fees of tools are not in it. */
  readonly cost?: Facts['cost'];
  readonly costPartial?: Facts['costPartial'];
  /** The gateway's own headers of the answer, as they went out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What was said is kept, and shown by `GET /live/{n}`. */
  readonly bodies?: true;
}

/** A call that did not serve. Its words are shown where they are the gateway's own, or what was said is kept. */
export interface LiveAttempt extends Readonly<Omit<Tried, 'target' | 'quotes'>> {
  readonly target?: Tried['target'];
}

export interface LiveLosses {
  /** Those that strict would refuse, and the others. */
  readonly counted: number;
  readonly minor: number;
  /** Those that differ in their path alone are one, with the first path; the first ones. */
  readonly list: readonly LiveLoss[];
}

/** Its path is in the client's body, of an answer in that of the backend. */
export interface LiveLoss extends Pick<Loss, 'kind' | 'path' | 'detail'> {
  readonly feature: string;
  /** What to do about it. */
  readonly advice: string;
  readonly times: number;
}

export interface LiveRestriction {
  readonly kind: string;
  readonly restriction: string;
  /** It applies to all keys. */
  readonly shared?: true;
  /** A refusal of this request revealed it. */
  readonly learned?: true;
}

/** In milliseconds. */
export interface LiveTimes {
  readonly whole: number;
  /** From the request on. */
  readonly firstByte?: number;
  readonly firstToken?: number;
  /** The parts of the whole: in the row before backends or before a repeated call, from a call's leaving to the end of its answer, and the rest. */
  readonly waiting: number;
  readonly backend: number;
  readonly gateway: number;
  /** Tokens a second of a streamed answer, from its first token to its end. */
  readonly rate?: number;
}

/** As the backend counted. */
export interface LiveTokens {
  /** All that was fed in, and the parts of it that were read from a cache and written to it. */
  readonly input?: number;
  readonly cached?: number;
  readonly written?: number;
  /** All that was generated, and the part of it that is reasoning. */
  readonly output?: number;
  readonly reasoning?: number;
}

/** What was said in one direction, as far as it is kept. */
export interface LiveText {
  readonly text: string;
  /** Of all that was said; absent text is of another kind. */
  readonly bytes: number;
  readonly cut?: true;
}

/** What `GET /live/{n}` shows. */
export interface LiveDetail {
  readonly exchange: LiveExchange;
  readonly request?: LiveText;
  readonly answer?: LiveText;
  /** What the backend was sent in the last call that it answered, and its answer. */
  readonly backendRequest?: LiveText;
  readonly backendAnswer?: LiveText;
}
