import type { z } from 'zod';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { fromZodPath } from '../wire/pointer.js';
import { invalid, type Opened } from './spelling.js';

/** The value as its schema types it. Throws `invalid_request` with the pointer of the first fault. */
export function check<T>(schema: z.ZodType<T>, value: unknown, ptr: string, names?: Opened['names']): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const [first, ...rest] = issue?.path ?? [];
  const spelled = first === undefined ? [] : [typeof first === 'string' ? (names?.[first] ?? first) : first, ...rest];
  const path = ptr + fromZodPath(spelled);
  throw invalid(`${path.slice(path.lastIndexOf('/') + 1) || 'the body'}: ${issue?.message ?? 'invalid'}`, path);
}

/** A JSON object, or `invalid_request`. */
export function checkObject(value: unknown, ptr: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(`${ptr.slice(ptr.lastIndexOf('/') + 1) || 'the body'}: expected an object`, ptr);
}
