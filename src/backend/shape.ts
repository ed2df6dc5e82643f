import { createHash } from 'node:crypto';
import { isObject } from '../ground/index.js';
import type { BackendRequest } from './transport.js';

/** A body of more bytes is not looked into. */
const LOOKED_INTO = 1024 * 1024;

/** Members whose content is the caller's own. */
const OWN = new Set(['parameters', 'parametersJsonSchema', 'input_schema', 'schema', 'args', 'metadata', 'labels']);

/**
 * What kind of request it is, whatever it says: its route, the members of its body, and the types and roles in there. A body that
 * is no JSON has the shape of its route. Asked for after a failure alone: it reads the body.
 */
export function shapeOf({ method, path, body }: BackendRequest): string {
  const marks = new Set<string>([`${method} ${path.split('?')[0] ?? ''}`]);
  const value = jsonOf(body);
  if (isObject(value)) for (const name of Object.keys(value)) marks.add(name);
  gather(value, marks);
  return createHash('sha256')
    .update([...marks].sort().join('\n'))
    .digest('base64');
}

function gather(value: unknown, marks: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) gather(item, marks);
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if ((name === 'type' || name === 'role') && typeof inner === 'string') marks.add(`${name} ${inner}`);
      else if (!OWN.has(name)) gather(inner, marks);
    }
  }
}

function jsonOf(body: BackendRequest['body']): unknown {
  const text = textOf(body);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(body: BackendRequest['body']): string | undefined {
  if (typeof body === 'string') return body.length > LOOKED_INTO ? undefined : body;
  const pieces = body instanceof Uint8Array ? [body] : Array.isArray(body) ? body : [];
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return length === 0 || length > LOOKED_INTO ? undefined : Buffer.concat(pieces).toString();
}
