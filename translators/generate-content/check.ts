import type { z } from 'zod';
import type { JsonObject } from '../canonical/node.js';
import { firstFault } from '../wire/fault.js';
import { isObject } from '../wire/json.js';
import { invalid, type Opened } from './spelling.js';

/** The value as its schema types it. Throws `invalid_request` with the pointer of the first fault. */
export function check<T>(schema: z.ZodType<T>, value: unknown, ptr: string, names?: Opened['names']): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fault = firstFault(result.error.issues);
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(fault.path) ?? [];
  const path = fault.path === '' ? ptr : `${ptr}/${names?.[first] ?? first}${rest}`;
  throw invalid(`${path.slice(path.lastIndexOf('/') + 1) || 'the body'}: ${fault.reason}`, path);
}

/** A JSON object, or `invalid_request`. */
export function checkObject(value: unknown, ptr: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(`${ptr.slice(ptr.lastIndexOf('/') + 1) || 'the body'}: expected an object`, ptr);
}
