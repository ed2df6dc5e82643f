/**
 * Finds secrets in text, as they are and as JSON may have them: any character as `\u0073`, signs behind a
 * backslash, at any depth of texts within texts.
 */
export interface SecretFinder {
  /** So long is a secret at most, however it is written; 0 = there is none. */
  readonly longest: number;
  /** Whether a text holds a secret. */
  within(text: string): boolean;
  /** Quick and too careful: what ends strings of JSON in `text` and may begin a secret; a backslash where that is escaped. */
  ends(text: string): readonly string[];
  /** Quick and too careful: whether some string of JSON in `text` goes on from the beginning of a secret. */
  goesOn(beginning: string, text: string): boolean;
  /** Whether a character of a secret is escaped in a text. */
  mayEscape(text: string): boolean;
  /** The end of a text that is the beginning of a secret. */
  beginning(text: string): Beginning;
  /** A text without the secrets in it. */
  without(text: string): string;
}

/** The end of a text that may be continued to a secret; '' = it has none. */
export interface Beginning {
  readonly tail: string;
  /** How many characters of the secret it tells. */
  readonly known: number;
}

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

const NONE: readonly string[] = [];
const NO_BEGINNING: Beginning = { tail: '', known: 0 };

/** So many backslashes in front of an escaped character are those of texts within texts. */
const MOST_BACKSLASHES = 16;
/** So many characters a character of a secret takes at most, escaped at the usual depths. */
const LONGEST_SPELLING = 9;
/** Beginnings of secrets are told apart from other text by so many characters. */
const LOOKED_AT = 64;
const BACKSLASH = 0x5c;
/** What is escaped by a backslash alone. */
const SIGN = /["\\/]/;

/** A finder for these texts, each of which has at least one character. */
export function finderOf(secrets: readonly string[]): SecretFinder {
  if (secrets.length === 0) return NOTHING_SECRET;
  const forms = [...new Set(secrets.flatMap((secret) => [secret, inJson(secret)]))];
  const escapes = escapesIn(secrets.join(''));
  const ends = new RegExp(`(?:${secrets.map(beginningIn).join('|')})"(?!\\s*:)|\\\\\\\\(?:u[\\da-fA-F]{0,3})?"`, 'g');
  const longest = Math.max(...secrets.map(({ length }) => length)) * LONGEST_SPELLING;
  const mark = secrets.some((secret) => SIGN.test(secret)) ? '\\' : '\\u00';
  const mayEscape = (text: string): boolean => text.includes(mark) && escapes.test(text);
  return {
    longest,
    within: (text) =>
      forms.some((form) => text.includes(form)) ||
      (mayEscape(text) && secrets.some((secret) => nextSpelled(text, secret, 0) !== undefined)),
    ends(text) {
      ends.lastIndex = 0;
      // Most texts have none, and a test is cheaper than a list.
      return ends.test(text) ? (text.match(ends) ?? []).map((end) => end.slice(0, -1)) : NONE;
    },
    goesOn: (beginning, text) =>
      text.includes('"\\') ||
      secrets.some((secret) => secret.startsWith(beginning) && text.includes(`"${secret[beginning.length] ?? ''}`)),
    mayEscape,
    beginning(text) {
      for (let at = Math.max(0, text.length - longest); at < text.length; at += 1) {
        for (const secret of secrets) {
          if (!mayStart(text, at, secret)) continue;
          const { open, known } = spelledAt(text, at, secret);
          if (open) return { tail: text.slice(at), known };
        }
      }
      return NO_BEGINNING;
    },
    without(text) {
      let clean = text;
      for (const form of forms) clean = clean.replaceAll(form, REDACTED);
      return mayEscape(clean) ? secrets.reduce(withoutSpelled, clean) : clean;
    },
  };
}

const NOTHING_SECRET: SecretFinder = {
  longest: 0,
  within: () => false,
  ends: () => NONE,
  goesOn: () => false,
  mayEscape: () => false,
  beginning: () => NO_BEGINNING,
  without: (text) => text,
};

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Escapes of the characters of a secret, and not those of all other text, such as `\u00e9` or `\n`. */
function escapesIn(characters: string): RegExp {
  const all = [...new Set(characters)];
  const codes = all.map((character) => character.charCodeAt(0).toString(16).padStart(2, '0'));
  const signs = all.filter((character) => SIGN.test(character)).map((sign) => `\\${sign}`);
  return new RegExp(`\\\\(?:${[`u00(?:${codes.map(inAnyCase).join('|')})`, ...signs].join('|')})`);
}

function inAnyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A pattern for every beginning of a secret, in front of the end of a text of JSON. */
function beginningIn(secret: string): string {
  const looked = [...secret.slice(0, LOOKED_AT)].map((character) => quoted(inJson(character)));
  const rest = secret.length > LOOKED_AT ? '[^"]*' : '';
  const [first = '', ...others] = looked;
  return first + others.reduceRight((behind, character) => `(?:${character}${behind})?`, rest);
}

/** A pattern for a text as it is. */
function quoted(text: string): string {
  return text.replace(/[^\w\s]/g, (sign) => `\\${sign}`);
}

function withoutSpelled(text: string, secret: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let found = nextSpelled(text, secret, 0); found !== undefined; found = nextSpelled(text, secret, from)) {
    kept.push(text.slice(from, found.from), REDACTED);
    from = found.to;
  }
  return kept.join('') + text.slice(from);
}

/** Where a secret stands next, however its characters are written. */
function nextSpelled(text: string, secret: string, from: number): { from: number; to: number } | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (!mayStart(text, at, secret)) continue;
    const { to } = spelledAt(text, at, secret);
    if (to !== -1) return { from: at, to };
  }
  return undefined;
}

function mayStart(text: string, at: number, secret: string): boolean {
  const code = text.charCodeAt(at);
  return code === BACKSLASH || code === secret.charCodeAt(0);
}

interface Spelled {
  /** Where the secret ends; -1 = it is not there. */
  readonly to: number;
  /** The text ends before it is known whether the secret is there. */
  readonly open: boolean;
  /** How many characters of the secret are there. */
  readonly known: number;
}

/** Compares a text from a place on with a secret. */
function spelledAt(text: string, from: number, secret: string): Spelled {
  let at = from;
  for (let known = 0; known < secret.length; known += 1) {
    if (at === text.length) return { to: -1, open: true, known };
    if (text[at] === secret[known]) {
      at += 1;
      continue;
    }
    const next = escapedAt(text, at, secret.charCodeAt(known));
    if (next === 'open') return { to: -1, open: true, known };
    if (next === undefined) return { to: -1, open: false, known };
    at = next;
  }
  return { to: at, open: false, known: secret.length };
}

/** Where an escaped character ends; `open` where the text ends within it. */
function escapedAt(text: string, from: number, code: number): number | 'open' | undefined {
  let at = from;
  while (text.charCodeAt(at) === BACKSLASH && at - from < MOST_BACKSLASHES) at += 1;
  if (at === from) return undefined;
  if (at === text.length) return 'open';
  if (text.charCodeAt(at) === code) return at + 1;
  if (text[at] !== 'u') return undefined;
  const digits = text.slice(at + 1, at + 5).toLowerCase();
  const wanted = code.toString(16).padStart(4, '0');
  if (digits === wanted) return at + 5;
  return at + 1 + digits.length === text.length && wanted.startsWith(digits) ? 'open' : undefined;
}
