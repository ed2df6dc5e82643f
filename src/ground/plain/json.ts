import type { JsonObject } from '../../../translators/index.js';

/** True for an object that is neither null nor an array. Meant for values that came out of `JSON.parse`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
