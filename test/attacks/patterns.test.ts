import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';
import { routes } from '../../src/routes/index.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';
import { SHORT } from '../support/runs.js';

/** Every pattern that what callers and backends send is held against takes time in line with it (attacks.md findings 1 and 6). */

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const LENGTH = SHORT ? 4000 : 16_000;
/** Where one text of that length took longer, what it costs the processor must grow with the length and no faster. */
const SOON_MS = 5;

/** Patterns of what the operator alone writes: the configuration, the command line, and what parsers say of them. */
const OPERATOR = /^src\/(?:cli|config)\//;

/** Patterns made at run time. Those of routes are timed by {@link routes}, the others cannot be without their parts. */
const MADE = {
  'src/ground/plain/key-finder.ts':
    'alternations of beginnings and characters of configured secrets, none of which repeats anything',
  'src/ground/plain/redactor.ts':
    'an alternation of the spellings of configured secrets, none of which repeats anything',
  'src/launch/beaten.ts': 'a fixed word, and blanks behind it, in files of whoever launches',
  'src/protocol/answer-headers.ts': 'an alternation of names of headers, none of which repeats anything',
  'src/protocol/paths.ts': 'routes',
  'src/simulator/pattern.ts': 'patterns of schemas; those that could backtrack are not run',
  'src/simulator/plan.ts': 'a fixed word between two single characters',
  'src/migrate/plain/called.ts': 'paths of dialects, in which one name stands between fixed words',
  'translators/wire/carrier.ts': 'an alternation of fixed words, none of which repeats anything',
};

interface Found {
  readonly name: string;
  readonly pattern: RegExp;
}

interface Source {
  readonly file: string;
  readonly patterns: RegExp[];
  made: boolean;
}

const SOURCES: readonly Source[] = ['src', 'translators'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => read(join(entry.parentPath, entry.name))),
);

function read(path: string): Source {
  const source: Source = { file: relative(root, path), patterns: [], made: false };
  visit(parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', target: 'es2022' }), source);
  return source;
}

function visit(node: unknown, source: Source): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'RegExpLiteral' && 'pattern' in node && 'flags' in node) {
    source.patterns.push(new RegExp(String(node.pattern), String(node.flags)));
  }
  if ('type' in node && (node.type === 'NewExpression' || node.type === 'CallExpression') && 'callee' in node) {
    const { callee } = node;
    if (typeof callee === 'object' && callee !== null && 'value' in callee && callee.value === 'RegExp') {
      source.made = true;
    }
  }
  for (const child of Object.values(node)) visit(child, source);
}

const PATTERNS: readonly Found[] = [
  ...SOURCES.filter(({ file }) => !OPERATOR.test(file)).flatMap(({ file, patterns }) =>
    patterns.map((pattern) => ({ name: `${file} ${pattern}`, pattern })),
  ),
  ...routes.map(({ path, pattern }) => ({ name: `route ${path} ${pattern}`, pattern })),
];

/** What is repeated: each character that patterns treat in a way of its own, and mixtures of them. */
const UNITS = [
  ...'/:aA0 \t\n\r"\'\\=-.,;{[(_%+&?#~$^<é',
  ...'/: :a /a a/ a. a- 0. 1m \\" "a [a .a [0] [\' =" // :: /:a /a: http:// ?key='.split(' '),
  ...['a ', ' a', '\n ', ', ', ' ;', ': ', 'Ab ', '\r\n'],
];

/** The fixed words of a pattern, in their order. */
function wordsOf({ source }: RegExp): readonly string[] {
  return source
    .replace(/\[(?:\\.|[^\]\\])*\]|\(\?[:=!]|\(\?<[=!]|\\[bBdDsSwWpP](?:\{\w+\})?|\{\d*,?\d*\}/g, '\0')
    .replace(/\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})/g, (_all, long, short) =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    )
    .replace(/\\([^a-zA-Z0-9])|[*+?()|^$.]/g, (_all, plain) => plain ?? '\0')
    .split('\0')
    .filter((word) => word !== '');
}

/** Just too little for a repetition that has a least number. */
function tooFew({ source }: RegExp): readonly string[] {
  return [...source.matchAll(/\{(\d+),\}/g)].map(([, least]) => `${'a'.repeat(Number(least) - 1)} `);
}

/** Texts on which patterns that backtrack take long: nearly matched, and then not. */
function* hostile(pattern: RegExp): Generator<(length: number) => string> {
  const words = wordsOf(pattern);
  const units = new Set([...UNITS, ...tooFew(pattern), ...words.flatMap((word) => [word, `${word} `, `${word}a`])]);
  const heads = new Set(['', ...words, ...words.map((_word, index) => words.slice(0, index + 1).join(''))]);
  for (const head of heads) {
    for (const unit of units) {
      for (const tail of ['', '\u0001!']) {
        yield (length) => head + unit.repeat(Math.ceil((length - head.length) / unit.length)) + tail;
      }
    }
  }
}

function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
}

function isSlow(pattern: RegExp, text: (length: number) => string): boolean {
  const whole = text(LENGTH);
  // A first look, for which the clock is good enough: what was quick once is quick.
  for (let look = 0; look < 5; look += 1) {
    const before = performance.now();
    run(pattern, whole);
    if (performance.now() - before <= SOON_MS) return false;
  }
  return (
    growthOf((entries) => {
      const some = text(60 * entries);
      return () => run(pattern, some);
    }) >= MOST_GROWTH
  );
}

describe('No pattern takes long on a text that is made to slow it down', () => {
  it('knows all patterns that are made at run time', () => {
    expect(
      SOURCES.filter(({ made, file }) => made && !OPERATOR.test(file))
        .map(({ file }) => file)
        .sort(),
    ).toEqual(Object.keys(MADE).sort());
    expect(PATTERNS.length).toBeGreaterThan(300);
  });

  for (const { name, pattern } of PATTERNS) {
    it(name, () => {
      for (const text of hostile(pattern)) {
        if (isSlow(pattern, text)) throw new Error(`slow on ${JSON.stringify(text(60).slice(0, 60))}`);
      }
    });
  }
});
