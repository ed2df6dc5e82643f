/** A file of recorded traffic, or what else gives bytes. */
export interface Source {
  /** Its name without its folder; `-` = standard input. */
  readonly name: string;
  /** Its size in bytes; undefined when it is not known. */
  readonly size: number | undefined;
  /** Its bytes in pieces, unpacked where it is gzip. Throws where it cannot be read on. */
  bytes(reading: Reading): AsyncIterable<Uint8Array>;
}

/** Who follows the reading of a source. */
export interface Reading {
  /** Hears of bytes as they come, before they are unpacked. */
  read(bytes: number): void;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/** Whether a file that begins with these bytes is gzip. */
export function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** The text of a source in pieces, without a byte order mark. */
export async function* textOf(source: Source, reading: Reading): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of source.bytes(reading)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
