/** Pieces shorter than this are gathered until there are enough to be worth one string. */
const SMALL = 256;
const GROUP = 256;
/** So much text, in UTF-16 code units, is held as it came; what is older is packed, where it is packed at all. */
const LOOSE = 64 * 1024;

/**
 * Text that grows piece by piece and is read once. A string built with `+=` would cost many times its length in
 * memory while the pieces are single characters; here they are gathered.
 */
export type Pieces = {
  /** Length of the text so far, in UTF-16 code units. */
  readonly length: number;
  add(text: string): void;
  /** The whole text; the pieces stay. */
  read(): string;
  /** The whole text; the pieces are empty afterwards. */
  take(): string;
  clear(): void;
};

/** How text is packed that waits long for its end. */
export type Packing = {
  pack(text: string): Packed;
  unpack(packed: Packed): string;
};

/** A stretch of text: compressed, or as it is where it cannot be. */
export type Packed = string | Uint8Array;

/**
 * Empty pieces. Without a packing nothing is packed: for what is read as soon as the last of it is there, such as an event
 * that is cut, whose 20 MB of picture would take a second to pack.
 */
export function createGatheredText(packing?: Packing): Pieces {
  let packed: Packed[] = [];
  let large: string[] = [];
  let small: string[] = [];
  let loose = 0;
  /** What was packed, and the whole text, as they were last read; both go when more is packed. */
  let unpacked: string | undefined;
  let whole = '';

  const gather = (): void => {
    if (small.length === 0) return;
    large.push(small.join(''));
    small = [];
  };
  const looseText = (): string => {
    gather();
    if (large.length > 1) large = [large.join('')];
    return large[0] ?? '';
  };
  const restart = (): void => {
    large = [];
    loose = 0;
    unpacked = undefined;
    whole = '';
  };

  // The length is a field and no getter: a getter of its own would give each of these objects another shape.
  const pieces = {
    length: 0,
    add(text: string): void {
      if (text === '') return;
      pieces.length += text.length;
      loose += text.length;
      if (text.length < SMALL) {
        small.push(text);
        if (small.length >= GROUP) gather();
      } else {
        gather();
        large.push(text);
      }
      if (packing === undefined || loose <= LOOSE) return;
      packed.push(packing.pack(looseText()));
      restart();
    },
    read(): string {
      if (whole.length === pieces.length) return whole;
      if (packing !== undefined && packed.length > 0) unpacked ??= packed.map(packing.unpack).join('');
      whole = unpacked === undefined ? looseText() : unpacked + looseText();
      return whole;
    },
    take(): string {
      const text = pieces.read();
      pieces.clear();
      return text;
    },
    clear(): void {
      if (pieces.length === 0) return;
      packed = [];
      small = [];
      pieces.length = 0;
      restart();
    },
  };
  return pieces;
}
