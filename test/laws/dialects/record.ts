import type fc from 'fast-check';
import type { ComputerArguments } from '../../../translators/canonical/client-actions.js';
import type { Citation, Part, ReasoningPart } from '../../../translators/canonical/content.js';
import type { StateSettings } from '../../../translators/canonical/request.js';
import type { FinishKind } from '../../../translators/canonical/response.js';
import type { DialectId, JsonObject, Loss } from '../../../translators/index.js';
import type { JsonObject as WireObject } from '../../../translators/wire/json.js';
import type { Members } from '../../../translators/wire/members.js';
import type { Call } from '../../client-tools/answers.js';
import type { Flags } from '../answers/client-requests.js';
import type { Endings } from '../answers/endings.js';
import type { Told } from '../answers/hosted.js';
import type { States } from '../answers/parts.js';
import type { Kinds, UsageCount } from '../answers/responses.js';
import type { Manner } from '../carriers/clients.js';
import type { Issue } from '../carriers/issuers.js';
import type { Families, Words } from '../honesty/client-tools.js';
import type { ForeseenRefusal, NeutralKeys } from '../neutral/record.js';
import type { Move, Setup } from '../prefix/moves.js';
import type { Json } from '../prefix/wire.js';
import type { WireStream } from '../streams/generate/framing.js';
import type { Wire } from '../streams/generate/values.js';
import type { Reading } from '../streams/readers/reading.js';
import type { Difference } from '../streams/same.js';
import type { Trait } from './traits.js';

/** What the laws need of a dialect: its generated values, and readings of what it says. */
export interface LawDialect {
  /** What sets its wire apart. */
  readonly traits: readonly Trait[];
  /** Fields of requests that vanish without a word, because with their documented values they say nothing to the target. */
  readonly neutralFields: readonly string[];
  /** What may vanish from its recorded bodies without a word. */
  readonly neutralKeys: readonly NeutralKeys[];
  /** Its recorded requests that others refuse. */
  readonly foreseenRefusals: readonly ForeseenRefusal[];
  /** A request that declares the tools that clients of the dialect run. */
  readonly clientToolRequest: JsonObject;
  /** What models make of such tools: calls that other dialects do not know. */
  readonly clientToolCalls: fc.Arbitrary<Call>;
  /** Requests with every form of such tools. */
  readonly clientToolRequests: readonly JsonObject[];
  /** Calls of its computer tool. */
  readonly computerCalls: fc.Arbitrary<Call>;
  /** Where the parts of an answer are. */
  readonly partsPath: string;
  /** A model whose service wants its state back, where a current one of the dialect's maker does not. */
  readonly stateModel?: string;
  readonly issue: Issue;
  readonly client: Manner;
  readonly thoughtNode: (text: string) => Json;
  /** A history in which `carriers` came back, one a turn, and a call waits for its answer. */
  readonly historyWith: (carriers: readonly string[]) => Json;
  /** Errors as its service tells them. */
  readonly errorBodies: fc.Arbitrary<unknown>;
  /** Members of an error that its recorded errors keep. */
  readonly errorWords: (error: JsonObject) => readonly string[];
  /** Ends that a client is told as an error, by its dialect (translation.md 5.2). */
  readonly finishesAsErrors: readonly FinishKind[];
  /** What is wrong with an answer, beyond its shapes. */
  readonly answerRules: (body: JsonObject) => string[];
  /** Ends as the decoders read them, with the word on the wire. Ends for calls are settled by the parts. */
  readonly finishWords: Kinds;
  /** How it tells them. */
  readonly endings: Endings;
  /** Citations as its answers hold them, of a text. */
  readonly citations: (text: string) => fc.Arbitrary<Citation>;
  /** Counts that it tells beside input, output, cached and thought tokens. */
  readonly usageCounts: readonly UsageCount[];
  readonly serviceTiers: readonly string[];
  readonly telemetryKey: string;
  /** What its service runs itself, as an answer tells it; undefined where answers tell no such calls. */
  readonly hostedCalls: fc.Arbitrary<Told> | undefined;
  /** A thought as its issuer wrote it. */
  readonly thought: (text: string) => Json;
  readonly conversation: (setup: Setup, moves: readonly Move[], target: DialectId) => Json;
  /** What a service holds, and no other can have. */
  readonly heldSettings: readonly StateSettings[];
  /**
   * How names are written in one dialect (translation.md 2.7), told here a second time on purpose: `fixed` are names of its
   * own tools, `first` is what a name begins with.
   */
  readonly nameRules: {
    readonly legal: RegExp;
    readonly char: RegExp;
    readonly limit: number;
    readonly fixed?: readonly string[];
    readonly first?: RegExp;
  };
  /** Models that laws of requests are tried on a second time, on the host of the service's cloud. */
  readonly cloudModels: readonly string[];
  /** The built-in tools of clients as each dialect declares them [M §2.5, R §2.6, G §2.5]. */
  readonly clientTools: Families;
  readonly computerHistory: fc.Arbitrary<Words>;
  /** What a call does by the words of its computer; undefined for a call of something else. */
  readonly computerWords: (name: string, value: JsonObject) => ComputerArguments | undefined;
  readonly reasoningNode: Record<string, unknown>;
  /** What a relay appends to a stream that is whole but for its last word; nothing unless given. */
  readonly relayedEnd?: (text: string) => string;
  /** What is appended to a relayed stream whose answer had begun. */
  readonly relayedFailure: RegExp;
  /** How the text of the events begins that a stream can do without once it has said how the answer ends. */
  readonly trailer: string | undefined;
  readonly readOfficially: (text: string) => Promise<Wire>;
  /** What the helper of the official client can show of a folded answer; `final` is what it showed of the streamed one. */
  readonly officialView: (final: Wire, body: Wire) => Wire;
  /** Every last word there is: a good end or an error. A response that never began fails by its error event alone. */
  readonly terminalFrames: RegExp;
  /** Strict readers of what clients of each dialect are sent. They throw where a rule is broken. */
  readonly read: (text: string) => Reading;
  /**
   * What is said, and why it ends. What a backend tells only at its end (counts, sources, log probabilities) is not known
   * of a stream that is cut before.
   */
  readonly stopped: (answer: Wire) => unknown;
  /** The data line with which each dialect says how an answer ends. */
  readonly finishLine: RegExp;
  /** Streams that a backend of each dialect may send, written from the wire sheets. */
  readonly streams: fc.Arbitrary<WireStream>;
  /**
   * Requests whose answer is rewritten on its way: names and free text come back, values are unwrapped, thinking is hidden
   * from clients that did not ask for it (translation.md 4.3.5). `undefined` = nothing is known of the request.
   */
  readonly streamRequests: fc.Arbitrary<Wire | undefined>;
  /** Requests that want their answer to end at strings, more of them than some backends take. */
  readonly stoppingRequest: Wire;
  /** The table of its request members. */
  readonly members: Members;
  /** The lists of nodes in a history that hold state, and its key. */
  readonly stateHolders: (history: Json[]) => { lists: Json[][]; key: string };
  readonly clientRequest: (flags: Flags) => JsonObject;
  readonly assistantTurns: (body: Json) => Json[][];
  /** A request with a tool of this schema. */
  readonly requestWithTool: (schema: WireObject, held: WireObject) => WireObject;
  /** A request whose answer must have this schema. */
  readonly requestWithAnswer: (schema: WireObject) => WireObject;
  readonly differenceOf: (streamed: Wire, folded: Wire, losses: readonly Loss[]) => Difference | undefined;
  /** An answer as it stands in the history of the next request. */
  readonly answerAsHistory: (answer: JsonObject) => readonly unknown[];
  readonly reasoningParts: (state: States, none: States) => fc.Arbitrary<ReasoningPart>;
  readonly furtherParts: () => fc.WeightedArbitrary<Part>[];
}
