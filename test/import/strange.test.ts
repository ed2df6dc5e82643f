import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ImportError, importConfig, SOURCES } from '../../src/import/index.js';
import { loadCases } from '../support/cases.js';

/** Files that are not as documented: each gives a file, or one line that says why not, and never a secret. */

const SEED = Number(process.env.LAW_SEED ?? 7);

/** Numbers from 0 to below 1, the same for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const STRANGE = [
  null,
  true,
  0,
  -1,
  1e99,
  '',
  ' ',
  '__proto__',
  'os.environ/',
  `$${'{X}'}`,
  '$X',
  'http://',
  'a/b/c',
  [],
  {},
  [[null]],
  { a: { b: [1] } },
];

/** A copy in which some values, and names of members, are others. */
function mutated(value: unknown, random: () => number): unknown {
  if (random() < 0.06) return STRANGE[Math.floor(random() * STRANGE.length)];
  if (Array.isArray(value)) return value.flatMap((item) => (random() < 0.04 ? [] : [mutated(item, random)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
      if (random() < 0.03) return [];
      return [[random() < 0.03 ? `__${name}__` : name, mutated(item, random)]];
    }),
  );
}

const FILES = loadCases(fileURLToPath(new URL('cases', import.meta.url))).map(({ name, blocks }) => {
  const block = blocks.find(({ attributes }) => attributes.source !== undefined);
  const source = SOURCES.find((one) => one === block?.attributes.source);
  if (source === undefined || block === undefined) throw new Error(`${name} has no source`);
  const text = block.text.replaceAll(/^\s*\/\/.*$/gm, '');
  return [name, source, parse(text)] as const;
});

test.each(FILES)(`%s with mutations (seed ${SEED})`, (_name, source, value) => {
  const random = createRandom(SEED);
  let served = 0;
  for (let run = 0; run < 60; run++) {
    const text = JSON.stringify(mutated(value, random));
    try {
      const made = importConfig(source, text, 'f');
      expect(JSON.stringify(made)).not.toContain('canary');
      served += 1;
    } catch (error) {
      if (!(error instanceof ImportError)) throw new Error(`${text}\n${String((error as Error).stack)}`);
      expect(error.message).not.toMatch(/canary|\n/);
    }
  }
  expect(served).toBeGreaterThan(0);
});

test('the name of a file adds no line to what is made of it', () => {
  const { text } = importConfig('portkey', '{"provider":"openai"}', 'a\nlisten: { port: 1 }\r\u2028b');
  expect(text).toContain('# interlingua import portkey, made from a listen: { port: 1 }  b\n');
});
