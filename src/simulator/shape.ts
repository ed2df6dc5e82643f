import { isObject, type JsonObject } from './json.js';

/**
 * Closed shapes of a wire format, by name. A field's text says what it takes: alternatives joined by `|`, each one of
 * `string`, `int`, `number`, `bool`, `base64`, `object` (any keys), `any`, `null`, a `'literal'`, the name of a shape, or
 * one of these with `[]`. `!` at the end makes the field required. A shape with `$by` is a union: the named field tells
 * the member, `$default` the member when the field is missing, `$open` lets unknown members pass.
 */
export type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One thing that a value does not keep to. */
export interface Problem {
  readonly kind: 'unknown' | 'missing' | 'type' | 'value' | 'base64' | 'twice';
  /** Keys and places from the root to the offending value (for `unknown` and `missing` including the key). */
  readonly path: readonly (string | number)[];
  /** What was allowed: type words, or values. */
  readonly expected: readonly string[];
  readonly value?: unknown;
}

/** How a dialect's service reads. */
export interface Reading {
  readonly shapes: Shapes;
  /** `null` counts as absence for every field. */
  readonly nullIsAbsent?: boolean;
  /** One value in the place of a list is read as a list of one. */
  readonly singleIsList?: boolean;
  /** The canonical name of a key, for formats with two spellings. */
  readonly spell?: (key: string) => string;
  /** Whether a union member's tag is part of the path. */
  readonly tagInPath?: boolean;
}

type Path = readonly (string | number)[];

/** Everything in `value` that does not keep to `expression`. */
export function findProblems(value: unknown, expression: string, reading: Reading, path: Path = []): Problem[] {
  const alternatives = alternativesOf(expression);
  if (alternatives.includes('any')) return [];
  if (value === null) {
    return reading.nullIsAbsent || alternatives.includes('null') ? [] : [typeProblem(path, alternatives, value)];
  }
  if (Array.isArray(value)) return findInList(value, alternatives, reading, path);
  const [member = ''] = alternatives;
  if (reading.singleIsList && member.endsWith('[]')) return findInList([value], alternatives, reading, path);
  if (isObject(value)) return findInObject(value, alternatives, reading, path);
  return findInScalar(value, alternatives, path);
}

/** What expressions take, by their text: there are as many as the shapes hold. */
const ALTERNATIVES = new Map<string, readonly string[]>();

function alternativesOf(expression: string): readonly string[] {
  const known = ALTERNATIVES.get(expression);
  if (known !== undefined) return known;
  const read = expression.replace(/!$/, '').split('|');
  ALTERNATIVES.set(expression, read);
  return read;
}

function typeProblem(path: Path, expected: readonly string[], value: unknown): Problem {
  return { kind: 'type', path, expected, value };
}

function findInList(
  list: readonly unknown[],
  alternatives: readonly string[],
  reading: Reading,
  path: Path,
): Problem[] {
  const members = alternatives.filter((alternative) => alternative.endsWith('[]')).map((name) => name.slice(0, -2));
  if (members.length === 0) return [typeProblem(path, alternatives, list)];
  const expression = members.join('|');
  return list.flatMap((entry, index) => findProblems(entry, expression, reading, [...path, index]));
}

function findInScalar(value: unknown, alternatives: readonly string[], path: Path): Problem[] {
  if (typeof value === 'boolean') return alternatives.includes('bool') ? [] : [typeProblem(path, alternatives, value)];
  if (typeof value === 'number') {
    const fits = alternatives.includes('number') || (alternatives.includes('int') && Number.isInteger(value));
    return fits ? [] : [typeProblem(path, alternatives, value)];
  }
  if (typeof value !== 'string') return [typeProblem(path, alternatives, value)];
  if (alternatives.includes('string')) return [];
  if (alternatives.includes('base64')) {
    return isBase64(value) ? [] : [{ kind: 'base64', path, expected: ['base64'], value }];
  }
  const literals = alternatives.filter((name) => name.startsWith("'")).map((name) => name.slice(1, -1));
  if (literals.length === 0) return [typeProblem(path, alternatives, value)];
  return literals.includes(value) ? [] : [{ kind: 'value', path, expected: literals, value }];
}

/** Standard or URL-safe base64 without line breaks; padding may be left out. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/(?<!=)=+$/, '').length % 4 !== 1;
}

function findInObject(value: JsonObject, alternatives: readonly string[], reading: Reading, path: Path): Problem[] {
  if (alternatives.includes('object')) return [];
  const name = alternatives.find((alternative) => Object.hasOwn(reading.shapes, alternative));
  const shape = name === undefined ? undefined : reading.shapes[name];
  if (!shape) return [typeProblem(path, alternatives, value)];
  return shape.$by === undefined ? findInFields(value, shape, reading, path) : findInUnion(value, shape, reading, path);
}

function findInUnion(value: JsonObject, shape: Shapes[string], reading: Reading, path: Path): Problem[] {
  const by = shape.$by ?? '';
  const tag = value[by];
  if ((tag === undefined || tag === null) && shape.$default !== undefined) {
    return findProblems(value, shape.$default, reading, path);
  }
  const tags = Object.keys(shape).filter((key) => !key.startsWith('$'));
  if (tag === undefined) return [{ kind: 'missing', path: [...path, by], expected: tags }];
  const member = typeof tag === 'string' && !tag.startsWith('$') ? shape[tag] : undefined;
  if (member === undefined) {
    if (shape.$open !== undefined) return [];
    return [{ kind: 'value', path: [...path, by], expected: tags, value: tag }];
  }
  return findProblems(value, member, reading, reading.tagInPath ? [...path, String(tag)] : path);
}

function findInFields(value: JsonObject, shape: Shapes[string], reading: Reading, path: Path): Problem[] {
  const spell = reading.spell ?? ((key: string): string => key);
  const seen = new Set<string>();
  const present = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const problems = present.flatMap(([key, entry]): Problem[] => {
    const name = spell(key);
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) return [{ kind: 'unknown', path: [...path, key], expected: [], value: entry }];
    if (seen.has(name)) return [{ kind: 'twice', path: [...path, key], expected: [], value: entry }];
    seen.add(name);
    return findProblems(entry, field, reading, [...path, key]);
  });
  const missing = Object.entries(shape).flatMap(([name, field]): Problem[] =>
    field.endsWith('!') && !seen.has(name) ? [{ kind: 'missing', path: [...path, name], expected: [field] }] : [],
  );
  return [...missing, ...problems];
}
