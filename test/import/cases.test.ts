import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../src/config/index.js';
import { type Imported, importConfig, lineOf, SOURCES } from '../../src/import/index.js';
import { type Block, type CaseFile, loadCases, replaceBlocks } from '../support/cases.js';

/** Configurations of other gateways, and what is made of them (migration.md). `UPDATE=1` writes the expected blocks. */

const CASES = loadCases(fileURLToPath(new URL('cases', import.meta.url)));

function blockOf({ name, blocks }: CaseFile, fits: (block: Block) => boolean): Block {
  const found = blocks.find(fits);
  if (found === undefined) throw new Error(`${name} lacks a block`);
  return found;
}

function made(file: CaseFile): Imported {
  const { attributes, lang, text } = blockOf(file, ({ attributes: { source } }) => source !== undefined);
  const source = SOURCES.find((one) => one === attributes.source);
  if (source === undefined) throw new Error(`${file.name} is of no gateway`);
  return importConfig(source, text, `config.${lang}`);
}

const linesOf = ({ notes }: Imported): string =>
  notes.map((note) => `${note.kind.padEnd(8)}  ${lineOf(note)}`).join('\n');

describe('what is made of the configuration of another gateway', () => {
  test.each(CASES.map((file) => [file.name, file] as const))('%s', (_name, file) => {
    const imported = made(file);
    const expected = blockOf(file, ({ words }) => words.has('file'));
    const list = blockOf(file, ({ lang }) => lang === 'list');
    if (process.env.UPDATE === '1') {
      const written = new Map([
        [expected, imported.text.trimEnd()],
        [list, linesOf(imported)],
      ]);
      writeFileSync(file.path, replaceBlocks(readFileSync(file.path, 'utf8'), written));
    } else expect([imported.text.trimEnd(), linesOf(imported)]).toEqual([expected.text, list.text]);
  });

  test.each(CASES.map((file) => [file.name, file] as const))(
    '%s: starts with its variables set, and holds no secret',
    (_name, file) => {
      const { text, variables, notes, config } = made(file);
      const environment = Object.fromEntries(
        variables.map((name) => [name, /BASE$/.test(name) ? 'http://127.0.0.1:9' : 'a-key-that-is-long-enough']),
      );
      const started = configOf({ name: 'f', path: '/f', text }, environment);
      expect(Object.keys(started.models)).toEqual(Object.keys(config.models ?? {}));
      expect(`${text}${JSON.stringify([notes, config])}`).not.toMatch(
        /canary|password-|another-password|your[-_](?:secret|password)|user:secret/,
      );
    },
  );
});
