/** A JSON object as parsed, not yet narrowed. */
export type JsonObject = { [key: string]: unknown };

/** Keys of one dialect for which the model has no field, by dialect id. An encoder reads only its own dialect's bag. */
export type Extensions = { readonly [dialect: string]: Readonly<JsonObject> };

/** Where a node was in the source body. */
export interface Source {
  /** JSON Pointer into the source body. */
  readonly ptr: string;
  /** JSON Pointers of single fields of the node, by their names in the model, and of keys of its bag as `ext.<key>`. */
  readonly at?: Readonly<Record<string, string>>;
  /** The wire fields that the fields of the model hold in part only. Only the source's own dialect encodes them. */
  readonly raw?: unknown;
}

/** What every node of the model may carry. */
export interface Node {
  readonly ext?: Extensions;
  readonly src?: Source;
}

/** A node while it is built. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Where a node stood in the source body; of what was made up, the root. */
export function ptrOf(node: Node | undefined): string {
  return node?.src?.ptr ?? '';
}

/** Where a field of a node stood in the source body: the place of the node where that is all that is known. */
export function fieldPlace(node: Node | undefined, field: string): string {
  return node?.src?.at?.[field] ?? ptrOf(node);
}

/** Of `places`, the pointers of the fields that are there, for {@link Source}; nothing when there are none. */
export function placesOf<F extends object>(
  fields: F,
  places: { readonly [K in keyof F]?: string },
): { readonly at?: Readonly<Record<string, string>> } {
  let at: Record<string, string> | undefined;
  for (const field in places) {
    const place = places[field];
    if (fields[field] === undefined || place === undefined) continue;
    at ??= {};
    at[field] = place;
  }
  return at === undefined ? {} : { at };
}

/** A mark that asks the backend to cache the prompt up to and including this node. `ttl` as written, such as `5m`. */
export interface CacheMark {
  readonly ttl?: string;
}
