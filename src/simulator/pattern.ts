/**
 * A text that matches a regular expression, or undefined when the expression uses what this reader does not know
 * (look-around, back references). Alternation takes its first branch, repetition its lowest count.
 */
export function samplePattern(pattern: string): string | undefined {
  if (pattern.length > MOST_SAMPLED) return undefined;
  const reader = { source: Array.from(pattern), at: 0 };
  const sample = sampleBranches(reader);
  if (sample === undefined || reader.at < reader.source.length) return undefined;
  return fits(pattern, sample) === false ? undefined : sample;
}

/** Longest pattern that is read, in characters; groups may be nested that deep. */
const MOST_SAMPLED = 1000;

const MOST_PATTERN = 200;
const MOST_TEXT = 64;
const MOST_REPETITIONS = 2;
const MOST_CHOICES = 4;

/**
 * Whether a text matches a caller's pattern; undefined when the pattern is none, or so written that trying it could
 * take long (hardening.md row 58): it has repeated groups, many repetitions or many choices.
 */
export function fits(pattern: string, text: string): boolean | undefined {
  if (pattern.length > MOST_PATTERN || text.length > MOST_TEXT) return undefined;
  const repetitions = pattern.match(/[*+?]|\{\d*,/g)?.length ?? 0;
  const choices = pattern.match(/\|/g)?.length ?? 0;
  const repeatsGroups = /\)(?:[*+]|\{)/.test(pattern);
  if (repeatsGroups || repetitions > MOST_REPETITIONS || choices > MOST_CHOICES) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

/** Longest sample, in characters. */
const MOST_SAMPLE = 10_000;

interface Reader {
  readonly source: readonly string[];
  at: number;
}

function sampleBranches(reader: Reader): string | undefined {
  const first = sampleSequence(reader);
  while (first !== undefined && reader.source[reader.at] === '|') {
    reader.at += 1;
    if (sampleSequence(reader) === undefined) return undefined;
  }
  return first;
}

function sampleSequence(reader: Reader): string | undefined {
  let text = '';
  for (let next = reader.source[reader.at]; next !== undefined && next !== '|' && next !== ')'; ) {
    const atom = sampleAtom(reader);
    if (atom === undefined) return undefined;
    const count = readLowestCount(reader);
    if (text.length + atom.length * count > MOST_SAMPLE) return undefined;
    text += atom.repeat(count);
    next = reader.source[reader.at];
  }
  return text;
}

function sampleAtom(reader: Reader): string | undefined {
  const next = reader.source[reader.at];
  reader.at += 1;
  switch (next) {
    case '^':
    case '$':
      return '';
    case '.':
      return 'a';
    case '\\':
      return sampleEscape(reader);
    case '[':
      return sampleClass(reader);
    case '(':
      return sampleGroup(reader);
    default:
      return next;
  }
}

function sampleEscape(reader: Reader): string | undefined {
  const next = reader.source[reader.at];
  reader.at += 1;
  if (next === 'd') return '1';
  if (next === 'w') return 'a';
  if (next === 's') return ' ';
  if (next === 'b') return '';
  return next !== undefined && /[^A-Za-z0-9]/.test(next) ? next : undefined;
}

const CLASS_CANDIDATES = ['a', 'A', '1', '_', '-', ' ', '.', '/', 'é'];

function sampleClass(reader: Reader): string | undefined {
  const start = reader.at - 1;
  while (reader.at < reader.source.length && reader.source[reader.at] !== ']') {
    reader.at += reader.source[reader.at] === '\\' ? 2 : 1;
  }
  reader.at += 1;
  const text = reader.source.slice(start, reader.at).join('');
  return [...CLASS_CANDIDATES, ...reader.source.slice(start + 1, reader.at)].find((candidate) =>
    fits(`^${text}$`, candidate),
  );
}

function sampleGroup(reader: Reader): string | undefined {
  if (reader.source[reader.at] === '?') {
    if (reader.source[reader.at + 1] !== ':') return undefined;
    reader.at += 2;
  }
  const inner = sampleBranches(reader);
  if (reader.source[reader.at] !== ')') return undefined;
  reader.at += 1;
  return inner;
}

function readLowestCount(reader: Reader): number {
  const rest = reader.source.slice(reader.at, reader.at + 12).join('');
  const quantifier = /^(?:\*|\+|\?|\{(\d+)(?:,\d*)?\})\??/.exec(rest);
  if (!quantifier) return 1;
  reader.at += quantifier[0].length;
  if (quantifier[1] !== undefined) return Number(quantifier[1]);
  return quantifier[0].startsWith('+') ? 1 : 0;
}
