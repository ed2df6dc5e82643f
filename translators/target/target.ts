import type { MediaPart, Part } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { OutputFormat } from '../canonical/request.js';
import type { FinishKind } from '../canonical/response.js';
import type { FunctionTool, HostedFamily } from '../canonical/tools.js';
import type { ClientToolRules } from './client-tool-rules.js';
import type { HostFeature } from './host-words.js';
import type { Profile } from './words.js';

/**
 * What requests are written for, and answers read by: what the dialect, the host, the model and the configuration make of it, resolved
 * once by `target` of the dialect (Decision 0021).
 */
export interface Target extends Omit<Profile, 'unsupported'> {
  /** How the dialect wants a conversation arranged at this target. */
  readonly rules: TargetRules;
  /** What the host lacks of the dialect, for what no other word says (hosts.md#presets). */
  readonly unsupported: ReadonlySet<HostFeature>;
}

/** What an encoder of requests gets. */
export interface EncodeRequestContext {
  readonly losses: Losses;
  /** What the model on its host can do. */
  readonly target: Target;
  /** Whose opaque state the backend holds. */
  readonly domain: string;
  /** The request came in another dialect of the vendor of this one: tiers and prompt caches have the same words in both. */
  readonly sameVendor?: boolean;
  /** Bytes of media by URL, fetched by the host. */
  readonly media?: ReadonlyMap<string, { readonly mime: string; readonly base64: string }>;
  /** Where the source's body has the bytes of a media part, as a JSON Pointer below the part; absent = at the part. */
  readonly mediaPath?: (part: MediaPart) => string;
  /** Leave out media that the target cannot take, instead of refusing. */
  readonly omitMedia?: boolean;
  /** Make a user turn from the instructions when there is no other. */
  readonly seedUser?: boolean;
  /** What may be sent as text only where the caller lets meaning go is refused (translation.md 2.4, orphan results). */
  readonly strict?: boolean;
  /** The host cuts the answer at stop strings that the target does not know. */
  readonly cutsStop?: boolean;
  /** How deep JSON in a text, such as the arguments of a call, may nest; absent = 128. */
  readonly maxEventDepth?: number;
  /** The host leaves out old turns when the target refuses the input as too long, where the client wants that. */
  readonly truncates?: boolean;
  /** `auto`, or absent: a client that knows no marks for the prompt cache gets some where they are needed (configuration.md#prompt-caches). */
  readonly cache?: 'auto' | 'off';
}

/** Which tool names are legal (translation.md 2.7). */
export interface NameRule {
  /** Legal names, whole. */
  readonly pattern: RegExp;
  /** Characters that may stay, one at a time. */
  readonly character: RegExp;
  /** First characters that may stay; others get `_` in front. */
  readonly first?: RegExp;
  readonly limit: number;
}

/** Which call ids are legal. */
export interface CallIdRule {
  readonly pattern: RegExp;
  /** Ids are letters and digits alone, exactly so many: substitutes are too. At most 10. */
  readonly alphanumerics?: number;
}

/**
 * What a foreign hosted call and its result become in history: `drop` (the answer's text stays), `text` (a line about
 * what ran), `call` (a plain call and its result), `media` (the picture, in the next user turn), `keep`.
 */
export type HostedHistory = 'drop' | 'text' | 'call' | 'media' | 'keep';

/** How values have to be changed because the schema they were asked for was. */
export interface SchemaRules {
  /** The arguments of such a tool are in an object under `value`, because the root of its schema is no object. */
  wrapsArguments(tool: FunctionTool): boolean;
  /** The same for an answer; lists of words are always wrapped where this is true. */
  wrapsAnswer(output: OutputFormat): boolean;
  /** Strictness fills what was optional with null, to be taken out again. */
  fillsNulls(schema: JsonObject, of: 'arguments' | 'answer'): boolean;
}

/** What the answers to a dialect's clients need of its rules. */
export interface AnswerRules {
  /** Ends of an answer for which the dialect has no word but an error (translation.md 5.2). */
  readonly errorFinishes: readonly FinishKind[];
  /** Ends that are errors only where nothing came before them: what came is paid for, and delivered. */
  readonly emptyErrorFinishes: readonly FinishKind[];
  /** How the dialect has the built-in tools of clients. */
  readonly clientTools: ClientToolRules;
}

/** How a dialect wants a conversation arranged: the data that drives adaptRequest. */
export interface TargetRules extends AnswerRules {
  /** Id of the dialect. */
  readonly dialect: string;
  readonly names: NameRule;
  readonly callIds: CallIdRule;
  /** `items`: results right after their calls, in a turn of their own that may follow more turns of one speaker;
   *  `nextUserTurn`: first in the next user turn; `ownTurn`: a turn that holds nothing else. */
  readonly results: 'items' | 'nextUserTurn' | 'ownTurn';
  /** Adjacent turns of one role become one. */
  readonly mergeTurns: boolean;
  /** Instruction turns in mid-history: kept, kept where the target allows it, or a marked note in a user turn. */
  readonly midInstructions: 'keep' | 'profile' | 'note';
  /** What replaces the result of a call that was interrupted. */
  readonly missingResult: { readonly text: string; readonly isError: boolean };
  /** The first turn must be a user's: always, when it would hold a call, or never. */
  readonly userFirst: 'always' | 'beforeCalls' | 'never';
  /** The last turn must be a user's: always, unless the profile continues assistant turns, or never. */
  readonly userLast: 'always' | 'unlessPrefill' | 'never';
  /** A user's empty text may open the conversation, and be all that there is to answer (translation.md 2.3). */
  readonly emptyUser: boolean;
  /** A result whose call is unknown: refused, or sent as user text. */
  readonly orphanResult: 'refuse' | 'text';
  /** Reasoning comes back as text, which may be the same in several turns; opaque state is issued once for one place. */
  readonly textState?: true;
  /** Tools with free text input exist. */
  readonly customTools: boolean;
  readonly namespaces: boolean;
  /** Tools may be added in mid-history. */
  readonly toolChanges: boolean;
  /** Assistant turns may hold media; else it moves to the next user turn. */
  readonly assistantMedia: boolean;
  /** Minted call ids are left out (translation.md 2.7.6); with `profile` all ids are left out when the profile demands it. */
  readonly hidesMintedIds: boolean;
  /** Leading instructions may hold media; else it moves to the first user turn. */
  readonly instructionMedia: boolean;
  /** Requests for consent to hosted calls, and the answers, have items of their own. */
  readonly approvals: boolean;
  /** What the schemas of this dialect do to values (translation.md 3.3, 3.4). */
  readonly schemas: SchemaRules;
  /** Where a model holds no answer to a schema, its answer may be the input of a hidden function (adapt/final-answer.ts). */
  readonly answersByCall: boolean;
  /** How many stop strings a request may hold; more are cut by the host. */
  readonly maxStops: number;
  /** Models behind this dialect sometimes wrap several calls in one (adapt/wrapped-calls.ts). */
  readonly wrapsCalls: boolean;
  /** An assistant turn may end in reasoning. */
  readonly endsInReasoning: boolean;
  readonly hostedHistory: Readonly<Record<HostedFamily, HostedHistory>>;
  /** Languages of hosted code that can be kept; other code is sent as text. */
  readonly codeLanguages: readonly string[];
  /** The tool names this dialect fixes for its own tools: functions of that name get an alias. */
  readonly fixedNames: readonly string[];
  /** Makes one part of another dialect encodable. */
  readonly fitPart: FitPart;
  /** Whether nodes out of one entry of a carrier are what this dialect's service issues: one, or a hosted call with its
   *  result. Forged state is treated as absent. */
  isState(kind: 'reasoning' | 'hosted', nodes: readonly JsonObject[]): boolean;
  /** What a hosted call of such nodes is of, as which it was shown to clients of other dialects. */
  hostedFamily(call: JsonObject): HostedFamily | undefined;
}

/** Where a part is: in a user turn or in an assistant turn. Results are in user turns. */
export type Speaker = 'user' | 'assistant';

/** What a part becomes: nothing, one part, or several; for a result, itself first and then what moved out of it. */
export type Fitted = Part | readonly Part[] | undefined;

/** Makes one part encodable for a dialect. Throws TranslationError `unsupported` for what has no form there. */
export type FitPart = (part: Part, speaker: Speaker, context: EncodeRequestContext) => Fitted;
