import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import { stable } from './json.js';

/** Values on which two schemas are held against each other; they fit the schemas of tools.ts and miss them by little. */
const SAMPLES: readonly unknown[] = [
  {},
  { city: 'x' },
  { city: 'x', n: 1 },
  { city: 'x', n: 1, more: true },
  { city: null },
  { city: 1 },
  { n: 0 },
  { n: 3 },
  { n: 1.5 },
  { tags: [] },
  { tags: ['a'] },
  { tags: ['z'] },
  { u: null },
  { u: 'x' },
  { tree: {} },
  { tree: { kid: { kid: { kid: { kid: { kid: 1 } } } } } },
  { tree: { other: 1 } },
  { a: 'x' },
  { a: 1 },
  { b: {} },
  { a: 'x', b: 1 },
  { k: 1 },
  { k: 2 },
  { k: 3 },
  { more: 1 },
  { more: 'x' },
  [],
  ['x'],
  [1],
  'x',
  'z',
  1,
  null,
];

/** Whether `y` holds what `x` describes in an object, under `value` (translation.md 3.4). */
export function isWrapped(x: JsonObject | undefined, y: JsonObject | undefined): boolean {
  return hasValue(y) && !hasValue(x);
}

function hasValue(schema: JsonObject | undefined): boolean {
  const { properties } = schema ?? {};
  return typeof properties === 'object' && properties !== null && 'value' in properties;
}

const verdicts = new Map<string, 'equal' | 'alike' | 'different'>();

/** Whether two schemas are the same, differ in words only, or let different values through. Absent = any object. */
export function compareSchemas(
  x: JsonObject | undefined,
  y: JsonObject | undefined,
  of: 'arguments' | 'answer',
): 'equal' | 'alike' | 'different' {
  const a = x ?? (of === 'answer' ? {} : { type: 'object' });
  const b = y ?? (of === 'answer' ? {} : { type: 'object' });
  const key = `${of}${stable(a)}${stable(b)}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const verdict = stable(a) === stable(b) ? 'equal' : judged(a, b, of);
  verdicts.set(key, verdict);
  return verdict;
}

function judged(a: JsonObject, b: JsonObject, of: 'arguments' | 'answer'): 'alike' | 'different' {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  const first = ajv.compile(withoutName(a));
  const second = ajv.compile(withoutName(b));
  const samples = of === 'answer' ? SAMPLES : SAMPLES.filter(isObject);
  return samples.every((sample) => first(sample) === second(sample)) ? 'alike' : 'different';
}

function withoutName({ $schema: _schema, ...rest }: JsonObject): JsonObject {
  return rest;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
