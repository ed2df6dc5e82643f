/** Pieces shorter than this are gathered until there are enough to be worth one string. */
const SMALL = 256;
const GROUP = 256;

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

/** Empty pieces. */
export function createPieces(): Pieces {
  let large: string[] = [];
  let small: string[] = [];
  let length = 0;

  const gather = (): void => {
    if (small.length === 0) return;
    large.push(small.join(''));
    small = [];
  };
  const read = (): string => {
    gather();
    if (large.length > 1) large = [large.join('')];
    return large[0] ?? '';
  };
  const clear = (): void => {
    if (length === 0) return;
    large = [];
    small = [];
    length = 0;
  };

  return {
    get length() {
      return length;
    },
    add(text) {
      if (text === '') return;
      length += text.length;
      if (text.length < SMALL) {
        small.push(text);
        if (small.length >= GROUP) gather();
      } else {
        gather();
        large.push(text);
      }
    },
    read,
    take() {
      const text = read();
      clear();
      return text;
    },
    clear,
  };
}
