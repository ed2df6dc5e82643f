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

test.each(['node.js', 'node/core.js', 'node/responses.js'])(
  'what Node.js loads of %s imports nothing of Node.js',
  (file) => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const load = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const code = readFileSync(path, 'utf8');
      for (const [, name = ''] of code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"();]*?["']([^"']+)["']/g)) {
        if (name.startsWith('.')) load(join(dirname(path), name));
        else packages.add(name);
      }
    };
    load(join(root, 'dist/src/fetch', file));
    expect(seen.size).toBeGreaterThan(1);
    expect([...packages].filter((name) => !/^(?:@noble\/hashes|fflate)/.test(name))).toEqual([]);
  },
);
