import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const folder = dirname(fileURLToPath(import.meta.url));

/** What the first lines of a file say that it holds. */
function findingsOf(text: string): string[] {
  return [...text.matchAll(/attacks\.md findings? ((?:\d+(?:, | and )?)+)/g)].flatMap(
    ([, list = '']) => list.match(/\d+/g) ?? [],
  );
}

test('Each finding of attacks.md has a test file here that names it', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:test|long)\.ts$/.test(name),
  );
  const named = new Set(files.flatMap((name) => findingsOf(readFileSync(join(folder, name), 'utf8'))));
  const missing = Array.from({ length: 20 }, (_, index) => String(index + 1)).filter((number) => !named.has(number));
  expect(missing).toEqual([]);
});
