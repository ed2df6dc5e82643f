/**
 * The value that a JSON Pointer (RFC 6901) names, or `undefined` when there is none. Only own properties and existing
 * array elements count. Throws a RangeError when the text is no pointer.
 */
export function read(value: unknown, pointer: string): unknown {
  if (!/^(?:\/(?:[^~]|~[01])*)?$/s.test(pointer)) throw new RangeError(`no JSON pointer: ${pointer}`);
  const segments = pointer === '' ? [] : pointer.slice(1).split('/');
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(child, value);
}

function child(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
