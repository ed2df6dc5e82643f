import type { JsonObject } from '../../canonical/node.js';
import { isObject, MAX_DEPTH } from '../../wire/json.js';
import { fieldNames, put } from '../nodes.js';

/** The fields of a call that has no more to say than how its arguments go on. */
const PIECE = fieldNames('partialArgs', 'willContinue');

/** Whether a call is but a further piece of the arguments of the one before it, which an empty one ends. */
export function isFurtherPiece(call: JsonObject): boolean {
  for (const key in call) if (PIECE[key] === undefined) return false;
  return true;
}

/** Whether the arguments of a call come in pieces. */
export function isInPieces(call: JsonObject): boolean {
  for (const key in call) if (PIECE[key] !== undefined) return true;
  return false;
}

/** The pieces of arguments that a call brings, in either spelling. */
export function piecesOf(call: JsonObject): unknown {
  return call.partialArgs ?? call.partial_args;
}

/** Arguments of a call that arrive piece by piece ([G §6.3] partial arguments). */
export interface PartialArgs {
  add(pieces: unknown): void;
  /** The object so far. */
  readonly value: JsonObject;
}

/**
 * How far the indices of one call may run ahead of their lists, all together; beyond it, and below more than
 * {@link MAX_DEPTH} levels, a piece is not a part of any argument.
 */
const MAX_GAPS = 1000;

/** An object that is put together, and how many entries without a value its lists may still get. */
interface Growing {
  readonly value: JsonObject;
  gaps: number;
}

/** No pieces yet, but what of the arguments is there already. Of that a copy is written to. */
export function createPartialArgs(begun?: JsonObject): PartialArgs {
  const value: JsonObject = begun === undefined ? {} : JSON.parse(JSON.stringify(begun));
  const growing: Growing = { value, gaps: MAX_GAPS };
  return {
    add(pieces) {
      if (!Array.isArray(pieces)) return;
      for (const piece of pieces) if (isObject(piece)) addPiece(growing, piece);
    },
    value,
  };
}

function addPiece(root: Growing, piece: JsonObject): void {
  const keys = typeof piece.jsonPath === 'string' ? parsePath(piece.jsonPath) : [];
  if (keys.length > MAX_DEPTH) return;
  const last = keys.pop();
  if (last === undefined) return;
  let parent: unknown = root.value;
  keys.forEach((key, place) => {
    parent = step(root, parent, key, typeof (keys[place + 1] ?? last) === 'number');
  });
  const target = parent;
  if (typeof target !== 'object' || target === null) return;
  const old = read(target, last);
  const added = readValue(piece);
  if (added !== undefined)
    write(root, target, last, typeof added === 'string' && typeof old === 'string' ? old + added : added);
}

function readValue(piece: JsonObject): string | number | boolean | null | undefined {
  const { stringValue, numberValue, boolValue, nullValue } = piece;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number') return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return nullValue === undefined ? undefined : null;
}

/** The keys of a path like `$.items[0]['a b']`. */
function parsePath(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"[^"]*")\]/g)) {
    if (index !== undefined) keys.push(Number(index));
    else keys.push(name ?? quoted ?? '');
  }
  return keys;
}

/** The child at a key, made when there is none. */
function step(root: Growing, parent: unknown, key: string | number, asList: boolean): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const child = read(parent, key);
  if (typeof child === 'object' && child !== null) return child;
  const made: JsonObject | unknown[] = asList ? [] : {};
  write(root, parent, key, made);
  return made;
}

function read(parent: object, key: string | number): unknown {
  return Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined;
}

function write(root: Growing, parent: object, key: string | number, value: unknown): void {
  if (Array.isArray(parent)) {
    if (typeof key !== 'number' || key > parent.length + root.gaps) return;
    root.gaps -= Math.max(0, key - parent.length);
    while (parent.length < key) parent.push(null);
    parent[key] = value;
  } else {
    put(parent as JsonObject, String(key), value);
  }
}
