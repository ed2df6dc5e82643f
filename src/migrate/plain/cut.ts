/** Takes a text in pieces and gives its parts; undefined for one that is too long to be kept. */
export interface Cutter {
  push(text: string): void;
  /** Gives what is left. True when the text was whole. */
  end(): boolean;
}

/** Hears of one part and of its number, from 1. */
export type Part = (text: string | undefined, number: number) => void;

/** Longest part that is kept, in UTF-16 units: more than any service takes. */
const MOST = 128 * 1024 * 1024;

/** Gathers one part; what is too long is let go. */
function createPart(most: number) {
  let pieces: string[] = [];
  let length = 0;
  return {
    add(piece: string): void {
      length += piece.length;
      if (length <= most) pieces.push(piece);
      else pieces = [];
    },
    take(): string | undefined {
      const text = length <= most ? pieces.join('') : undefined;
      pieces = [];
      length = 0;
      return text;
    },
  };
}

/** Cuts a text into its lines. Empty ones are counted and not given. */
export function createLineCutter(emit: Part, most = MOST): Cutter {
  const part = createPart(most);
  let line = 1;
  const finish = (): void => {
    const text = part.take();
    if (text === undefined || text.trim() !== '') emit(text, line);
    line += 1;
  };
  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        part.add(text.slice(from, at));
        finish();
        from = at + 1;
      }
      part.add(text.slice(from));
    },
    end() {
      finish();
      return true;
    },
  };
}

/** Gives a text as one part. */
export function createWholeCutter(emit: Part, most = MOST): Cutter {
  const part = createPart(most);
  return {
    push: (text) => part.add(text),
    end() {
      emit(part.take(), 1);
      return true;
    },
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Cuts the elements out of the list that lies at a path of member names in a JSON text; [] = the text is the list. What stands around
 * it is passed over, and nothing of it is kept.
 */
export function createElementCutter(path: readonly string[], emit: Part, most = MOST): Cutter {
  const part = createPart(most);
  /** How deep the place is; the list at the path has the depth of the path and one. */
  let depth = 0;
  /** How many names of the path lead here. */
  let found = 0;
  let inString = false;
  let escaped = false;
  /** The text of the last string outside of elements, as far as it can be a name of the path. */
  let name = '';
  let inList = false;
  let inElement = false;
  let index = 0;

  const open = (isList: boolean): void => {
    if (!inList && found === path.length && depth === path.length && isList) inList = true;
    depth += 1;
  };
  /** Ends an element, if there is one. */
  const finish = (rest: string): void => {
    part.add(rest);
    inElement = false;
    index += 1;
    emit(part.take(), index);
  };
  const endString = (): void => {
    inString = false;
    if (inElement || inList || depth !== found + 1 || name !== path[found]) name = '';
  };
  /** A sign outside of strings; `start` is where the part of the present element in this piece begins. Gives the next start. */
  const see = (text: string, at: number, start: number): number => {
    const sign = text.charCodeAt(at);
    const atTop = inList && depth === path.length + 1;
    if (atTop && inElement && (sign === COMMA || sign === CLOSE_LIST)) finish(text.slice(start, at));
    if (atTop && !inElement && sign > 0x20 && sign !== COMMA && sign !== CLOSE_LIST) {
      inElement = true;
      start = at;
    }
    switch (sign) {
      case QUOTE:
        inString = true;
        name = '';
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (!inElement && name !== '' && depth === found + 1) found += 1;
        name = '';
        open(sign === OPEN_LIST);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        name = '';
        if (inElement && depth === path.length + 1) finish(text.slice(start, at + 1));
        else if (inList && depth === path.length) inList = false;
        else if (!inList && depth < found + 1) found = Math.max(0, depth - 1);
        break;
      case COMMA:
        name = '';
        break;
    }
    return start;
  };

  return {
    push(text) {
      let start = 0;
      for (let at = 0; at < text.length; at += 1) {
        if (!inString) {
          start = see(text, at, start);
          continue;
        }
        const sign = text.charCodeAt(at);
        if (escaped) escaped = false;
        else if (sign === BACKSLASH) escaped = true;
        else if (sign === QUOTE) endString();
        if (inString && !inElement && !inList && name.length < LONGEST_NAME) name += text.charAt(at);
      }
      if (inElement) part.add(text.slice(start));
    },
    end() {
      if (inElement) finish('');
      return depth === 0 && !inString;
    },
  };
}

/** No name on a path has so many letters. */
const LONGEST_NAME = 16;
