import type { JsonObject } from '../../../src/simulator/rules/index.js';
import type { Heard } from '../wire/heard.js';

/** A function tool as every SDK can declare it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; an object schema. */
  readonly parameters: JsonObject;
}

/** A call the model made. `args` is what the SDK hands out, parsed where it hands out text. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** The result of one call, in whatever order the caller likes. */
export interface CallResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
}

/** An inline picture. */
export interface InlineImage {
  readonly mime: string;
  readonly base64: string;
}

/** Why an answer ended, in no dialect's words. */
export type TurnFinish = NonNullable<Heard['finish']>;

/** Tokens of one exchange: `cached` is part of `input`, `reasoning` of `output`. Absent = not told. */
export interface TurnUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** A run of text as the SDK delivered it. */
export interface TextPiece {
  readonly text: string;
  /** Milliseconds since the request was sent. */
  readonly at: number;
}

/** One answer. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly TurnCall[];
  readonly finish: TurnFinish;
  /** Text of thinking blocks, reasoning summaries or thoughts. */
  readonly reasoning?: string;
  /** The words of a refusal, where the dialect has a place for them. */
  readonly refusal?: string;
  readonly usage: TurnUsage;
  /** Text in the runs it came in; empty when not streamed. */
  readonly pieces: readonly TextPiece[];
  /** The SDK's own value: Message, Response or GenerateContentResponse (of a stream: its last chunk). */
  readonly native: unknown;
}

/** What a session is opened with; each driver says it in its SDK's own words. */
export interface SessionOptions {
  readonly model: string;
  readonly apiKey?: string;
  /** Sends the requests of the SDK. */
  readonly fetch?: typeof globalThis.fetch;
  readonly system?: string;
  readonly tools?: readonly ToolSpec[];
  /** A name forces that tool. */
  readonly toolChoice?: 'auto' | 'required' | 'none' | { readonly name: string };
  /** Structured output: a closed object schema. */
  readonly schema?: JsonObject;
  /** Low effort, with its summary shown. */
  readonly reasoning?: boolean;
  readonly maxTokens?: number;
  /** Stop sequences; the responses dialect has none. */
  readonly stop?: readonly string[];
  /**
   * Requests are as coding agents send them: in messages with a changing line for the accounts in front of the system text, and
   * with cache marks at its end and at those of the last two user turns; in responses with the key of the session.
   */
  readonly agent?: boolean;
}

/** A conversation held by one official SDK, with the history that a user of that SDK would keep. */
export interface Session {
  /** Appends a user turn. */
  user(text: string, image?: InlineImage): void;
  /** Appends the results of the last answer's calls. */
  results(results: readonly CallResult[]): void;
  /** Sends the history and appends the answer to it. Rejects with the SDK's own error. */
  send(options: SendOptions): Promise<Turn>;
}

export interface SendOptions {
  readonly stream: boolean;
  /** Another model for this answer. */
  readonly model?: string;
}

/** Thrown when an SDK handed out an answer without saying why it ended: a clean end that is none. */
export class UnfinishedAnswer extends Error {
  override readonly name = 'UnfinishedAnswer';
}

/** An answer as a turn: what it says, the pieces that it came in, and the SDK's own value. Throws {@link UnfinishedAnswer}. */
export function turnOf(
  { text, calls, finish, thoughts, refusal, usage }: Heard,
  pieces: readonly TextPiece[],
  native: unknown,
): Turn {
  if (finish === undefined) throw new UnfinishedAnswer('the answer does not say why it ended');
  return {
    text,
    calls,
    finish,
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n') }),
    ...(refusal !== undefined && { refusal }),
    usage: { input: 0, output: 0, ...usage },
    pieces,
    native,
  };
}

/** Collects the pieces of one stream. */
export function createPieceClock(): { readonly pieces: TextPiece[]; add(text: string): void } {
  const start = performance.now();
  const pieces: TextPiece[] = [];
  return {
    pieces,
    add(text) {
      if (text !== '') pieces.push({ text, at: performance.now() - start });
    },
  };
}
