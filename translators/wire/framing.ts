/** A stream whose framing is known. */
export interface Opened {
  /** Whether the body is one JSON array [G §6.1]; else it is server-sent events. */
  readonly array: boolean;
  /** What the cutter of the framing is to read. */
  readonly pieces: readonly (string | Uint8Array)[];
}

/**
 * Finds the framing of a stream by its first character that is not blank. Blanks may end anywhere, also
 * inside the byte order mark, and is left out; the result is undefined as long as nothing else came. Only a space before
 * the first field name is kept: it makes the field another one, which readers of events pass over.
 */
export function createOpening(): (chunk: string | Uint8Array) => Opened | undefined {
  let indented = false;
  return (chunk) => {
    const blanks = typeof chunk === 'string' ? TEXT_BLANKS : BYTE_BLANKS;
    let at = 0;
    while (at < chunk.length && blanks.has(unitAt(chunk, at))) at += 1;
    if (at > 0) indented = INDENT.has(unitAt(chunk, at - 1));
    if (at === chunk.length) return undefined;
    const piece = at === 0 ? chunk : typeof chunk === 'string' ? chunk.slice(at) : chunk.subarray(at);
    const first = unitAt(piece, 0);
    const pieces =
      indented && first !== BRACE ? [typeof piece === 'string' ? ' ' : Uint8Array.of(0x20), piece] : [piece];
    return { array: first === BRACKET, pieces };
  };
}

function unitAt(chunk: string | Uint8Array, at: number): number {
  return (typeof chunk === 'string' ? chunk.charCodeAt(at) : chunk[at]) ?? 0;
}

/** White space and the byte order mark, as characters and as bytes. */
const TEXT_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff]);
const BYTE_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

const INDENT: ReadonlySet<number> = new Set([0x20, 0x09]);

const BRACE = 0x7b;
const BRACKET = 0x5b;
