/**
 * Values that stand in a program of JavaScript or Python as plain data: one reader for both, since what they have in common is all that
 * bodies of requests need. Nothing is run.
 */

/** What is no plain data, and where it begins. */
export class NotData extends Error {
  readonly at: number;

  constructor(at: number) {
    super('no plain data');
    this.at = at;
  }
}

/** The arguments of a call. */
export interface Arguments {
  readonly positional: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

const SPACE = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const NUMBER = /[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?/y;
const NAME = /[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*/y;
/** In the form that goes back over nothing: texts may hold megabytes. */
const STRING =
  /([rRuUbBfF]{0,2})(?:("""|''')([^\\]*?(?:\\[\s\S][^\\]*?)*?)\2|"([^"\\\n]*(?:\\[\s\S][^"\\\n]*)*)"|'([^'\\\n]*(?:\\[\s\S][^'\\\n]*)*)'|`([^`\\]*(?:\\[\s\S][^`\\]*)*)`)/y;
const ESCAPE = /\\(?:u\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8})|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g;
const SUFFIX = /(?:as const|satisfies [\w.<>]+)/y;

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', undefined],
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);

/** Functions that give their only argument on: what they make of it is its text. */
const PASSING = /^(?:JSON\.stringify|json\.dumps)$/;

/** Constructors, whose named arguments are the members. */
const MAKING = /(?:^|\.)(?:dict|[A-Z]\w*|from_text|from_uri)$/;

/** So deep a value may lie in others. */
const DEEPEST = 200;

/** A place in a text, and what begins there. */
function createCursor(text: string) {
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const skip = (): string => {
    match(SPACE);
    return text.charAt(at);
  };
  const fail = (place = at): never => {
    throw new NotData(place);
  };
  const string = (): string | undefined => {
    const start = at;
    const found = match(STRING);
    if (found === null) return undefined;
    const [, prefix = '', , long, double, single, template] = found;
    if (/[fFbB]/.test(prefix) || (template !== undefined && /(?<!\\)\$\{/.test(template))) fail(start);
    const plain = long ?? double ?? single ?? template ?? '';
    return /[rR]/.test(prefix) ? plain : plain.replace(ESCAPE, escaped);
  };
  return {
    match,
    /** Goes over white space and comments; gives the sign behind them. */
    skip,
    fail,
    /** A text in quotes; undefined where none begins. */
    string,
    at: (): number => at,
    move: (by: number): void => {
      at += by;
    },
    goTo: (place: number): void => {
      at = place;
    },
  };
}

/**
 * Reads values of a program from any place of its text. `names` are values that it gave to names before. Throws {@link NotData} where
 * a value is none that stands there.
 */
export function createReader(text: string, names: ReadonlyMap<string, unknown>) {
  const cursor = createCursor(text);
  const { match, skip, fail, string } = cursor;
  let depth = 0;
  const name = (): unknown => {
    const start = cursor.at();
    const [found = ''] = match(NAME) ?? fail(start);
    const word = found.replace(/\s/g, '');
    if (WORDS.has(word)) return WORDS.get(word);
    if (skip() === '(') {
      const { positional, named } = args();
      if (PASSING.test(word)) return positional[0];
      if (!MAKING.test(word) || positional.length > 0) fail(start);
      return named;
    }
    return names.has(word) ? names.get(word) : fail(start);
  };
  const value = (): unknown => {
    depth += 1;
    if (depth > DEEPEST) fail();
    let read = one();
    for (let sign = skip(); typeof read === 'string'; sign = skip()) {
      // Texts that stand side by side, or with a plus between them, are one.
      if (sign === '+') cursor.move(1);
      else if (!/["'`]/.test(sign)) break;
      skip();
      const more = one();
      if (typeof more !== 'string') fail();
      read += String(more);
    }
    match(SUFFIX);
    depth -= 1;
    return read;
  };
  const one = (): unknown => {
    switch (skip()) {
      case '{':
        return object();
      case '[':
        return list(']').values;
      case '(': {
        const { values, comma } = list(')');
        return values.length === 1 && !comma ? values[0] : values;
      }
    }
    const read = string();
    if (read !== undefined) return read;
    const number = match(NUMBER);
    return number === null ? name() : Number(number[0].replaceAll('_', ''));
  };
  /** Goes behind a comma or to the closing sign; true at the latter. */
  const ends = (close: string): boolean => {
    if (skip() === close) {
      cursor.move(1);
      return true;
    }
    if (text.charAt(cursor.at()) !== ',') fail();
    cursor.move(1);
    return false;
  };
  const opened = (close: string): boolean => {
    cursor.move(1);
    if (skip() !== close) return true;
    cursor.move(1);
    return false;
  };
  const list = (close: string): { readonly values: readonly unknown[]; readonly comma: boolean } => {
    const values: unknown[] = [];
    if (!opened(close)) return { values, comma: false };
    for (;;) {
      if (skip() === close) {
        cursor.move(1);
        return { values, comma: true };
      }
      if (match(/\.\.\.|\*(?=[A-Za-z_[])/y) !== null) {
        const more = value();
        if (!Array.isArray(more)) fail();
        values.push(...(more as readonly unknown[]));
      } else values.push(value());
      if (ends(close)) return { values, comma: false };
    }
  };
  const spread = (members: Map<string, unknown>): void => {
    const start = cursor.at();
    const more = value();
    if (typeof more !== 'object' || more === null) fail(start);
    for (const [key, member] of Object.entries(more as object)) members.set(key, member);
  };
  /** `["a name"]`, as JavaScript has names that mean something otherwise. */
  const computed = (): string | undefined => {
    if (skip() !== '[') return undefined;
    const [key, ...others] = list(']').values;
    return typeof key === 'string' && others.length === 0 ? key : fail();
  };
  const object = (): unknown => {
    const members = new Map<string, unknown>();
    if (!opened('}')) return {};
    for (;;) {
      if (skip() === '}') {
        cursor.move(1);
        return Object.fromEntries(members);
      }
      const start = cursor.at();
      if (match(/\.\.\.|\*\*/y) !== null) spread(members);
      else {
        const key = computed() ?? string() ?? match(NUMBER)?.[0] ?? (match(/[A-Za-z_$][\w$]*/y) ?? fail())[0];
        if (skip() === ':') {
          cursor.move(1);
          members.set(key, value());
        } else members.set(key, names.has(key) ? names.get(key) : fail(start));
      }
      if (ends('}')) return Object.fromEntries(members);
    }
  };
  const args = (): Arguments => {
    const positional: unknown[] = [];
    const named = new Map<string, unknown>();
    const whole = (): Arguments => ({ positional, named: Object.fromEntries(named) });
    if (!opened(')')) return whole();
    for (;;) {
      if (skip() === ')') {
        cursor.move(1);
        return whole();
      }
      if (match(/\*\*/y) !== null) spread(named);
      else {
        const key = match(/([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
        if (key === undefined) positional.push(value());
        else named.set(key, value());
      }
      if (ends(')')) return whole();
    }
  };
  const from = <Read>(place: number, read: () => Read): Read => {
    cursor.goTo(place);
    depth = 0;
    return read();
  };
  return {
    /** The value at a place. */
    valueAt: (place: number): unknown => from(place, value),
    /** The arguments of a call whose opening bracket is at a place. */
    argumentsAt: (place: number): Arguments => from(place, args),
    /** Whether nothing but white space follows what was read last. */
    atEnd: (): boolean => skip() === '' || /^;?\s*$/.test(text.slice(cursor.at())),
  };
}

function escaped(_: string, ...parts: readonly (string | undefined)[]): string {
  const [braced, long, short, byte, line, sign = ''] = parts;
  const code = braced ?? long ?? short ?? byte;
  if (code !== undefined) return fromCode(Number.parseInt(code, 16));
  return line === undefined ? (SIGNS.get(sign) ?? sign) : '';
}

function fromCode(code: number): string {
  // Halves of a pair are written one by one.
  return code <= 0xffff ? String.fromCharCode(code) : code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
