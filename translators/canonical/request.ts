import type { MediaPart, Part, TextPart } from './content.js';
import type { JsonObject, Node } from './node.js';
import type { Tool, ToolChoice } from './tools.js';

/** One block of leading instructions. Texts only, but for media that a source put there. */
export interface Instruction extends Node {
  readonly authority: 'system' | 'developer';
  readonly parts: readonly (TextPart | MediaPart)[];
}

/** One speaker's turn. `instruction` turns are in mid-history and carry their authority. */
export interface Turn extends Node {
  readonly role: 'user' | 'assistant' | 'instruction';
  readonly authority?: 'system' | 'developer';
  readonly parts: readonly Part[];
}

/** What the answer must look like. */
export interface OutputFormat extends Node {
  readonly kind: 'text' | 'json' | 'schema' | 'enum';
  /** JSON Schema as the source gave it (`schema`, `enum`). */
  readonly schema?: JsonObject;
  readonly name?: string;
  readonly description?: string;
  readonly strict?: boolean;
  /** The words to choose from (`enum`). */
  readonly enum?: readonly string[];
}

/** Effort words in ascending order (translation.md 2.12). */
export type Effort = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface ReasoningSettings extends Node {
  /** `default`: the model's own; `off`: none; `on`: reason. */
  readonly mode: 'off' | 'on' | 'default';
  readonly effort?: Effort;
  /** Tokens; -1 = the model decides. */
  readonly budget?: number;
  readonly show: 'none' | 'summary' | 'auto' | 'concise' | 'detailed' | 'default';
  readonly interleave?: 'between_tools';
  /** The client shows thoughts that come with an answer: where nothing is said of showing, they are asked for if that is free. */
  readonly welcome?: boolean;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
}

/** Wishes for images that the model generates. */
export interface ImageSettings extends Node {
  /** Width and height, such as `16:9`. */
  readonly aspectRatio?: string;
  /** The longer side in steps of 1,024 pixels, such as `2K`. */
  readonly size?: string;
}

/** Wishes for speech that the model generates. */
export interface SpeechSettings extends Node {
  /** The name of a voice of the service. */
  readonly voice?: string;
  /** A language tag, such as `en-US`. */
  readonly language?: string;
}

/** The threshold of one content filter, both in lower case: `{ category: 'harassment', threshold: 'block_none' }`. */
export interface SafetySetting extends Node {
  readonly category: string;
  readonly threshold: string;
}

export interface CacheSettings {
  readonly key?: string;
  readonly ttl?: string;
  /** The backend places the mark itself. */
  readonly auto?: boolean;
  /** Name of a cached prompt that the service holds. */
  readonly resource?: string;
}

export interface StateSettings {
  readonly previousId?: string;
  readonly conversation?: string;
  readonly store?: boolean;
  readonly background?: boolean;
  /** A prompt template that the service holds. */
  readonly template?: JsonObject;
  /** Token to go on with a cut answer. */
  readonly continuation?: string;
}

/** A wish that only the source's own dialect can grant: encoders of others refuse the request for it (translation.md 0.10). */
export interface NativeOnly {
  readonly path: string;
  readonly message: string;
  /** Code word of the refusal, where clients look at one. */
  readonly code?: string;
}

/** A request in the canonical model. */
export interface CanonicalRequest extends Node {
  /** Id of the dialect it was decoded from; encoders of the same dialect neither regroup nor repair. */
  readonly source: string;
  readonly model: string;
  readonly stream: boolean;
  readonly instructions: readonly Instruction[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly output?: OutputFormat;
  readonly verbosity?: string;
  readonly reasoning?: ReasoningSettings;
  readonly sampling?: Sampling;
  readonly stop?: readonly string[];
  /** Cap in tokens, reasoning included. */
  readonly maxOutput?: number;
  /** Cap over all hosted calls. */
  readonly maxToolCalls?: number;
  readonly candidates?: number;
  readonly logprobs?: { readonly top?: number };
  /** The media of the answer, in lower case: `text`, `image`, `audio`, `video`. */
  readonly modalities?: readonly string[];
  readonly image?: ImageSettings;
  readonly speech?: SpeechSettings;
  /** The resolution at which media is read: `low`, `medium`, `high`, `original`; `auto`: the service decides. */
  readonly mediaResolution?: string;
  readonly safety?: readonly SafetySetting[];
  readonly cache?: CacheSettings;
  /** Stable id of the end user. */
  readonly user?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Service tier word and the dialect it belongs to. */
  readonly tier?: { readonly dialect: string; readonly value: string };
  readonly state?: StateSettings;
  readonly truncate?: boolean;
  /** The last assistant turn is the beginning of the answer, which the model should continue. */
  readonly prefill?: boolean;
  readonly include?: readonly string[];
  readonly nativeOnly?: readonly NativeOnly[];
  /** JSON Pointers into the source body of fields that are no nodes, by feature: `{'sampling.topK': '/top_k'}`. */
  readonly at?: Readonly<Record<string, string>>;
}

/** The tools that a request declares, those that it adds in mid-conversation behind the others. */
export function declaredTools({ tools, turns }: CanonicalRequest): readonly Tool[] {
  const added: Tool[] = [];
  for (const { parts } of turns) for (const part of parts) if (part.kind === 'toolChange') added.push(...part.added);
  return added.length === 0 ? tools : [...tools, ...added];
}
