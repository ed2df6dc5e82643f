import { isObject, type Json, type JsonObject, put } from '../wire/json.js';

export { isObject, type Json, type JsonObject };

/**
 * Sets an own key, whatever its name: assigning to `__proto__` would change the prototype instead. Without a value
 * nothing is set.
 */
export function setKey(target: JsonObject, key: string, value: Json | undefined): void {
  if (value !== undefined) put(target, key, value);
}

/** The value of an own key; inherited members such as `constructor` are not keys. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A copy of `object` without `keys`, or `object` itself when it has none of them. */
export function without(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  const names = Object.keys(object);
  if (!names.some((key) => keys.has(key))) {
    return object;
  }
  const out: JsonObject = {};
  for (const key of names) {
    if (!keys.has(key)) setKey(out, key, object[key]);
  }
  return out;
}

/** What `object` has of `keys`. */
export function only(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.has(key)));
}

/** Deeper data than this is never taken to be equal, so that comparing cannot exhaust the stack. */
const COMPARE_DEPTH = 500;

/** JSON equality: order of keys does not count, order of elements does. */
export function sameJson(left: Json | undefined, right: Json | undefined, depth = 0): boolean {
  if (left === right) {
    return true;
  }
  if (depth > COMPARE_DEPTH) {
    return false;
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((element, index) => sameJson(element, right[index], depth + 1))
    );
  }
  if (!isObject(left) || !isObject(right)) {
    return false;
  }
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key], depth + 1))
  );
}

/** The object without the keys that have no value. */
export function compact(object: { [key: string]: Json | undefined }): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(object)) {
    setKey(out, key, object[key]);
  }
  return out;
}

/** The elements of `values` that also are in `others`; linear for primitives. */
export function commonValues(values: readonly Json[], others: readonly Json[]): Json[] {
  const primitives = new Set(others.filter((other) => typeof other !== 'object'));
  const compound = others.filter((other) => typeof other === 'object');
  return values.filter((value) =>
    typeof value === 'object' ? compound.some((other) => sameJson(value, other)) : primitives.has(value),
  );
}

/** The strings of a list that should hold nothing else. */
export function stringsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((element): element is string => typeof element === 'string') : [];
}
