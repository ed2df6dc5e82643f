import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
import { describedPaths } from '../../src/config/descriptions.js';
import { configSchema, type JsonSchema } from '../../src/config/json-schema.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const FILE = join(root, 'config.schema.json');

const validate = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(configSchema());

test('the file in the package is what the configuration is checked with; UPDATE=1 writes it', () => {
  const text = `${JSON.stringify(configSchema(), null, 2)}\n`;
  if (process.env.UPDATE === '1') writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});

test('every key has a description for editors, and no description is of no key', () => {
  const found = new Map<string, unknown>();
  const visit = (one: JsonSchema, path: string): void => {
    const { properties = {}, additionalProperties, items, anyOf = [] } = one;
    for (const [key, value] of Object.entries(properties)) {
      const at = path === '' ? key : `${path}.${key}`;
      found.set(at.replace(/^(?:backends|models)\.profile\./, '*.profile.'), value.description);
      visit(value, at);
    }
    for (const inner of [additionalProperties, items, ...anyOf]) if (typeof inner === 'object') visit(inner, path);
  };
  visit(configSchema(), '');
  expect([...found].filter(([, text]) => typeof text !== 'string').map(([path]) => path)).toEqual([]);
  expect(describedPaths.filter((path) => !found.has(path))).toEqual([]);
});

/** The first line of a sample, for editors. */
const FIRST = /^# yaml-language-server: \$schema=\S*config\.schema\.json\n/;

const samples = [
  ...['README.md', 'docs/configuration.md', 'docs/operations.md', 'docs/simulator.md'].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, text = ''], index): [string, string] => [`${page} ${index}`, text],
    ),
  ),
  ...readdirSync(join(root, 'deploy'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name): [string, string] => [name, readFileSync(join(root, 'deploy', name), 'utf8')]),
].filter(([, text]) => /^backends:/m.test(text));

test.each(samples)('%s is valid, and names the schema in its first line', (_name, text) => {
  expect(text).toMatch(FIRST);
  const [document] = parseAllDocuments(text);
  expect([validate(document?.toJS()), validate.errors]).toEqual([true, null]);
});

test.each([
  [{ backends: { a: { dialect: 'messages', simulator: true } }, listen: { port: `\${PORT}` } }, true],
  [{ backends: { a: { dialect: `\${D}`, baseUrl: `\${U}` } }, $schema: './x.json' }, true],
  [{ backends: { a: { dialect: 'anthropic', baseUrl: 'http://a' } } }, false],
  [{ backend: {} }, false],
  [{ backends: { a: { preset: 'grok' } } }, false],
  [{ backends: { a: { preset: `\${P}` } } }, true],
  [{ backends: { a: { preset: 'groq', timeouts: { connect: '5s' } } } }, false],
])('%j: valid is %p', (value, wanted) => {
  expect(validate(value)).toBe(wanted);
});
