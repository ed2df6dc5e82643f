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

/** Segments of the first items of a list: a pointer is one text of two then, not of three. */
const ITEMS: readonly string[] = Array.from({ length: 64 }, (_, index) => `/${index}`);

/** The pointer of an item of the list at `base`. */
export function itemPtr(base: string, index: number): string {
  return base + (ITEMS[index] ?? `/${index}`);
}

function escapeSegment(segment: string): string {
  if (!segment.includes('/') && !segment.includes('~')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A reference token as the name that it stands for. */
export function unescapeSegment(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `/input/0/content` as `input[0].content`, the way some services name fields; a text that is no pointer as it is. */
export function fieldName(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer;
  let name = '';
  for (const raw of pointer.slice(1).split('/')) {
    const segment = unescapeSegment(raw);
    if (/^\d+$/.test(segment)) name += `[${segment}]`;
    else name += name === '' ? segment : `.${segment}`;
  }
  return name;
}
