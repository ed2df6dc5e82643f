import type { StateKeeper, Violation, JsonObject as WireBody } from '../../../src/simulator/rules/index.js';
import type { ProfileChoice } from '../../../translators/index.js';
import type { Kind, Told } from '../../backend/faults/told.js';
import type { FakeBackendOptions } from '../fake-backend/index.js';
import type { Tree } from '../gateway/harness.js';
import type { Spelling } from '../neutral.js';
import type { ErrorPlace } from '../quoting.js';
import type { Ask } from '../wire/requests.js';
import type { DialectWire } from '../wire/wire.js';

/** A limit of a key: of requests or tokens a minute, or of requests at the same time. */
export type Limit = 'requests' | 'tokens' | 'concurrency';

/** Attributes of a traced call. */
export interface Traced {
  readonly provider: string;
  readonly operation: string;
  readonly id: string;
  readonly model: string;
  readonly finish: string;
}

/** Matchers for what a refusal for a limit says. */
export interface LimitForms {
  readonly seconds: unknown;
  readonly millis: unknown;
  readonly date: unknown;
  readonly duration: unknown;
  readonly retryDelay: unknown;
}

/** The service that a request is for, as its rules see it. */
export interface Asked {
  readonly model: string;
  readonly host: 'dev' | 'cloud';
  /** Who knows what state was issued. */
  readonly state: StateKeeper;
}

/** What the tests know of a dialect that is said in data: `<folder>.yaml`. */
export interface DialectFacts {
  /** The name of its folders: of the library, of golden files, of recordings. */
  readonly folder: string;
  /** Its letter in the table of features. */
  readonly letter: string;
  /** A current model of its service. */
  readonly model: string;
  /** A model of the newest generation. */
  readonly newestModel: string;
  /** A model of the service that refuses most. */
  readonly strictestModel: string;
  /** Of each dialect models of several generations, which take and refuse different things. */
  readonly generations: readonly string[];
  /** Models that differ in the tools they know. */
  readonly models: readonly string[];
  /** Models that differ in what requests they take. */
  readonly targets: readonly string[];
  /** Profiles that differ in how a conversation is arranged. */
  readonly profiles: readonly ProfileChoice[];
  /** Files of the library's folder beyond the plan, with the reason (docs/internals/decisions/0005-one-plan.md). */
  readonly beyondPlan: Readonly<Record<string, string>>;
  /** The member of a request that holds the turns. */
  readonly turnsKey: string;
  /** The member of a turn that holds its parts. */
  readonly partsKey: string;
  /** For each dialect a key of its answers and one of some event that no reader should have to miss. */
  readonly requiredMembers: { readonly answer: string; readonly event: string };
  /** The name of an event that brings text; undefined where events have no names. */
  readonly deltaEvent: string | undefined;
  /** Paths of its routes that take bodies. */
  readonly routes: readonly string[];
  /** The least that a request may be. */
  readonly smallRequest: Readonly<Record<string, unknown>>;
  /** What a request has beside its words, so that answers of others have a place for thoughts and calls. */
  readonly askingForThoughts: object;
  /** Requests with everything in them that might stay behind. */
  readonly oddMembers: object;
  /** Where its service counts the tokens of a request; undefined where it does not, as in the members about counts below. */
  readonly countPath: string | undefined;
  /** What its service answers to a count of 42 tokens. */
  readonly counted: object | undefined;
  /** The error that refuses a caller. */
  readonly forbidden: object;
  /** How it tells each kind of failure. */
  readonly refusals: Readonly<Record<Kind, Told>>;
  /** From which byte on the stream of a dialect has said how it ends. */
  readonly finishText: string;
  /** What the text of a stream that failed holds. */
  readonly failureText: string;
  /** How many frames of `frames` it takes until the first three characters of the text were said. */
  readonly openingFrames: number;
  /** Which frame of `frames` is the first of its text. */
  readonly deltaFrame: number;
  /** The folder of its recorded exchanges, which may be absent. */
  readonly recordings: string;
  /** What a fake of its service demands of the model that `model` names. */
  readonly fakeOptions: FakeBackendOptions;
  /** What a trace says of a call that `answer` answers. */
  readonly traced: Traced;
  /** The type of a request of each dialect. Where it is wider than the client's, the reason stands there. */
  readonly requestType: string;
  /**
   * The types of a whole answer and of one event of a stream of each dialect, as a client reads them. Where they differ from
   * the official client's, the reason stands there.
   */
  readonly answerTypes: string;
}

/** What the tests know of a dialect, without asking the library: a new dialect is a record of these. */
export interface TestDialect extends DialectFacts {
  /** How its clients ask. */
  readonly request: Ask;
  /** How its service answers. */
  readonly wire: DialectWire;
  /** What its service refuses in a request. */
  readonly violations: (body: WireBody, asked: Asked) => Violation[];
  /** An error in which a backend quotes its key. */
  readonly errorQuoting: (place: ErrorPlace, key: string) => object;
  /** What of its bodies is spelling alone. */
  readonly spelling: Spelling;
  /** An event of a stream that ends it as a failure. */
  readonly errorEvent: (body: Tree, sequence: number) => readonly [name: string | undefined, data: object];
  /** What an answer to a wrong key says. */
  readonly wrongKey: RegExp;
  /** The text that an event of a stream brings. */
  readonly textOfEvent: (event: Tree) => string | undefined;
  /** What an event of a stream brings of the arguments of calls, as JSON. */
  readonly argsOfEvent: (event: Tree) => string | undefined;
  /** Whether an event says that the answer is complete. */
  readonly saysComplete: (event: Tree) => boolean;
  /** Whether an event says that the answer failed. */
  readonly saysFailure: (event: Tree) => boolean;
  /** Whether an event is the last one of a whole answer. */
  readonly isLastEvent: (event: Tree) => boolean;
  /** How the text of a stream ends. */
  readonly ending: { complete: RegExp; error: RegExp };
  /** The members of a request that declare a tool with this schema. */
  readonly withTool: (schema: object) => object;
  /** The message of a whole error of the dialect; something else where the body is none. */
  readonly errorMessage: (body: Tree) => unknown;
  /** A count for a request that has something to lose. */
  readonly lossyCount: ((model: string) => { path: string; body: object }) | undefined;
  /** Where each client's SDK shows the first field that would be lost. */
  readonly lossOf: (body: Tree) => unknown;
  /** Whether a client takes an event for the end of a whole answer. */
  readonly saysFinish: (event: Tree) => boolean;
  /** Paths below which a call may go, with the name as one segment where it is a part of it. */
  readonly pathBelowRoot: (segment: string) => string;
  /** An error as its service words it. */
  readonly errorBody: (status: number, word: string, message: string) => object;
  /** The headers of a refusal for a limit of a key. */
  readonly limitHeaders: (kind: Limit, like: LimitForms) => object;
  /** Its body. */
  readonly limitBody: (kind: Limit, like: LimitForms) => object;
  /** A request whose tool and whose answer have this schema. */
  readonly requestWithSchema: (schema: unknown) => unknown;
  /** Whether a body is an error of the dialect with everything that belongs to it. */
  readonly isErrorBody: (body: Tree) => boolean;
  /** Members of a request with as many kinds of objects as the dialect has. */
  readonly richMembers: (schema: object) => object;
}
