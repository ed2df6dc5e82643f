import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { check } from '../../src/cli/check.js';
import { parseConfigFile, readConfigFile } from '../../src/config/source.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';
import { SHORT } from '../support/runs.js';

/** Configuration files that are large, or have no end (attacks.md finding 20). */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BACKENDS = { a: { dialect: 'messages', simulator: true } };

describe('a file', () => {
  test('without an end is refused in one line', () => {
    expect(() => readConfigFile('/dev/zero')).toThrow('/dev/zero: is larger than 16 MB');
  });

  test('may have as many bytes as the bound says', () => {
    const path = join(folder, 'sixteen.json');
    writeFileSync(path, ' '.repeat(16 * 1024 * 1024));
    expect(readConfigFile(path).text).toHaveLength(16 * 1024 * 1024);
    writeFileSync(path, ' '.repeat(16 * 1024 * 1024 + 1));
    expect(() => readConfigFile(path)).toThrow('is larger than 16 MB');
  });
});

describe('many models', () => {
  const MANY = SHORT ? 30_000 : 150_000;

  const yaml = (models: number): string => {
    const lines = Array.from(
      { length: models },
      (_, index) => `  model-${index}: { backend: a, model: real-${index} }`,
    );
    return `backends: { a: { dialect: messages, simulator: true } }\nmodels:\n${lines.join('\n')}\n`;
  };

  test('are read in time that is in line with their number', () => {
    const growth = growthOf((entries) => {
      const text = yaml(entries);
      return () => parseConfigFile({ name: 'many.yaml', path: 'many.yaml', text });
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test('are all shown by check', async () => {
    const models = Object.fromEntries(
      Array.from({ length: MANY }, (_, index) => [`model-${index}`, { backend: 'a', model: 'real' }]),
    );
    const path = join(folder, 'many.json');
    writeFileSync(path, JSON.stringify({ backends: BACKENDS, models }));
    const lines: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    try {
      expect(await check.run({ config: path }, [])).toBe(0);
    } finally {
      write.mockRestore();
    }
    expect(lines.filter((line) => line.includes('->'))).toHaveLength(MANY);
  });
});

test.each([
  ['losses: report\nkeys: []\nlosses: strict\n', '3:1'],
  ['backends:\n  a: { dialect: messages, dialect: responses }\n', '2:27'],
])('a key that stands twice is told with its place', (text, place) => {
  expect(() => parseConfigFile({ name: 'twice.yaml', path: 'twice.yaml', text })).toThrow(
    `twice.yaml:${place}: invalid YAML`,
  );
});
