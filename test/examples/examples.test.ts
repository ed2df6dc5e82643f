import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/index.js';
import { commandLinesOf, takeCommandLine } from '../support/command-lines.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** What holds for every example without running it; the other files of this folder run them. */

const FOLDER = join(PACKAGE_ROOT, 'examples');
const examples = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const read = (...path: string[]): string => readFileSync(join(FOLDER, ...path), 'utf8');

describe.each(examples)('%s', (name) => {
  test('has a short README, a line in the table, and a test that names it', () => {
    expect(read(name, 'README.md').trim().split('\n').length).toBeLessThanOrEqual(20);
    expect(read('README.md')).toContain(`](${name}/README.md)`);
    const here = join(PACKAGE_ROOT, 'test/examples');
    const others = readdirSync(here).filter((file) => file !== 'examples.test.ts');
    const tests = others.map((file) => readFileSync(join(here, file), 'utf8'));
    expect(tests.some((text) => text.includes(`'${name}'`))).toBe(true);
  });
});

const lines = examples.flatMap((name) =>
  [...read(name, 'README.md').matchAll(/^npx interlingua .*$/gm)].flatMap(([text]) => commandLinesOf(text)),
);
test.each(lines)('the program takes a command line: $line', ({ words }) => takeCommandLine(words));

const configured = examples.filter((name) => existsSync(join(FOLDER, name, 'interlingua.yaml')));
test.each(configured)('the configuration of %s is valid', (name) => {
  const text = read(name, 'interlingua.yaml');
  const variables = Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => [variable, 'a-key']),
  );
  const { models } = loadConfig(join(FOLDER, name, 'interlingua.yaml'), variables);
  expect(Object.keys(models)).not.toEqual([]);
});

test('the examples in Python need what the clients of Python are tested with', () => {
  const tested = readFileSync(join(PACKAGE_ROOT, 'test/clients/python/requirements.txt'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\[.*\]/, ''));
  const needed = examples
    .filter((name) => existsSync(join(FOLDER, name, 'requirements.txt')))
    .flatMap((name) => read(name, 'requirements.txt').trim().split('\n'));
  expect(needed.length).toBeGreaterThanOrEqual(3);
  expect(needed.filter((line) => !tested.includes(line.replace(/\[.*\]/, '')))).toEqual([]);
});
