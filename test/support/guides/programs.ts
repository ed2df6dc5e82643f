import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DialectId } from '../../../translators/index.js';
import { parseCase } from '../cases.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../fake-backend/index.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { crossPairsOf } from '../pairs.js';
import { tablesIn } from '../tables.js';

const FILE = join(PACKAGE_ROOT, 'test/support/guides/programs.md');

const SERVICES = new Map(tablesIn(FILE).Services?.map((row) => [row.dialect ?? '', row]));
const { blocks } = parseCase('programs', FILE, readFileSync(FILE, 'utf8'));

/** What programs.md tells of the service of a dialect: a cell of its row. */
export function shown(dialect: FakeDialectName, column: string): string {
  return SERVICES.get(dialect)?.[column] ?? '';
}

function textOf(dialect: FakeDialectName, word: 'gateway' | 'program'): string {
  const block = blocks.find(({ heading, words }) => heading === dialect && words.has(word));
  if (block === undefined) throw new Error(`programs.md has no ${word} of ${dialect}`);
  return block.text;
}

/** The pairs that have a guide. */
export const GUIDED = crossPairsOf(FAKE_DIALECTS);

/** The program of a dialect, for its vendor's own service or through the gateway. */
export function programOf(dialect: FakeDialectName, through: 'vendor' | 'gateway'): string {
  const program = `${textOf(dialect, 'program')}\n`;
  return through === 'vendor'
    ? program
    : program.replace(/^const client = .*$/m, `const client = ${textOf(dialect, 'gateway')};`);
}

/** The configuration with which a gateway has models of one dialect behind the names of another's. */
export function configurationOf(from: FakeDialectName, to: FakeDialectName): string {
  return `backends:
  target: { dialect: ${to}, baseUrl: ${shown(to, 'baseUrl')}, apiKey: "\${${shown(to, 'key')}}" }
models:
  "${shown(from, 'pattern')}": { backend: target, model: ${shown(to, 'model')} }
`;
}

/** A dialect's id in the letters of file names. */
export function fileNameOf(from: DialectId, to: DialectId): string {
  const name = (id: DialectId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${name(from)}-to-${name(to)}.md`;
}
