import type { DialectId, JsonObject } from '../library.js';
import type { Place } from './place.js';

/** A request as a target gets it. */
export interface Copied {
  readonly dialect: DialectId;
  readonly body: JsonObject;
  /** The model and the choice of a stream, which some dialects have in the URL. */
  readonly model: string;
  readonly stream: boolean;
  /** Feature names that the service wants in a header. */
  readonly betas: readonly string[];
  /** A known host or an address; absent = the vendor's own. */
  readonly host?: string;
}

/** What is read of a call in a program. */
export interface Given {
  /** The arguments that the method names. */
  readonly named: JsonObject;
  /** What goes with the body beside them; absent = nothing. */
  readonly extra: JsonObject | undefined;
  /** By the name of the method. */
  readonly stream: boolean;
}

/** What a call sends. */
export interface Sent {
  readonly body: JsonObject;
  /** What the URL names. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** An SDK in one language, as programs have it. */
export interface Writing<Options> {
  /** The line that loads it. */
  readonly load: string;
  /** The name of what makes its client. */
  readonly client: string;
  /** What the client is told of a place. */
  options(place: Place): Options;
  /** The call that sends a request. */
  call(copied: Copied): string;
  /** The line that prints what is said in `answer`, and in `event`. */
  readonly print: string;
  readonly printEvent: string;
}

/** The SDK of the vendor of a dialect: how programs that call it are read and written. All the page knows of it is one of these. */
export interface Sdk {
  /** Whose it is, in a sentence. */
  readonly name: string;
  /** A call of its method, whose name is the first group: the same in JavaScript and Python but for the case. */
  readonly method: RegExp;
  /** What a call sends. */
  sentBy(given: Given): Sent;
  /** Of its own service it knows the address, and it looks for the key where everybody has it. */
  readonly knowsItsOwn: boolean;
  readonly javascript: Writing<Readonly<Record<string, unknown>>>;
  /** Options are named arguments. */
  readonly python: Writing<readonly string[]>;
  /** The variables of the environment with the address and the key, and what the gateway's address ends in there. */
  readonly variables: readonly [address: string, key: string, end: string];
}

/** What is sent where the arguments are the members of the body. */
export function asNamed({ named, extra, stream }: Given): Sent {
  return { body: { ...named, ...extra, ...(stream && { stream }) } };
}
