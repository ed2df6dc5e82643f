import { isObject, type Json, type JsonObject } from '../../translators/wire/json.js';
import { readData } from '../support/frames.js';

/** Random choices from one seed, so that a failure can be had again. */
export interface Dice {
  /** A number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item | undefined;
}

/** Dice of the mulberry32 generator. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] };
}

const DATA = readData('schema/instances.yaml');
const WORDS: readonly string[] = DATA.words.flat();
const FORMATTED: Readonly<Record<string, string>> = DATA.formatted;
const FITTING: readonly string[] = DATA.fitting.flat();
const SCALARS: readonly Json[] = [null, true, false, 0, 1, -3, 1.5, 60, ...WORDS];
const ANY: readonly Json[] = [...SCALARS, [], ['x'], [1], {}, { a: 'x' }];
const DEPTH = 12;

/** What is allowed at one place of a document whose references are resolved in `root`. */
interface Sampling {
  readonly root: JsonObject;
  readonly dice: Dice;
  /** How many of the optional properties are there: the same everywhere, so that some values are deep. */
  readonly share: number;
}

function follow(root: JsonObject, ref: string): Json | undefined {
  if (!ref.startsWith('#')) return undefined;
  let at: Json | undefined = root;
  for (const part of decodeURIComponent(ref.slice(1)).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const mapOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const numberOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

function put(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Two nodes that both apply, as one to sample from; where they cannot be merged the later wins. */
function both(left: JsonObject, right: Json | undefined): JsonObject {
  if (!isObject(right)) return left;
  const properties = { ...mapOf(left.properties) };
  for (const [name, schema] of Object.entries(mapOf(right.properties))) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    put(properties, name, isObject(known) && isObject(schema) ? { allOf: [known, schema] } : schema);
  }
  const required = [...new Set([...listOf(left.required), ...listOf(right.required)])];
  return {
    ...left,
    ...right,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const APPLIED = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']);

/** The node with one choice made at everything that leaves one: references followed, unions and conditions decided. */
function settled(sampling: Sampling, schema: Json | undefined, steps = 0): JsonObject {
  if (!isObject(schema) || steps > 12) return {};
  const { root, dice } = sampling;
  const settle = (child: Json | undefined) => settled(sampling, child, steps + 1);
  let node: JsonObject = Object.fromEntries(Object.entries(schema).filter(([key]) => !APPLIED.has(key)));
  if (typeof schema.$ref === 'string') node = both(node, settle(follow(root, schema.$ref)));
  for (const branch of listOf(schema.allOf)) node = both(node, settle(branch));
  for (const key of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[key]);
    if (branches.length > 0) node = both(node, settle(dice.pick(branches)));
    // What two branches accept tells `oneOf` from `anyOf`.
    if (key === 'oneOf' && branches.length > 1 && dice.chance(0.3)) node = both(node, settle(dice.pick(branches)));
  }
  if (isObject(schema.not) && dice.chance(0.2)) node = both(node, settle(schema.not));
  if (schema.if !== undefined) {
    node = dice.chance(0.5)
      ? both(both(node, settle(schema.if)), settle(schema.then))
      : both(node, settle(schema.else));
  }
  for (const [name, dependent] of Object.entries(mapOf(schema.dependentSchemas ?? schema.dependencies))) {
    if (!dice.chance(0.5)) continue;
    node = Array.isArray(dependent) ? both(node, { required: [name, ...dependent] }) : both(node, settle(dependent));
  }
  return node;
}

const HINTS: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
];

function typeFor({ dice }: Sampling, node: JsonObject): string | undefined {
  const types = typeof node.type === 'string' ? [node.type] : listOf(node.type);
  if (node.nullable === true && dice.chance(0.2)) return 'null';
  const declared = dice.pick(types);
  if (typeof declared === 'string') return declared;
  // Without a type, most values are of the type that the keywords are about.
  const hinted = HINTS.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(node, keyword)));
  return dice.chance(0.85) ? dice.pick(hinted)?.[0] : undefined;
}

function sampleNumber({ dice }: Sampling, node: JsonObject, whole: boolean): number {
  const low = numberOf(node.minimum) ?? (numberOf(node.exclusiveMinimum) ?? -4) + (whole ? 1 : 0.5);
  const high = numberOf(node.maximum) ?? (numberOf(node.exclusiveMaximum) ?? Math.max(low, 4) + 3) - (whole ? 1 : 0.5);
  const step = numberOf(node.multipleOf);
  if (step !== undefined && step > 0) return Math.ceil(low / step) * step;
  const value = dice.pick([low, high, (low + high) / 2, low + 1]) ?? low;
  return whole ? Math.ceil(value) : value;
}

function sampleString({ dice }: Sampling, node: JsonObject): string {
  const min = numberOf(node.minLength) ?? 0;
  const max = numberOf(node.maxLength) ?? min + 8;
  if (typeof node.format === 'string' && FORMATTED[node.format] !== undefined) return FORMATTED[node.format] ?? '';
  const pool = [...FITTING, ...WORDS, 'x'.repeat(min), `x${'y'.repeat(Math.min(Math.max(min - 1, 0), 60))}`];
  const fits = (text: string) => text.length >= min && text.length <= max && matches(node.pattern, text);
  return dice.pick(pool.filter(fits)) ?? dice.pick(pool) ?? '';
}

function matches(pattern: Json | undefined, text: string): boolean {
  try {
    return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function sampleArray(sampling: Sampling, node: JsonObject, depth: number): Json[] {
  const { dice } = sampling;
  const tuple = Array.isArray(node.items) ? node.items : listOf(node.prefixItems);
  const rest = Array.isArray(node.items) ? node.additionalItems : node.items;
  const min = Math.min(numberOf(node.minItems) ?? 0, 12);
  const closed = rest === false;
  const extra = closed ? 0 : dice.below(3);
  const wanted = dice.chance(0.8) ? tuple.length + extra : dice.below(tuple.length + 1);
  const count = Math.min(Math.max(min, wanted), numberOf(node.maxItems) ?? 12);
  const out: Json[] = [];
  for (let index = 0; index < count; index++) {
    const schema = index < tuple.length ? tuple[index] : rest;
    out.push(sample(sampling, schema, depth + 1));
  }
  if (node.contains !== undefined && dice.chance(0.8)) {
    const times = Math.min(numberOf(node.minContains) ?? 1, 5);
    for (let index = 0; index < times; index++) {
      const found = sample(sampling, node.contains, depth + 1);
      if (index < out.length && tuple.length === 0) out[index] = found;
      else out.push(found);
    }
  }
  if (node.uniqueItems !== true) return out;
  const texts = new Set<string>();
  return out.filter((value) => !texts.has(JSON.stringify(value)) && texts.add(JSON.stringify(value)));
}

/** Names that the schemas of tests speak about without declaring them. */
const NAMES = ['a', 'b', 'c', 'c1', 'x-a', 'kind', 'other', 'type', 'properties'];

function sampleObject(sampling: Sampling, node: JsonObject, depth: number): JsonObject {
  const { dice } = sampling;
  const properties = mapOf(node.properties);
  const required = listOf(node.required).filter((name) => typeof name === 'string');
  const out: JsonObject = {};
  for (const [name, schema] of Object.entries(properties)) {
    const taken = required.includes(name) || dice.chance(depth > 8 ? 0.1 : sampling.share);
    if (!taken || (schema === false && dice.chance(0.9))) continue;
    put(out, name, sample(sampling, schema, depth + 1));
  }
  const others = (name: string): Json | undefined => {
    const patterns = Object.entries(mapOf(node.patternProperties)).find(([pattern]) => matches(pattern, name));
    return patterns?.[1] ?? node.additionalProperties ?? node.unevaluatedProperties;
  };
  for (const name of required) {
    if (!Object.hasOwn(out, name)) put(out, name, sample(sampling, others(name), depth + 1));
  }
  const open = !(node.additionalProperties === false && node.patternProperties === undefined);
  const min = Math.min(numberOf(node.minProperties) ?? 0, 6);
  const extra = open && dice.chance(isObject(node.additionalProperties) || node.patternProperties ? 0.7 : 0.2) ? 1 : 0;
  for (
    let tries = 0;
    tries < 12 && open && Object.keys(out).length < Math.max(min, Object.keys(out).length + (tries < 2 ? extra : 0));
    tries++
  ) {
    const name = dice.pick(NAMES) ?? 'a';
    const schema = others(name);
    if (!Object.hasOwn(out, name) && !Object.hasOwn(properties, name) && schema !== false) {
      put(out, name, sample(sampling, schema, depth + 1));
    }
  }
  return out;
}

function sample(sampling: Sampling, schema: Json | undefined, depth: number): Json {
  const { dice } = sampling;
  if (depth > DEPTH) return dice.pick(SCALARS) ?? null;
  const node = settled(sampling, schema);
  if (Object.hasOwn(node, 'const') && node.const !== undefined) return node.const;
  if (Array.isArray(node.enum)) return dice.pick(node.enum) ?? null;
  switch (typeFor(sampling, node)) {
    case 'object':
      return sampleObject(sampling, node, depth);
    case 'array':
      return sampleArray(sampling, node, depth);
    case 'integer':
      return sampleNumber(sampling, node, true);
    case 'number':
      return sampleNumber(sampling, node, dice.chance(0.4));
    case 'string':
      return sampleString(sampling, node);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return dice.pick(ANY) ?? null;
  }
}

/** A value that most likely satisfies a schema; conditions that contradict each other make it a near miss. */
export function sampleOf(schema: JsonObject, dice: Dice): Json {
  const share = dice.pick([0, 0.5, 0.5, 1]) ?? 0.5;
  return sample({ root: schema, dice, share }, schema, 0);
}

function changedScalar(value: Json, dice: Dice): Json {
  if (typeof value === 'number')
    return dice.pick<Json>([value + 1, value - 1, value + 0.5, -value, 2 ** 40, `${value}`, null]) ?? null;
  if (typeof value === 'string') {
    const shorter = value.slice(0, Math.max(0, value.length - 1));
    return dice.pick<Json>([shorter, `${value}x`, `x${value}`, '', `${value}${value}yyyyyyy`, null, 1]) ?? null;
  }
  return dice.pick(ANY) ?? null;
}

function changedObject(value: JsonObject, dice: Dice): JsonObject {
  const names = Object.keys(value);
  const name = dice.pick(names);
  const out: JsonObject = {};
  const action = dice.below(4);
  for (const key of names) {
    if (action !== 0 || key !== name) put(out, key, value[key] ?? null);
  }
  if (action === 1) put(out, dice.pick(NAMES) ?? 'a', dice.pick(ANY) ?? null);
  if (action > 1 && name !== undefined) put(out, name, nearMiss(value[name] ?? null, dice));
  return out;
}

function changedArray(value: Json[], dice: Dice): Json[] {
  const index = dice.below(Math.max(value.length, 1));
  switch (dice.below(5)) {
    case 0:
      return value.filter((_, at) => at !== index);
    case 1:
      return [...value, value[index] ?? 'x'];
    case 2:
      return [...value, dice.pick(ANY) ?? null];
    case 3:
      return value.toReversed();
    default:
      return value.map((element, at) => (at === index ? nearMiss(element, dice) : element));
  }
}

/** The value with one change somewhere: something left out, added, exchanged, or a little larger or smaller. */
export function nearMiss(value: Json, dice: Dice): Json {
  if (dice.chance(0.1)) return dice.pick(ANY) ?? null;
  if (Array.isArray(value)) return changedArray(value, dice);
  return isObject(value) ? changedObject(value, dice) : changedScalar(value, dice);
}
