import type { SchemaField } from './api/schemas.js';
import type { MediaPart } from './canonical/content.js';
import type { CanonicalError } from './canonical/errors.js';
import type { EventSink, StreamEvent } from './canonical/events.js';
import type { Feature, Losses } from './canonical/loss.js';
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { CanonicalResponse, Usage } from './canonical/response.js';
import type {
  DecodeRequestContext,
  DecodeResponseContext,
  EncodedRequest,
  EncodeRequestContext,
  EncodeResponseContext,
  FitHostContext,
  FittedBody,
} from './context.js';
import type { ClientCount, CountTokens, Headers, Limits, ModelLists, ServiceCount } from './edge.js';
import type { ProfileChoice } from './target/profile.js';
import type { RefusalRule } from './target/refusals.js';
import type { AnswerRules, Target, TargetRules } from './target/target.js';
import type { OpenedCarriers } from './wire/carrier.js';

export type {
  DecodeRequestContext,
  DecodeResponseContext,
  EncodedRequest,
  EncodeRequestContext,
  EncodeResponseContext,
  FitHostContext,
  FittedBody,
  HostRestorer,
  KeepPicture,
  StoredItems,
} from './context.js';
export type {
  Bucket,
  ClientCount,
  CountTokens,
  Headers,
  Limits,
  ModelInfo,
  ModelLists,
  ServiceCount,
  TokenCount,
} from './edge.js';

/** What each half of a dialect says of itself. */
interface Half<Id extends string> {
  readonly id: Id;
  /** Dialects of one vendor have the same words for tiers and prompt caches. Absent: no other is of its vendor. */
  readonly vendor?: string;
}

/** What reads the requests of a dialect's clients. */
export interface ClientRequestDialect<Id extends string = string> extends Half<Id> {
  /** Keys that request bodies of this dialect have, and bodies of others have not, unless these have a `likeness` too. */
  readonly bodyKeys: readonly string[];
  /**
   * How sure it is that a body is of this dialect and of no other with the same keys; higher is surer. Absent where no other
   * has them.
   */
  likeness?(body: JsonObject): number;
  /** Where its request bodies hold schemas. */
  readonly schemaFields: readonly SchemaField[];
  /** Where the bytes of a media part of a request are below the part, as a JSON Pointer. */
  mediaPath(part: MediaPart): string;
  /** Wire body to model. Throws TranslationError (`invalid_request`, JSON Pointer path) for a body that is none. */
  decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest;
}

/** What writes the requests for a dialect's services. */
export interface BackendRequestDialect<Id extends string = string> extends Half<Id> {
  /** How the dialect wants a conversation arranged, and which names and ids are legal in it. */
  readonly rules: TargetRules;
  /** A model of this dialect as a target, by its name or by the caller's choice. */
  target(model: string, choice?: ProfileChoice): Target;
  /** Model to wire body. Same-dialect values are printed as they came; others are adapted to the profile first. */
  encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest;
}

/** What translates the requests of a dialect: bundles that translate nothing else need no more of it. */
export interface RequestDialect<Id extends string = string>
  extends ClientRequestDialect<Id>,
    BackendRequestDialect<Id> {}

/** The half of a dialect that is spoken with its clients: requests are read, answers written. */
export interface ClientDialect<Id extends string = string> extends ClientRequestDialect<Id> {
  readonly answerRules: AnswerRules;
  encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject;
  createStreamEncoder(context: EncodeResponseContext): StreamEncoder;
  encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError;
}

/** The half of a dialect that is spoken with its services: requests are written, answers read. */
export interface BackendDialect<Id extends string = string> extends BackendRequestDialect<Id> {
  decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse;
  createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder;
  decodeError(status: number, body: unknown, headers: Headers): CanonicalError;
  /** How paused answers go on (translation.md 5.2 `pause`). Absent where the dialect knows no pause. */
  readonly pauses?: Pauses;
}

/** How a paused answer of a dialect goes on. */
export interface Pauses {
  /** An answer that was streamed, as the service would have given it whole. */
  whole(response: CanonicalResponse): JsonObject;
  /** The request that lets it go on: the one that was sent, plus what came back. Both in this dialect's wire form. */
  resume(sent: EncodedRequest, answer: JsonObject): EncodedRequest;
}

/** A dialect as translators take it: one decoder and one encoder per kind of message, and how its streams end. */
export interface TranslatorDialect<Id extends string = string>
  extends ClientDialect<Id>,
    BackendDialect<Id>,
    StreamEnds {}

/** How streams of a dialect end. */
export interface StreamEnds {
  /** Whether one event of this dialect's own stream is the truthful last word. Cheap; used on relayed streams. */
  isTerminal(event: string, data: string): boolean;
  readonly relayedEnd: RelayedEnd;
  readonly relayedFacts: RelayedFacts;
}

/** The half of a dialect for clients as a host takes it that calls services for them. */
export interface CallerDialect<Id extends string = string>
  extends ClientDialect<Id>,
    Pick<Dialect<Id>, 'encodeLimits'> {
  readonly requestFields: Pick<RequestFields, 'betas' | 'data'>;
  readonly count: ClientCount;
  readonly models: Pick<ModelLists, 'encodeList' | 'encodeModel'>;
}

/** The half of a dialect for services as a host takes it that calls them. */
export interface ServiceDialect<Id extends string = string>
  extends BackendDialect<Id>,
    Pick<Dialect<Id>, 'asVendorError' | 'decodeLimits' | 'endpoint' | 'errorIn' | 'wholeAsStream'> {
  readonly count: ServiceCount;
  readonly models: Pick<ModelLists, 'decodeList' | 'decodeModel'>;
}

/** What a dialect is to a host that calls its services and speaks it to clients: all that the wire says about itself. */
export interface Dialect<Id extends string = string> extends TranslatorDialect<Id> {
  readonly requestFields: RequestFields;
  /**
   * The error in a whole body that came with the status of a success; undefined for an answer. Absent where such a body has
   * the one shape of the dialect's errors.
   */
  errorIn?(body: unknown): CanonicalError | undefined;
  /**
   * An error body of a server that is not the vendor's as clients of the vendor know it; the very body where nothing differs.
   * Absent where clients go by the status alone.
   */
  asVendorError?(status: number, body: JsonObject): JsonObject;
  /** Rate limits and processing hints of an answer's headers (translation.md 7.2). `now` in Unix ms. */
  decodeLimits(headers: Headers, now: number): Limits;
  encodeLimits(limits: Limits, now: number): Record<string, string>;

  readonly count: CountTokens;
  readonly models: ModelLists;

  /** Names of which `profile` knows more than of any: a trailing `*` stands for any rest. */
  readonly profileNames: readonly string[];
  /** The newest of the vendor's models for everyday work: what is offered where nobody chose one. */
  readonly mainline: string;
  /** Whether `profile` knows of a name only whose it is, and takes it for the newest of its vendor's models. */
  takenForNewest(model: string, choice?: ProfileChoice): boolean;
  /** The most tokens that a model generates, where flags say so or `profile` knows this very model; undefined where nobody knows. */
  outputLimit(model: string, choice?: ProfileChoice): number | undefined;
  /** Path and query below the service root for a call. Model names are encoded so that they cannot leave their segment. */
  endpoint(operation: 'create' | 'count' | 'models', options: { model: string; stream: boolean }): string;
  /**
   * For bodies that are relayed as they are: the outermost members that have to change so that no opaque state reaches
   * a backend that did not issue it (translation.md 4.2.6), and those that the backend's server would refuse; undefined for
   * one that has to go. Empty when none has to change.
   */
  withholdState(body: JsonObject, context: WithholdContext): JsonObject;
  /**
   * A body of this dialect for a host that speaks it in part: each member that the host lacks is as a backend of another dialect
   * would get it, with its loss, and everything else is shared with the body as it came (hosts.md#presets). Absent where all
   * known hosts take whole bodies, or differ by their profiles.
   */
  fitHost?(body: JsonObject, context: FitHostContext): FittedBody;
  /** The stream that the service would have sent in the place of a whole answer, as server-sent events. */
  wholeAsStream(answer: JsonObject): string;
  /** Found in every body in which `withholdState` finds something: a cheap look, at ASCII alone, that spares most bodies. */
  readonly foreignMark: RegExp;
}

/** What a host has to know of the fields of a request body, to relay it or to send it once more. */
export interface RequestFields {
  /** Fields that only tune an answer: without one of them it still answers the same question. */
  readonly optional: readonly OptionalField[];
  /** What else servers refuse, and how the request is put to them instead; where several fit, the first that changes it. */
  readonly refusals: readonly RefusalRule[];
  /** Outermost members that bound the tokens of an answer; those that stand deeper are never changed in a relayed body. */
  readonly caps: readonly string[];
  /** Fields that the service refuses without a feature that a header names. */
  readonly betas: readonly BetaFields[];
  /** The member that has the service keep the conversation; absent where the dialect has none that is left to it alone. */
  readonly thread?: ThreadMember;
  readonly model: ModelMember;
  /** Members that hold content, schemas or words of the caller's own: whatever they contain is data. */
  readonly data: readonly string[];
}

export interface OptionalField {
  /** From the outermost object inwards. */
  readonly path: readonly string[];
  readonly feature: Feature;
  /** The name under which other servers of the dialect have the same field: it is sent under that one, and nothing is lost. */
  readonly otherName?: string;
  /** A word of a list in the body that asks for the same, and goes with the field. */
  readonly word?: { readonly list: string; readonly word: string };
}

export interface BetaFields {
  /** How the name of the feature begins. */
  readonly prefix: string;
  readonly fields: readonly string[];
}

/** A member with which the service keeps a conversation for some minutes, so that the next body is only the end of it. */
export interface ThreadMember {
  readonly field: string;
  /** Whether the conversation begins with this body, which is then whole. */
  begins(value: unknown): boolean;
  /** The code of a refusal for which official clients send the whole conversation. */
  readonly code: string;
}

/** How bodies name the model, in a member `model`. */
export interface ModelMember {
  /** A model's name as the member has it. */
  resource(model: string): string;
  /** Members that hold another request, or lists of them, in which the name is repeated. */
  readonly repeatedIn: readonly string[];
  readonly repeatedInLists: readonly string[];
}

/** What an answer tells about itself, beside what it says. What it does not tell is absent, and no zero. */
export interface AnswerFacts {
  readonly id?: string;
  /** The backend's name of the model. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Why it ended, in the words of the wire. */
  readonly finish?: string;
  /** The service tier that served it, as on the wire. */
  readonly tier?: string;
  /** Tools of the service ran, for which there may be fees beside their tokens. */
  readonly fees?: boolean;
}

/** Reads the facts of answers that are relayed as they come (hardening.md row 48). */
export interface RelayedFacts {
  /**
   * Whether the data of an event is kept for `read`, and if so beside what was kept before or in the place of the last.
   * Asked for every event: it looks at the name, and at little of the data.
   */
  keeps(event: string, data: string): 'beside' | 'instead' | undefined;
  /** Whether an event brings text, reasoning or a tool call. Asked until one does. */
  content(event: string, data: string): boolean;
  /** The facts in events that were kept, in order; a whole body is one of them. */
  read(told: readonly JsonObject[]): AnswerFacts;
}

export interface WithholdContext {
  /** Whether a carrier holds state of another backend. */
  foreign(carrier: string): boolean;
  /** The carriers of the body that were opened before. */
  readonly opened?: OpenedCarriers;
  readonly target: Target;
  readonly losses: Losses;
}

/** How a stream of a dialect that was relayed as it came is ended where it broke (translation.md 6.5). */
export interface RelayedEnd {
  /**
   * Whether the end needs what an event says. Asked for every event: it looks at the name, and at the beginning of the
   * data where there is none.
   */
  keeps(event: string, data: string): boolean;
  /** The failure that the last word of a stream tells; undefined for one that tells none. */
  told(event: string, data: string): CanonicalError | undefined;
  /** What a stream lacks that has said how the answer ends; undefined when it has not said so. `last` as in `SeenEvents`. */
  trailer(kept: readonly string[], last: string | undefined): string | undefined;
  /** Frames of the failure behind the last event; in an array its last element. */
  failure(error: CanonicalError, seen: SeenEvents, context: EncodeErrorContext): string;
}

/** What is known of a stream that was relayed. */
export interface SeenEvents {
  /** The data of the events that were kept, in order. */
  readonly kept: readonly string[];
  /** The data of the last event. */
  readonly last: string | undefined;
  readonly framing: 'sse' | 'array';
}

/** Cuts bytes into wire events and turns them into canonical events, synchronously. */
export interface StreamDecoder {
  push(chunk: string | Uint8Array): void;
  /** The bytes have ended: emits `end`, or `error` when no finish was seen. */
  end(): void;
}

/** Turns canonical events into text that is ready to send. */
export interface StreamEncoder {
  /** '' when nothing is due. */
  encode(event: StreamEvent): string;
  /** What may be sent into silence; '' when nothing may. */
  heartbeat(): string;
  /** The failure as which it wrote an end that is none in this dialect. */
  readonly failure?: CanonicalError | undefined;
}

export interface EncodeErrorContext {
  readonly requestId?: string;
}

export interface EncodedError {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Record<string, string>;
}
