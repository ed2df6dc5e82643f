/** A place in a text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset in a text. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const begin = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - begin + 1 };
}

const SPACE = /[ \t\n\r]*/y;
const QUOTE = /"/y;
/** What a string holds, one piece at a time: a pattern of the whole would overflow the stack of V8 on one of 7 MB. */
const PIECE = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The place where a text stops being JSON. */
export interface JsonFault extends Place {
  /** The same in UTF-16 units from 0. */
  readonly offset: number;
  /** What could stand there, in words. */
  readonly expected: string;
}

/** What may come next in a text of JSON. */
type Next = 'value' | 'firstItem' | 'name' | 'firstName' | 'colon' | 'end';

/** Where a text stops being JSON; undefined when it is JSON. The messages of JSON.parse do not always say it. */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('}' | ']')[] = [];
  let offset = 0;
  let next = 'value' as Next;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text) !== null;
    if (found) offset = pattern.lastIndex;
    return found;
  };
  const takeString = (): boolean => {
    if (!take(QUOTE)) return false;
    while (take(PIECE));
    return take(QUOTE);
  };
  /** Takes a closing bracket that fits. */
  const close = (character: string | undefined): boolean => {
    if (character === undefined || open.at(-1) !== character) return false;
    open.pop();
    offset += 1;
    next = 'end';
    return true;
  };
  const value = (character: string | undefined): boolean => {
    if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      next = character === '{' ? 'firstName' : 'firstItem';
      offset += 1;
      return true;
    }
    next = 'end';
    return character === '"' ? takeString() : take(SCALAR);
  };
  const comma = (character: string | undefined): boolean => {
    if (character !== ',' || open.length === 0) return false;
    next = open.at(-1) === '}' ? 'name' : 'value';
    offset += 1;
    return true;
  };
  const step = (character: string | undefined): boolean => {
    switch (next) {
      case 'value':
        return value(character);
      case 'firstItem':
        return close(character) || value(character);
      case 'firstName':
      case 'name': {
        if (next === 'firstName' && close(character)) return true;
        next = 'colon';
        return takeString();
      }
      case 'colon':
        next = 'value';
        offset += 1;
        return character === ':';
      case 'end':
        return close(character) || comma(character);
    }
  };
  for (;;) {
    take(SPACE);
    if (next === 'end' && open.length === 0 && offset === text.length) return undefined;
    const [before, awaited] = [offset, next];
    if (step(text[offset])) continue;
    // A string is broken within: it began where it is told.
    const expected = text[before] === '"' && EXPECTED[awaited].includes('"') ? 'a string that ends' : EXPECTED[awaited];
    const within = awaited !== 'end' ? expected : open.length === 0 ? 'the end' : `a comma or ${open.at(-1)}`;
    return { ...placeOf(text, before), offset: before, expected: within };
  }
}

/** What may come, in words; at the end of a value it depends on what is open. */
const EXPECTED: Readonly<Record<Next, string>> = {
  value: 'a value: ", {, [, a number, true, false or null',
  firstItem: 'a value or ]',
  name: 'a name in "',
  firstName: 'a name in " or }',
  colon: 'a colon',
  end: '',
};
