import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

test('a bundle for browsers runs where there are web standards only', async () => {
  const script = join(root, 'test/support/bundle/bare.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const url = 'https://api.anthropic.com/v1/messages';
  expect(JSON.parse(stdout)).toEqual({
    sent: [
      [url, 'key', 'claude-haiku-4-5'],
      [url, 'key', 'claude-haiku-4-5'],
      [`${url}/count_tokens`, 'key', 'claude-haiku-4-5'],
    ],
    text: 'Hi.',
    broken: 502,
    estimate: 'true',
    tokens: expect.any(Number),
  });
}, 120_000);

test('what Node.js loads of it imports nothing of Node.js', () => {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const load = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, name = ''] of code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"();]*?["']([^"']+)["']/g)) {
      if (name.startsWith('.')) load(join(dirname(file), name));
      else packages.add(name);
    }
  };
  load(join(root, 'dist/src/fetch/node.js'));
  expect(seen.size).toBeGreaterThan(1);
  expect([...packages].filter((name) => !/^(?:@noble\/hashes|fflate)/.test(name))).toEqual([]);
});
