import { WireError } from './errors.js';

/** A JSON Pointer (RFC 6901) from unescaped segments; no segments give `""`, the root. */
export function pointer(...segments: (string | number)[]): string {
  let text = '';
  for (const segment of segments) text = join(text, segment);
  return text;
}

/** The pointer one segment below `base`. */
export function join(base: string, segment: string | number): string {
  return typeof segment === 'number' ? `${base}/${segment}` : `${base}/${escapeSegment(segment)}`;
}

/**
 * The value a pointer names, or `undefined` when there is none. Only own properties and existing array elements count.
 * Throws {@link WireError} `bad_pointer` when the text is no pointer.
 */
export function read(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) throw new WireError('bad_pointer', 'a JSON pointer is empty or begins with a slash');
  let here = value;
  for (const raw of pointer.slice(1).split('/')) {
    here = child(here, unescapeSegment(raw));
    if (here === undefined) return undefined;
  }
  return here;
}

/** The pointer for the `path` of a zod issue. */
export function fromZodPath(path: readonly PropertyKey[]): string {
  return pointer(...path.map((key) => (typeof key === 'symbol' ? (key.description ?? '') : key)));
}

function child(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

function escapeSegment(segment: string): string {
  if (!segment.includes('/') && !segment.includes('~')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeSegment(segment: string): string {
  if (!segment.includes('~')) return segment;
  if (/~(?![01])/.test(segment)) throw new WireError('bad_pointer', 'a tilde in a JSON pointer is followed by 0 or 1');
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `/input/0/content` as `input[0].content`, the way some services name fields; a text that is no pointer as it is. */
export function fieldName(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer;
  let name = '';
  for (const raw of pointer.slice(1).split('/')) {
    const segment = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(segment)) name += `[${segment}]`;
    else name += name === '' ? segment : `.${segment}`;
  }
  return name;
}
