import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Command as Parser } from 'commander';
import { COMMANDS } from '../../src/cli/commands.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** docs/cli.md has a section for each command, which names its options. */

const page = readFileSync(join(PACKAGE_ROOT, 'docs/cli.md'), 'utf8');
const sections = new Map(page.split('\n## ').map((text) => [text.split('\n')[0], text]));

test.each(COMMANDS.map(({ name }) => name))('%s', async (name) => {
  const command = await COMMANDS.find((one) => one.name === name)?.load();
  const parser = new Parser(name);
  command?.describe(parser);
  const text = `${sections.get(name)}${name === 'translate' ? sections.get('Batch files') : ''}`;
  expect(page).toContain(`| [\`${name}\`](#${name}) |`);
  expect(text).toContain(`interlingua ${name}`);
  const missing = parser.options.filter(({ long }) => long && !new RegExp(`${long}\\b`).test(text));
  expect(missing.map(({ long }) => long)).toEqual([]);
});
