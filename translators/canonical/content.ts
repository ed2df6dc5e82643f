import type { CacheMark, JsonObject, Node } from './node.js';
import type { StateEntry } from './state.js';
import type { ClientFamily, HostedFamily, Tool } from './tools.js';

/** Fields that any part may carry. */
export interface PartFields extends Node {
  /** Id of the wire item the part came from; never sent across dialects. */
  readonly id?: string;
  /** Ordinal of the wire item inside its turn: parts with equal `item` came from one item. */
  readonly item?: number;
  /** Phase word of an assistant message (`commentary`, `final_answer`, open). */
  readonly phase?: string;
  readonly cache?: CacheMark;
  /** Opaque state as its issuer wrote it, belonging to this very part. */
  readonly state?: readonly StateEntry[];
  /** Opaque state as it came from a client of another dialect: one carrier text, not opened yet (wire/carrier.ts). */
  readonly carrier?: string;
}

/** Plain text. `citations` point into this text. */
export interface TextPart extends PartFields {
  readonly kind: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
  readonly logprobs?: readonly TokenLogprob[];
}

/** The words with which the model declined. */
export interface RefusalPart extends PartFields {
  readonly kind: 'refusal';
  readonly text: string;
}

export type MediaClass = 'image' | 'audio' | 'video' | 'document' | 'file';

export type MediaData =
  | { readonly from: 'base64'; readonly base64: string }
  | { readonly from: 'url'; readonly url: string }
  /** A file kept by a vendor; `vendor` is the id of the dialect whose service knows the id. */
  | { readonly from: 'file'; readonly id: string; readonly vendor: string };

/** Image, audio, video, document or other file. */
export interface MediaPart extends PartFields {
  readonly kind: 'media';
  readonly class: MediaClass;
  /** MIME type; absent where the source did not say (URLs and file ids). */
  readonly mime?: string;
  readonly data: MediaData;
  readonly filename?: string;
  readonly title?: string;
  readonly context?: string;
  /** Resolution wish: `low`, `high`, `auto`, `original` (open). */
  readonly detail?: string;
  /** Part of a video: offsets as duration strings (`"2s"`), frames per second. */
  readonly clip?: { readonly start?: string; readonly end?: string; readonly fps?: number };
  /** Whether the model may cite it. */
  readonly citable?: boolean;
  /** Media shown while thinking (interim images). */
  readonly thought?: boolean;
}

/** A document given as text or as blocks. */
export interface TextDocPart extends PartFields {
  readonly kind: 'textdoc';
  readonly title?: string;
  readonly context?: string;
  readonly citable?: boolean;
  readonly parts: readonly (TextPart | MediaPart)[];
}

/** A search hit that the client hands to the model. */
export interface SearchResultPart extends PartFields {
  readonly kind: 'searchResult';
  readonly source: string;
  readonly title: string;
  readonly parts: readonly TextPart[];
  readonly citable?: boolean;
}

/**
 * Arguments of a call. `text` is the source text where the dialect carries text (numbers survive in it), `value` the
 * object where it carries an object. At least one is present; an absent or empty source is `{ value: {} }`.
 */
export interface Arguments {
  readonly text?: string;
  readonly value?: JsonObject;
}

/** A call that the client must answer. */
export interface CallPart extends PartFields {
  readonly kind: 'call';
  /** Empty when the source gave none (adapt/ids.ts mints one). */
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string;
  readonly args: Arguments;
  /** Free text input of a custom tool; `args` is then empty. */
  readonly freeform?: string;
  /** Cut by the output limit: the arguments are not complete. */
  readonly truncated?: boolean;
  /** Present when the tool is of a built-in client family; `args.value` is then as canonical/client-actions.ts has it. */
  readonly family?: ClientFamily;
  /** The name is that of a built-in tool, or of what replaces one, and not of the client's choice. */
  readonly fixedName?: boolean;
}

/** The client's answer to a call. */
export interface ResultPart extends PartFields {
  readonly kind: 'result';
  /** Empty when the source gave none. */
  readonly callId: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly parts: readonly (TextPart | MediaPart | TextDocPart | SearchResultPart | OpaquePart)[];
  /** A result given as a JSON object (`parts` then holds media only). */
  readonly json?: JsonObject;
  readonly isError?: boolean;
  /** Answers a custom (freeform) tool. */
  readonly custom?: boolean;
  readonly family?: ClientFamily;
}

/**
 * A call that the backend ran itself. `input` by family: webSearch `{action: 'search'|'openPage'|'findInPage', query?,
 * queries?, url?, pattern?}`, urlFetch `{url}`, codeExec `{code, language?, containerId?}`, fileSearch `{queries}`,
 * mcp `{server, name, arguments: string}`, imageGen `{prompt?}`; others as on the wire.
 */
export interface HostedCallPart extends PartFields {
  readonly kind: 'hostedCall';
  readonly callId: string;
  readonly family: HostedFamily;
  readonly input: JsonObject;
  readonly status?: string;
}

/**
 * What a hosted call brought. `output` by family: webSearch `{sources: [{url, title?, pageAge?}]}`, urlFetch `{url,
 * status?, title?, text?}`, codeExec `{stdout, stderr?, exitCode?, timedOut?, files?}`, fileSearch `{results}`, mcp
 * `{text}`, imageGen `{base64, mime, revisedPrompt?}`; others as on the wire.
 */
export interface HostedResultPart extends PartFields {
  readonly kind: 'hostedResult';
  readonly callId: string;
  readonly family: HostedFamily;
  readonly output: JsonObject;
  readonly isError?: boolean;
  readonly errorCode?: string;
}

/** The model's thinking as shown: `text` are summary paragraphs, `raw` the full text where a backend gives it. */
export interface ReasoningPart extends PartFields {
  readonly kind: 'reasoning';
  readonly text: readonly string[];
  readonly raw?: readonly string[];
  /** Nothing may be shown; only state. */
  readonly redacted?: boolean;
}

/** A reference to an item that the service stored. */
export interface RefPart extends PartFields {
  readonly kind: 'ref';
  readonly id: string;
}

/** A compacted stretch of conversation; opaque state, or in `summary` the text of our own compaction. */
export interface CompactionPart extends PartFields {
  readonly kind: 'compaction';
  readonly summary?: string;
}

/** A question for, or an answer with, the user's consent to a hosted call. */
export interface ApprovalPart extends PartFields {
  readonly kind: 'approval';
  readonly role: 'request' | 'response';
  readonly approvalId: string;
  readonly fields: JsonObject;
}

/** Tools added or removed in mid-history. */
export interface ToolChangePart extends PartFields {
  readonly kind: 'toolChange';
  readonly added: readonly Tool[];
  readonly removed: readonly string[];
}

/** Marks where another model took over. */
export interface HandoverPart extends PartFields {
  readonly kind: 'handover';
  readonly fields: JsonObject;
}

/** A node that only one dialect knows, as it came. An encoder of that dialect prints `raw` unchanged. */
export interface OpaquePart extends PartFields {
  readonly kind: 'opaque';
  readonly dialect: string;
  readonly type: string;
  readonly raw: JsonObject;
  /** What it says, in words for dialects that do not know it. */
  readonly words?: string;
  /** It is one of the parts of a message, in a dialect where others stand beside messages. */
  readonly inMessage?: true;
  /** Set on nodes that were rebuilt from state: what the state covers. */
  readonly restored?: 'reasoning' | 'hosted';
}

export type Part =
  | TextPart
  | RefusalPart
  | MediaPart
  | TextDocPart
  | SearchResultPart
  | CallPart
  | ResultPart
  | HostedCallPart
  | HostedResultPart
  | ReasoningPart
  | RefPart
  | CompactionPart
  | ApprovalPart
  | ToolChangePart
  | HandoverPart
  | OpaquePart;

export type PartKind = Part['kind'];

/** `span` counts UTF-16 code units of the text part it sits on, end exclusive; absent = the whole part. */
export interface Citation extends Node {
  readonly span?: { readonly start: number; readonly end: number };
  readonly source: 'web' | 'doc' | 'file' | 'search' | 'license';
  readonly url?: string;
  readonly title?: string;
  readonly citedText?: string;
  /** Place in a document of the request; ranges are end exclusive. */
  readonly doc?: {
    readonly index: number;
    readonly title?: string;
    readonly charRange?: readonly [number, number];
    readonly pageRange?: readonly [number, number];
    readonly blockRange?: readonly [number, number];
  };
  readonly fileId?: string;
  readonly filename?: string;
  readonly score?: number;
}

export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[];
  readonly top: readonly { readonly token: string; readonly logprob: number; readonly bytes?: readonly number[] }[];
}
