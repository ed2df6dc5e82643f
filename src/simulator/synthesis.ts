import { fits, samplePattern } from './pattern.js';
import { type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from './rules/index.js';

/** How deep optional content is followed; beyond it the shortest valid value is taken, which ends recursive schemas. */
const DEPTH = 6;
/** How deep and how far a schema is followed that has no shortest value, or takes too long to find it. */
const MOST_DEPTH = 200;
const MOST_STEPS = 20_000;

/**
 * A value that is valid for a schema, and does no harm to those whose program acts on it: required properties, lowest numbers, `false`,
 * fixed texts. It follows from the schema alone: what a prompt says never becomes a command or a name of a file.
 */
export function synthesise(schema: JsonObject): unknown {
  return valueFor(schema, { root: schema, name: '', depth: 0, index: 0, listed: false, budget: { steps: MOST_STEPS } });
}

interface Site {
  readonly root: JsonObject;
  /** The nearest property that it belongs to; '' = none. */
  readonly name: string;
  readonly depth: number;
  /** Index in a list, so that its entries differ. */
  readonly index: number;
  /** Whether it is an entry of a list itself. */
  readonly listed: boolean;
  /** What is left for the whole value. */
  readonly budget: { steps: number };
}

function valueFor(given: unknown, site: Site): unknown {
  const schema = resolve(given, site);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return choose(schema.enum, wordOf, site.index);
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
      return PREVIEW.test(site.name);
    case 'null':
      return null;
    default:
      return stringFor(schema, site);
  }
}

/** Words for deeds that a tool might have to choose from, and that a simulator had better not choose. */
const HARM =
  /(?:^|[^a-z])(?:clear|delet|deploy|destroy|discard|drop|eras|force|format|kill|merge|overwrit|pay|publish|purge|push|reboot|remov|reset|revoke|rm|send|shutdown|terminat|transfer|unlink|update|wip|write)/i;

/** Switches that hold deeds back. */
const PREVIEW = /^(?:dry|preview|simulat|read_?only)/i;

/** So many of the choices of a schema are weighed; it may have thousands, in each of thousands of places. */
const MOST_WEIGHED = 50;

/** One of at least one choice, the first for index 0. Those whose words speak of harm come last. */
function choose<Choice>(
  choices: readonly Choice[],
  wordsOf: (choice: Choice) => string,
  index: number,
): Choice | undefined {
  const at = index % choices.length;
  if (at >= MOST_WEIGHED) return choices[at];
  const weighed = choices.slice(0, MOST_WEIGHED);
  const harms = weighed.map((choice) => HARM.test(wordsOf(choice)));
  return [...weighed.filter((_choice, each) => !harms[each]), ...weighed.filter((_choice, each) => harms[each])][at];
}

function wordOf(choice: unknown): string {
  return typeof choice === 'string' ? choice : '';
}

/** What a branch fixes, by which branches are told from each other. */
function fixedIn({ const: own, properties }: JsonObject): string {
  const members = Object.values(objectOf(properties)).map((member) => objectOf(member).const);
  return [own, ...members].map(wordOf).join(' ');
}

function deeper(site: Site, index = site.index): Site {
  return { ...site, depth: site.depth + 1, index };
}

function chooseBranch(branches: readonly JsonObject[], schema: JsonObject, site: Site): JsonObject {
  const plain = branches.find((branch) => typeOf(branch) === 'null');
  const chosen = site.depth > DEPTH && plain ? plain : choose(branches, fixedIn, 0);
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
  const entries = names.map(
    (name) => [name, valueFor(properties[name], { ...deeper(site, 0), name, listed: false })] as const,
  );
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
    valueFor(index < fixed.length ? fixed[index] : schema.items, { ...deeper(site, index), listed: true }),
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

/** What is said where a text may be run. */
export const HARMLESS_COMMAND = 'echo hello';

/**
 * Texts by what the names of properties say they are for. As a command it greets; no such folder is on any machine, and only
 * administrators could make it.
 */
const TEXTS: readonly (readonly [name: RegExp, texts: readonly [first: string, next: string]])[] = [
  [/path|file|folder|director|cwd/i, ['/nonexistent/hello.txt', '/nonexistent/hello']],
  [/cmd|command|(?:^|_)(?:script|shell|exec|bash)/i, [HARMLESS_COMMAND, HARMLESS_COMMAND]],
  [/ur[il]|link|href/i, ['https://example.org/', 'https://example.org/hello']],
];
const GREETING = ['hello', 'hello'] as const;

/** The fixed text of a place. Entries of a list differ; those of a list of commands are words of one. */
function textAt({ name, index, listed }: Site): string {
  const [, [first, next]] = TEXTS.find(([pattern]) => pattern.test(name)) ?? ['', GREETING];
  if (listed && first === HARMLESS_COMMAND) return index === 0 ? 'echo' : index === 1 ? 'hello' : `hello ${index}`;
  return index === 0 ? first : `${next} ${index + 1}`;
}

function stringFor(schema: JsonObject, site: Site): string {
  const format = FORMATS[stringOf(schema.format)];
  const least = Math.min(Number(schema.minLength ?? 0), MOST_CHARACTERS);
  const most = Number(schema.maxLength ?? Number.MAX_SAFE_INTEGER);
  const plain = format ?? textAt(site).padEnd(least, 'x').slice(0, most);
  if (typeof schema.pattern !== 'string') return plain;
  const { pattern } = schema;
  return [plain, ...Object.values(FORMATS)].find((text) => fits(pattern, text)) ?? samplePattern(pattern) ?? plain;
}
