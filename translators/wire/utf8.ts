const STEP = 1024;

/** Where an offset inside a character goes: to its start or behind it. */
export type Snap = 'down' | 'up';

/** A unit that text is counted in, besides JavaScript's UTF-16 code units. */
export type TextUnit = 'byte' | 'codePoint';

/** Length of the text in UTF-8 bytes, without encoding it. A lone surrogate counts 3, as `TextEncoder` writes it. */
export function utf8Length(text: string): number {
  return isAscii(text) ? text.length : walk(text, 'byte', 0, 0, Number.POSITIVE_INFINITY).offset;
}

/** Converts any number of offsets over one text, in any order. */
export type OffsetIndex = {
  /** The UTF-16 index of an offset in the index's unit. */
  toUtf16(offset: number, snap?: Snap): number;
  /** The offset in the index's unit of a UTF-16 index. */
  fromUtf16(index: number): number;
};

/**
 * Reads the text once and then converts each offset in constant time (for text that is not ASCII, by reading at most
 * about a thousand characters), so that many offsets cost linear time together. Offsets outside the text are clamped; a UTF-16 index inside a surrogate
 * pair counts as the start of the pair.
 */
export function createOffsetIndex(text: string, unit: TextUnit): OffsetIndex {
  if (isAscii(text)) {
    return { toUtf16: (offset) => clamp(offset, text.length), fromUtf16: (index) => clamp(index, text.length) };
  }
  const marks = readMarks(text, unit);
  return {
    toUtf16(offset, snap = 'down') {
      const mark = marks[lastNotAbove(marks, offset)] ?? START;
      return find(text, unit, mark.index, mark.offset, offset, snap);
    },
    fromUtf16(index) {
      const mark = marks[Math.min(Math.floor(clamp(index, text.length) / STEP), marks.length - 1)] ?? START;
      return count(text, unit, mark.index, mark.offset, index);
    },
  };
}

/** Converts offsets over a text that still grows. */
export type GrowingOffsets = OffsetIndex & {
  /** Length of the text so far, in UTF-16 code units. */
  readonly length: number;
  add(text: string): void;
};

/** A stretch of a growing text: where it starts in both units, and how it converts what lies inside. */
type Stretch = { index: number; offset: number; text: string; offsets?: OffsetIndex };

/**
 * As {@link createOffsetIndex}, for a text to which `add` appends: each piece is read once, whatever comes between two
 * questions. An offset beyond the text so far is clamped to it.
 */
export function createGrowingOffsets(unit: TextUnit): GrowingOffsets {
  const stretches: Stretch[] = [];
  let pending = '';
  let index = 0;
  let offset = 0;

  /** Half of a surrogate pair waits for its other half. */
  const settle = (): void => {
    const split = isHighSurrogate(pending, pending.length - 1);
    const text = split ? pending.slice(0, -1) : pending;
    pending = split ? pending.slice(-1) : '';
    if (text === '') return;
    stretches.push({ index, offset, text });
    index += text.length;
    offset += walk(text, unit, 0, 0, Number.POSITIVE_INFINITY).offset;
  };
  const stretchAt = (key: 'index' | 'offset', value: number): Stretch | undefined => {
    settle();
    return stretches[lastNotAbove(stretches, value, key)];
  };
  const offsetsOf = (stretch: Stretch): OffsetIndex => {
    stretch.offsets ??= createOffsetIndex(stretch.text, unit);
    return stretch.offsets;
  };

  return {
    get length() {
      return index + pending.length;
    },
    add(text) {
      pending += text;
      if (pending.length >= STEP) settle();
    },
    toUtf16(wanted, snap) {
      const stretch = stretchAt('offset', wanted);
      return stretch === undefined ? 0 : stretch.index + offsetsOf(stretch).toUtf16(wanted - stretch.offset, snap);
    },
    fromUtf16(wanted) {
      const stretch = stretchAt('index', wanted);
      return stretch === undefined ? 0 : stretch.offset + offsetsOf(stretch).fromUtf16(wanted - stretch.index);
    },
  };
}

/** A place in a text: UTF-16 index and the same in another unit. */
type Mark = { index: number; offset: number };

const START: Mark = { index: 0, offset: 0 };

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is exactly ASCII
  return !/[^\x00-\x7f]/.test(text);
}

function clamp(value: number, max: number): number {
  return value > 0 ? Math.min(Math.floor(value), max) : 0;
}

/** UTF-16 length of the character at `index`: 2 for a surrogate pair. */
function width(text: string, index: number): 1 | 2 {
  const code = text.charCodeAt(index);
  if (code < 0xd800 || code > 0xdbff) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

function size(text: string, unit: TextUnit, index: number, units: 1 | 2): number {
  if (unit === 'codePoint') return 1;
  if (units === 2) return 4;
  const code = text.charCodeAt(index);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

/** Goes on, character by character, as long as neither the index nor the offset passes its limit. */
function walk(
  text: string,
  unit: TextUnit,
  from: number,
  base: number,
  maxOffset: number,
  maxIndex = text.length,
): Mark {
  let index = from;
  let offset = base;
  while (index < maxIndex) {
    const units = width(text, index);
    const next = offset + size(text, unit, index, units);
    if (next > maxOffset || index + units > maxIndex) break;
    index += units;
    offset = next;
  }
  return { index, offset };
}

function find(text: string, unit: TextUnit, from: number, base: number, offset: number, snap: Snap): number {
  const wanted = clamp(offset, Number.POSITIVE_INFINITY);
  const place = walk(text, unit, from, base, wanted);
  if (snap === 'down' || place.offset === wanted || place.index >= text.length) return place.index;
  return place.index + width(text, place.index);
}

function count(text: string, unit: TextUnit, from: number, base: number, index: number): number {
  return walk(text, unit, from, base, Number.POSITIVE_INFINITY, clamp(index, text.length)).offset;
}

/** Mark k is at k * STEP, or one before it when a surrogate pair straddles that index. */
function readMarks(text: string, unit: TextUnit): Mark[] {
  let mark = START;
  const marks = [mark];
  for (let limit = STEP; limit < text.length; limit += STEP) {
    mark = walk(text, unit, mark.index, mark.offset, Number.POSITIVE_INFINITY, limit);
    marks.push(mark);
  }
  return marks;
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

function lastNotAbove(marks: readonly Mark[], value: number, key: keyof Mark = 'offset'): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((marks[middle]?.[key] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
