/** The beginning of a body without what tells nothing, which may end anywhere, also inside the byte order mark. */
export function withoutLead(chunk: string | Uint8Array): string | Uint8Array {
  const blanks = typeof chunk === 'string' ? TEXT_BLANKS : BYTE_BLANKS;
  let at = 0;
  while (at < chunk.length && blanks.has(typeof chunk === 'string' ? chunk.charCodeAt(at) : (chunk[at] ?? 0))) at += 1;
  if (at === 0) return chunk;
  return typeof chunk === 'string' ? chunk.slice(at) : chunk.subarray(at);
}

/** White space and the byte order mark, as characters and as bytes. */
const TEXT_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff]);
const BYTE_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

const BRACKET = 0x5b;

/** Whether a body whose first character that tells something is that of `piece` is one JSON array [G §6.1]. */
export function beginsArray(piece: string | Uint8Array): boolean {
  return (typeof piece === 'string' ? piece.charCodeAt(0) : piece[0]) === BRACKET;
}
