import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');

/** What the program may say; the lines about configurations are put together, as a test of theirs shows. */
const sources = ['src', 'translators', 'test/config/mistakes.test.ts'].flatMap((name) =>
  name.endsWith('.ts')
    ? [name]
    : readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(name, file)),
);
/** Texts as they are printed: backticks, quotes and dollars without the backslash that source code needs. */
const texts = sources.map((file) => readFileSync(join(root, file), 'utf8').replace(/\\([`'$])/g, '$1'));

/** The quoted text in the first cell of each row. */
const quoted = [...page.matchAll(/^\| (?:`` ?(.+?) ?``|`([^`]+)`) \|/gm)].map(
  ([, double, single]) => double ?? single ?? '',
);

/** What stands between the dynamic parts, which are written as `…`. */
function fixedParts(text: string): string[] {
  return text
    .split('…')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

describe('the page of error texts', () => {
  test.each(quoted)('the program still says: %s', (text) => {
    const parts = fixedParts(text);
    expect(texts.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
  });

  test('quotes many texts, each once', () => {
    expect(quoted.length).toBeGreaterThan(120);
    expect(quoted.filter((text, index) => quoted.indexOf(text) !== index)).toEqual([]);
  });
});
