/** Pieces shorter than this are collected until there are enough for one string. */
const SMALL = 256;
const GROUP = 256;
/** The newest text, in UTF-16 code units, that stays as it came; older text is packed, if a packing is given. */
const LOOSE = 32 * 1024;

/**
 * Text that grows piece by piece and is read once. A string built with `+=` would cost many times its length in
 * memory while the pieces are single characters; a buffer collects them.
 */
export type TextBuffer = {
  /** Length of the text so far, in UTF-16 code units. */
  readonly length: number;
  add(text: string): void;
  /** The whole text, which stays in the buffer. */
  read(): string;
  /** The whole text; the buffer is empty afterwards. */
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
 * An empty buffer. Without a packing nothing is packed: for text that is read as soon as its last piece is there, such as an event
 * that is cut, whose 20 MB of picture would take a second to pack.
 */
export function createTextBuffer(packing?: Packing): TextBuffer {
  return new GrowingText(packing);
}

/** A class, since an open stream holds a dozen of these: the closures of each would be seven times the object. */
class GrowingText implements TextBuffer {
  // A field and no getter: what adds reads it often.
  length = 0;
  private packed: Packed[] | undefined;
  private large: string[] = [];
  private small: string[] = [];
  private loose = 0;
  /** What was packed, and the whole text, as they were last read; both go when more is packed. */
  private unpacked: string | undefined;
  private whole = '';

  constructor(private readonly packing: Packing | undefined) {}

  add(text: string): void {
    if (text === '') return;
    this.length += text.length;
    this.loose += text.length;
    if (text.length < SMALL) {
      this.small.push(text);
      if (this.small.length >= GROUP) this.gather();
    } else {
      this.gather();
      this.large.push(text);
    }
    if (this.packing === undefined || this.loose <= LOOSE) return;
    this.packed ??= [];
    this.packed.push(this.packing.pack(this.looseText()));
    this.restart();
  }

  read(): string {
    if (this.whole.length === this.length) return this.whole;
    if (this.packing !== undefined && this.packed !== undefined) {
      this.unpacked ??= this.packed.map(this.packing.unpack).join('');
    }
    this.whole = this.unpacked === undefined ? this.looseText() : this.unpacked + this.looseText();
    return this.whole;
  }

  take(): string {
    const text = this.read();
    this.clear();
    return text;
  }

  clear(): void {
    if (this.length === 0) return;
    this.packed = undefined;
    this.small = [];
    this.length = 0;
    this.restart();
  }

  private gather(): void {
    if (this.small.length === 0) return;
    this.large.push(this.small.join(''));
    this.small = [];
  }

  private looseText(): string {
    this.gather();
    if (this.large.length > 1) this.large = [this.large.join('')];
    return this.large[0] ?? '';
  }

  private restart(): void {
    this.large = [];
    this.loose = 0;
    this.unpacked = undefined;
    this.whole = '';
  }
}
