/** Removes the white space that may follow the boundaries of a form. */
export interface PaddingFilter {
  /** Takes a piece of the form; gives what is certain, in pieces of the same bytes. */
  add(piece: Buffer): readonly Buffer[];
  /** What was still held back. */
  rest(): readonly Buffer[];
}

/** More white space than this, in bytes, is the content of a part. */
const MOST_PADDING = 1024;

const SPACE = 0x20;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;

/**
 * A filter for a form of this content type; undefined where its boundary cannot be known for certain. Between a boundary and
 * the end of its line there may be white space, which receivers must be able to handle (RFC 2046, 5.1.1) and the parser
 * does not. Every byte is looked at once; bytes are held back only where a piece ends in what may be a boundary.
 */
export function createPaddingFilter(type: string): PaddingFilter | undefined {
  const boundary = boundaryOf(type);
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  let held: Buffer | undefined;
  let begun = false;

  const split = (bytes: Buffer): Buffer[] => {
    const out: Buffer[] = [];
    let from = 0;
    // The first boundary may have no line in front of it.
    let end = begun ? endOfNext(bytes, 0) : endOfFirst(bytes);
    begun = true;
    while (end !== undefined) {
      const line = paddingEnd(bytes, end);
      if (line === undefined) {
        held = bytes.subarray(Math.max(from, end - delimiter.length));
        begun = end >= delimiter.length;
        break;
      }
      if (line > end) {
        out.push(bytes.subarray(from, end));
        from = line;
      }
      end = endOfNext(bytes, line);
    }
    held ??= bytes.subarray(Math.max(from, beginning(bytes)));
    const certain = bytes.subarray(from, bytes.length - held.length);
    if (certain.length > 0) out.push(certain);
    return out;
  };
  /** Where the next delimiter ends. */
  const endOfNext = (bytes: Buffer, from: number): number | undefined => {
    const at = bytes.indexOf(delimiter, from);
    return at === -1 ? undefined : at + delimiter.length;
  };
  const endOfFirst = (bytes: Buffer): number | undefined => {
    const bare = delimiter.subarray(2);
    return bytes.subarray(0, bare.length).equals(bare) ? bare.length : endOfNext(bytes, 0);
  };
  /** Where a delimiter begins that the end of the bytes cuts: it holds one CR, its first byte. */
  const beginning = (bytes: Buffer): number => {
    const at = bytes.lastIndexOf(CR);
    const cut = at !== -1 && bytes.length - at < delimiter.length;
    return cut && bytes.subarray(at).equals(delimiter.subarray(0, bytes.length - at)) ? at : bytes.length;
  };
  return {
    add(piece) {
      const bytes = held === undefined || held.length === 0 ? piece : Buffer.concat([held, piece]);
      held = undefined;
      return split(bytes);
    },
    rest: () => (held === undefined ? [] : [held]),
  };
}

/** Where the line break behind the white space at `from` begins; `from` when none follows; undefined when more must come. */
function paddingEnd(bytes: Buffer, from: number): number | undefined {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) {
    at += 1;
    if (at - from > MOST_PADDING) return from;
  }
  if (at === bytes.length) return undefined;
  if (bytes[at] !== CR) return from;
  if (at + 1 === bytes.length) return undefined;
  return bytes[at + 1] === LF ? at : from;
}

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"\\]+)"|([^\s;"]+))/gi;

/** The boundary that a content type names once and plainly. */
function boundaryOf(type: string): string | undefined {
  const [only, second] = [...type.matchAll(BOUNDARY)];
  return second === undefined ? (only?.[1] ?? only?.[2]) : undefined;
}
