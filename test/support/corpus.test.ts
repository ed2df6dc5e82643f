import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const TESTS = join(import.meta.dirname, '..');

/** What opens a file or a folder that is named beside the project. */
const BESIDE = /\.\.\/shared\b|'\.\.',(?: '\.\.',)* 'shared'/;

/** The one place that reads them, and the one that hands their place on to another checkout. */
const MAY = ['support/corpus.ts', 'probe/dialect.mjs'];

test('the folder of the recorded exchanges is known in one place, which hides it where it is asked to', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs|cjs)$/.test(name) && !name.includes('node_modules'))
    .filter((name) => BESIDE.test(readFileSync(join(TESTS, name), 'utf8')));
  expect(files.sort()).toEqual([...MAY].sort());
});
