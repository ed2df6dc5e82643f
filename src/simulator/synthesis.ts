import { fits, samplePattern } from './pattern.js';
import { type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from './rules/index.js';

/** Hands out words of a prompt, the telling ones first, and starts again when they are used up. */
export type WordSource = () => string;

/** Words of a prompt in the order of their worth: quoted ones, names, long words. `skip` are words without content, such as the names of tools. */
export function wordsOf(prompt: string, skip: readonly string[] = []): WordSource {
  const quoted = Array.from(prompt.matchAll(/["“']([^"“”']{1,60})["”']/g), (match) => match[1] ?? '');
  const names = prompt.match(/(?<=[^\s.!?:]\s)\p{Lu}[\p{L}\p{N}-]*/gu) ?? [];
  const long = prompt.match(/\p{L}{4,}/gu) ?? [];
  const words = [...new Set([...quoted, ...names, ...long])].filter(
    (word) => !skip.some((name) => name.includes(word)),
  );
  let at = 0;
  return () => {
    const word = words[at % Math.max(words.length, 1)] ?? 'example';
    at += 1;
    return word;
  };
}

/** How deep optional content is followed; beyond it the shortest valid value is taken, which ends recursive schemas. */
const DEPTH = 6;
/** How deep and how far a schema is followed that has no shortest value, or takes too long to find it. */
const MOST_DEPTH = 200;
const MOST_STEPS = 20_000;

/** A value that is valid for a schema: required properties, first enum value, lowest numbers, words of the prompt. */
export function synthesise(schema: JsonObject, words: WordSource): unknown {
  return valueFor(schema, { root: schema, words, depth: 0, index: 0, budget: { steps: MOST_STEPS } });
}

interface Site {
  readonly root: JsonObject;
  readonly words: WordSource;
  readonly depth: number;
  /** Index in a list, so that its entries differ. */
  readonly index: number;
  /** What is left for the whole value. */
  readonly budget: { steps: number };
}

function valueFor(given: unknown, site: Site): unknown {
  const schema = resolve(given, site);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[site.index % schema.enum.length];
  const branches = objectsOf(schema.anyOf ?? schema.oneOf);
  if (branches.length > 0) return valueFor(chooseBranch(branches, schema, site), deeper(site));
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(schema, site);
    case 'array':
      return listFor(schema, site);
    case 'integer':
    case 'number':
      return numberFor(schema, site.index);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return stringFor(schema, site.words);
  }
}

function deeper(site: Site, index = site.index): Site {
  return { ...site, depth: site.depth + 1, index };
}

function chooseBranch(branches: readonly JsonObject[], schema: JsonObject, site: Site): JsonObject {
  const plain = branches.find((branch) => typeOf(branch) === 'null');
  const chosen = site.depth > DEPTH && plain ? plain : branches[0];
  const { anyOf: _anyOf, oneOf: _oneOf, ...siblings } = schema;
  return merge(resolve(chosen, site), siblings);
}

function resolve(given: unknown, site: Site): JsonObject {
  site.budget.steps -= 1;
  if (site.budget.steps < 0 || site.depth > MOST_DEPTH) return {};
  let schema = objectOf(given);
  for (let hops = 0; hops < 20 && typeof schema.$ref === 'string'; hops += 1) {
    const { $ref, ...siblings } = schema;
    schema = merge(objectOf(lookUp(stringOf($ref), site.root)), siblings);
  }
  const { allOf, ...rest } = schema;
  return objectsOf(allOf).reduce<JsonObject>((all, part) => merge(resolve(part, deeper(site)), all), rest);
}

function lookUp(reference: string, root: JsonObject): unknown {
  const keys = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return keys.reduce<unknown>(
    (node, key) => objectOf(node)[decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~')],
    root,
  );
}

function merge(base: JsonObject, over: JsonObject): JsonObject {
  return {
    ...base,
    ...over,
    ...(base.properties || over.properties
      ? { properties: { ...objectOf(base.properties), ...objectOf(over.properties) } }
      : {}),
    ...(base.required || over.required
      ? { required: [...new Set([...stringsOf(base.required), ...stringsOf(over.required)])] }
      : {}),
  };
}

function typeOf(schema: JsonObject): string {
  const named = Array.isArray(schema.type) ? stringsOf(schema.type).find((type) => type !== 'null') : schema.type;
  if (typeof named === 'string') return named.toLowerCase();
  if (schema.properties || schema.required) return 'object';
  if (schema.items || schema.prefixItems) return 'array';
  return 'string';
}

function objectFor(schema: JsonObject, site: Site): JsonObject {
  const properties = objectOf(schema.properties);
  const required = stringsOf(schema.required);
  const [first] = Object.keys(properties);
  const names = required.length > 0 || first === undefined || site.depth > DEPTH ? required : [first];
  const entries = names.map((name) => [name, valueFor(properties[name], deeper(site, 0))] as const);
  for (let count = entries.length; count < (numberOf(schema.minProperties) ?? 0); count += 1) {
    entries.push([`key${count + 1}`, valueFor(schema.additionalProperties, deeper(site, count))]);
  }
  return Object.fromEntries(entries);
}

function listFor(schema: JsonObject, site: Site): unknown[] {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const most = numberOf(Number(schema.maxItems ?? Number.MAX_SAFE_INTEGER)) ?? Number.MAX_SAFE_INTEGER;
  const least = Math.min(Number(schema.minItems ?? 0), MOST_ITEMS);
  const count = Math.min(Math.max(least, fixed.length, site.depth > DEPTH ? 0 : 1), most);
  return Array.from({ length: count }, (_entry, index) =>
    valueFor(index < fixed.length ? fixed[index] : schema.items, deeper(site, index)),
  );
}

function numberFor(schema: JsonObject, index: number): number {
  const step = numberOf(schema.multipleOf) ?? 1;
  const above = numberOf(schema.exclusiveMinimum);
  const lowest = numberOf(schema.minimum) ?? (above === undefined ? undefined : above + Number.EPSILON);
  let value = Math.max(1, lowest ?? 1);
  value = Math.ceil(value / step) * step;
  if (above !== undefined && value <= above) value += step;
  value += index * step;
  const highest = numberOf(schema.maximum);
  const below = numberOf(schema.exclusiveMaximum);
  if (highest !== undefined && value > highest) return highest;
  if (below !== undefined && value >= below)
    return typeOf(schema) === 'integer' ? below - step : below - Math.abs(below) / 1e6;
  return value;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  email: 'someone@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};

/** The most that a schema gets of what it demands. */
const MOST_CHARACTERS = 100_000;
const MOST_ITEMS = 1000;

function stringFor(schema: JsonObject, words: WordSource): string {
  const format = FORMATS[stringOf(schema.format)];
  const least = Math.min(Number(schema.minLength ?? 0), MOST_CHARACTERS);
  const most = Number(schema.maxLength ?? Number.MAX_SAFE_INTEGER);
  const plain = format ?? words().padEnd(least, 'x').slice(0, most);
  if (typeof schema.pattern !== 'string') return plain;
  const { pattern } = schema;
  return [plain, ...Object.values(FORMATS)].find((text) => fits(pattern, text)) ?? samplePattern(pattern) ?? plain;
}
