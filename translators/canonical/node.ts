/** A JSON object as parsed, not yet narrowed. */
export type JsonObject = { [key: string]: unknown };

/** Keys of one dialect for which the model has no field, by dialect id. An encoder reads only its own dialect's bag. */
export type Extensions = { readonly [dialect: string]: Readonly<JsonObject> };

/** Where a node stood in the source body and how it was spelled there. */
export interface Source {
  /** JSON Pointer into the source body. */
  readonly ptr: string;
  /** Spellings that carry no meaning but are needed to print the same body again (translation.md 0.5). */
  readonly shape?: readonly string[];
  /** The value as it came, where the model holds it in another form. Only the source's own dialect prints it. */
  readonly raw?: unknown;
}

/** What every node of the model may carry. */
export interface Node {
  readonly ext?: Extensions;
  readonly src?: Source;
}

/** A mark that asks the backend to cache the prompt up to and including this node. `ttl` as written, such as `5m`. */
export interface CacheMark {
  readonly ttl?: string;
}
