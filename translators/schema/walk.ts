import { join } from '../wire/pointer.js';
import type { SchemaChange } from './change.js';
import { isObject, type Json, type JsonObject, setKey } from './json.js';
import { POSITIONS } from './keywords.js';

/** Schemas nested deeper than this are cut: no model follows them, and recursion has to end before the stack does. */
export const MAX_LEVELS = 200;

/** Conversions that multiply nodes stop at this many. */
export const MAX_NODES = 20_000;

type Step = (child: Json, pointer: string) => Json;

function mapList(list: Json[], pointer: string, step: Step): Json[] {
  const out = list.map((child, index) => step(child, `${pointer}/${index}`));
  return out.some((child, index) => child !== list[index]) ? out : list;
}

function mapEntries(entries: JsonObject, pointer: string, step: Step): JsonObject {
  let out: JsonObject | undefined;
  for (const name of Object.keys(entries)) {
    const child = entries[name];
    const next = child === undefined ? child : step(child, join(pointer, name));
    if (next !== child) {
      out ??= { ...entries };
      setKey(out, name, next);
    }
  }
  return out ?? entries;
}

function mapPosition(key: string, value: Json, pointer: string, step: Step): Json {
  const position = POSITIONS.get(key);
  if (position === undefined || typeof value !== 'object' || value === null) {
    return position === 'schema' && typeof value === 'boolean' ? step(value, `${pointer}/${key}`) : value;
  }
  if (Array.isArray(value)) {
    // `items` may be a list in drafts before 2020-12.
    return position === 'list' || key === 'items' ? mapList(value, `${pointer}/${key}`, step) : value;
  }
  if (!isObject(value)) {
    return value;
  }
  return position === 'map' ? mapEntries(value, `${pointer}/${key}`, step) : step(value, `${pointer}/${key}`);
}

/** Applies `step` to every direct subschema. The node itself is returned when no child changed. */
export function mapChildren(node: JsonObject, pointer: string, step: Step): JsonObject {
  let out: JsonObject | undefined;
  for (const key of Object.keys(node)) {
    const value = node[key];
    const next = value === undefined ? value : mapPosition(key, value, pointer, step);
    if (next !== undefined && next !== value) {
      out ??= { ...node };
      out[key] = next;
    }
  }
  return out ?? node;
}

/** Calls `visit` for every direct subschema that is an object. */
export function eachChild(node: JsonObject, visit: (child: JsonObject, key: string) => void): void {
  for (const key in node) {
    const position = POSITIONS.get(key);
    if (position === undefined) {
      continue;
    }
    const value = node[key];
    if (Array.isArray(value)) {
      if (position === 'list' || key === 'items') {
        for (const child of value) {
          if (isObject(child)) visit(child, key);
        }
      }
    } else if (isObject(value)) {
      if (position === 'schema') {
        visit(value, key);
      } else if (position === 'map') {
        for (const name of Object.keys(value)) {
          const child = value[name];
          if (isObject(child)) visit(child, key);
        }
      }
    }
  }
}

/** Calls `visit` for the schema and every subschema down to {@link MAX_LEVELS}; true when nothing is nested deeper. */
export function eachNode(schema: JsonObject, visit: (node: JsonObject) => void, level = 0): boolean {
  if (level > MAX_LEVELS) {
    return false;
  }
  visit(schema);
  let complete = true;
  eachChild(schema, (child) => {
    complete = eachNode(child, visit, level + 1) && complete;
  });
  return complete;
}

/** The schema with everything below {@link MAX_LEVELS} replaced by `true`; the same object when it is not that deep. */
export function clipLevels(schema: JsonObject, changes: SchemaChange[]): JsonObject {
  const clip = (node: Json, pointer: string, level: number): Json => {
    if (!isObject(node)) {
      return node;
    }
    if (level > MAX_LEVELS) {
      changes.push({ keyword: 'depth', effect: 'wider', pointer });
      return true;
    }
    return mapChildren(node, pointer, (child, at) => clip(child, at, level + 1));
  };
  const clipped = clip(schema, '', 0);
  return isObject(clipped) ? clipped : {};
}
