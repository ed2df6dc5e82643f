import type { DialectId, JsonObject } from '../../../translators/index.js';
import type { Ask, Extra } from '../asks.js';
import type { ParsedAnswer, ParsedStream } from '../parsed.js';

/** One form of a request, and what it is to show. */
export interface Form {
  readonly title: string;
  readonly extra: Extra;
}

/** How a dialect words what is asked, and how its answers are read: written from the wire sheets, so that no translation is between. */
export interface Speech {
  readonly dialect: DialectId;
  /** A body; undefined where the dialect has no words for it. The model and the way stand in the path where {@link inPath} is set. */
  body(ask: Ask, model: string): JsonObject | undefined;
  /** A whole answer; undefined for a body that is none. */
  read(body: unknown): ParsedAnswer | undefined;
  /** The events of a stream. */
  fold(events: readonly unknown[]): ParsedStream;
  /** The members by which a model is made to think, and not to; the first that work are used. */
  readonly on: readonly Form[];
  readonly off: readonly Form[];
  /** The hardest level that anybody has, whose refusal lists those that there are. */
  readonly level?: Extra;
  readonly adaptive?: Extra;
  readonly budget?: Extra;
  /** A single call, and strict tools. */
  readonly single?: Extra;
  readonly strict?: (body: JsonObject) => JsonObject;
  /** A tool that only the vendor of the dialect has, and the word for its calls. */
  readonly vendorTool?: { readonly body: JsonObject; readonly call: string };
  readonly stop?: (text: string) => Extra;
  readonly seed?: Extra;
  readonly choices?: Extra;
  /** What some servers want beside an answer that was begun. */
  readonly goOn?: Extra;
  readonly logprobs?: Extra;
  /** The body of a request to count tokens is that of a request without what it may not have; undefined where there is no route. */
  readonly count?: { body(model: string): JsonObject; read(body: unknown): number | undefined };
  /** Whether a body is an error of the dialect. */
  isError(body: unknown): boolean;
}
