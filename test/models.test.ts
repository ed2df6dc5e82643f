import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { dialects } from '../translators/dialects.js';
import { FAMILY_SOURCES, HOST_SOURCES } from './support/models/host-sources.js';
import { installedLists, type ModelLists } from './support/models/lists.js';
import { marksOf, namesWithoutRow } from './support/models/marks.js';
import { modelsPage } from './support/models/page.js';
import { sourcedFamilies, sourcedTables } from './support/models/rows.js';
import { GENERATE_CONTENT_SOURCES, MESSAGES_SOURCES, RESPONSES_SOURCES } from './support/models/sources.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(root, 'docs/models.md');

const tables = sourcedTables();
const [claude] = tables;
if (claude === undefined) throw new Error('no table');

function rowOf(name: string) {
  const row = claude?.rowOf(name);
  if (row === undefined) throw new Error(`no row of ${name}`);
  return row;
}

function lists({
  sdk = [],
  priced = [],
}: {
  sdk?: readonly string[];
  priced?: ReturnType<ModelLists['priced']>;
}): ModelLists {
  return { sdk: () => sdk, priced: () => priced };
}

describe('the sources of the profiles', () => {
  test('docs/models.md is the tables; UPDATE=1 writes it', () => {
    if (process.env.UPDATE === '1') writeFileSync(PAGE, modelsPage());
    else expect(readFileSync(PAGE, 'utf8')).toBe(modelsPage());
  });

  test('every source is of a row, and names an address and a day', () => {
    const rows = new Set([
      ...tables.flatMap(({ rows: all }) => all.map(({ source }) => source)),
      ...sourcedFamilies().map(({ source }) => source),
    ]);
    const sources = [
      MESSAGES_SOURCES,
      RESPONSES_SOURCES,
      GENERATE_CONTENT_SOURCES,
      FAMILY_SOURCES,
      ...Object.values(HOST_SOURCES),
    ].flatMap((table) => Object.values(table));
    for (const source of sources) {
      expect(rows).toContain(source);
      expect(source.page).toMatch(/^https:\/\/[\w.-]+\/\S+$/);
      expect(source.checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
    }
  });

  test('the package says no window that is less than the output of a row', () => {
    const installed = installedLists(root);
    const found = tables.flatMap((table) =>
      table.rows.flatMap((row) =>
        marksOf(row, table, installed, row.source.checked).filter((mark) => mark.includes('less than')),
      ),
    );
    expect(found).toEqual([]);
    expect(dialects.chatCompletions.target('gpt-4').maxOutput).toBeUndefined();
  });
});

describe('npm run models', () => {
  test('marks a row that is older than ninety days', () => {
    const row = { ...rowOf('claude-opus-5'), source: { page: 'https://vendor.test/page', checked: '2026-08-30' } };
    const table = { ...claude, rowOf: () => row };
    const names = lists({ sdk: ['claude-opus-5'] });
    expect(marksOf(row, table, names, '2026-11-28')).toEqual([]);
    expect(marksOf(row, table, names, '2026-11-29')).toEqual(['91 days old']);
  });

  test.each([
    ['the same window', { names: ['claude-opus-5'], window: 1_000_000 }, []],
    ['no window', { names: ['claude-opus-5'] }, []],
    ['a window of another row', { names: ['claude-sonnet-5'], window: 200_000 }, []],
    [
      'another',
      { names: ['claude-opus-5'], window: 500_000 },
      ['the package says a window of 500000 for claude-opus-5'],
    ],
    [
      'one below the largest output',
      { names: ['claude-opus-5'], window: 100_000 },
      [
        'the package says a window of 100000 for claude-opus-5',
        'the package says a window of 100000 for claude-opus-5, less than its output',
      ],
    ],
  ])('marks what the package contradicts: %s', (_, entry, marks) => {
    const row = rowOf('claude-opus-5');
    const names = lists({ sdk: ['claude-opus-5'], priced: [entry] });
    expect(marksOf(row, claude, names, row.source.checked)).toEqual(marks);
  });

  test('marks rows whose names are gone, and lists names without a row', () => {
    const row = rowOf('claude-2');
    const names = lists({ sdk: ['claude-opus-5-20260724', 'claude-opus-7'] });
    expect(marksOf(row, claude, names, row.source.checked)).toEqual(['in no list of names']);
    expect(marksOf(rowOf('claude-opus-5'), claude, names, '2026-11-28')).toEqual([]);
    expect(namesWithoutRow(claude, names)).toEqual(['claude-opus-7']);
  });

  test('reads the names of the official clients, and the package', () => {
    const { sdk, priced } = installedLists(root);
    expect(sdk('openai')).toEqual(expect.arrayContaining(['gpt-5.5', 'o3-pro']));
    expect(sdk('anthropic')).toContain('claude-opus-5');
    expect(sdk('google')).toContain('gemini-2.5-pro');
    const entry = priced('https://api.openai.com').find(({ names }) => names.includes('gpt-5.5-2026-04-23'));
    expect(entry?.names).toContain('gpt-5.5');
    expect(entry?.window).toBeGreaterThan(0);
    expect(priced('https://nobody.test')).toEqual([]);
  });

  test('prints every row with its age, and what has none', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'test/models.mjs')]);
    const lines = stdout.split('\n');
    for (const { title, rows } of tables)
      for (const { prefix, source } of rows)
        expect(
          lines.some(
            (line) =>
              line.includes(title) &&
              / \d+ d /.test(line) &&
              line.includes(` ${prefix} `) &&
              line.includes(source.page),
          ),
        ).toBe(true);
    expect(stdout).toContain(`${tables.flatMap(({ rows }) => rows).length + sourcedFamilies().length} rows`);
    expect(stdout).toMatch(/^OpenAI, responses: .*gpt-/m);
  });
});
