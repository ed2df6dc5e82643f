import { isObject, type JsonObject, objectOf } from './json.js';

/** Closed shapes of a wire format by name, see {@link readShapes}. */
export type Shapes = ReadonlyMap<string, Shape>;

interface Shape {
  /** Of a union: the field that selects the member. */
  readonly by?: string;
  /** By name; of a union the members by tag. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** What a field takes. The bounds are those of a number, or of the length of a text or a list. */
interface Field {
  readonly types: readonly string[];
  readonly required: boolean;
  readonly bounds?: Bounds;
}

type Bounds = readonly [low: number, high: number];
type Path = readonly (string | number)[];

/** One thing that a value does not keep to. */
export interface Problem {
  readonly kind: 'unknown' | 'missing' | 'type' | 'value' | 'base64' | 'twice' | 'range' | 'length';
  /** Keys and indices from the root to the offending value (for `unknown` and `missing` including the key). */
  readonly path: Path;
  /** What was allowed: type words, or values. */
  readonly expected: readonly string[];
  readonly bounds?: Bounds;
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

/**
 * Reads shapes from their text. A shape begins with its name at the beginning of a line:
 *
 * - `Name: field type, field! type, ...Other`: an object; `!` marks a required field, `...` takes over the fields of a
 *   shape above. A field `a@variant` is there only in that variant.
 * - `Name by tag: word type, word|word type`: a union, of which the field `tag` selects the member. Members need not list it.
 * - `Name = type`: another name for a type.
 *
 * `$other type` is for fields and tags that are not listed, `$missing type` for a tag that is missing. A type is
 * alternatives joined by `|`: `string`, `int`, `number`, `bool`, `base64`, `object` (any keys), `any`, `null`, a `'word'`, the
 * name of a shape, or one of these with `[]` for a list or `{}` for a map with any keys; `(low..high)` behind it bounds a
 * number, or the length of a text or a list. Lines that begin with `//` are comments.
 */
export function readShapes(source: string, variants: readonly string[] = []): Shapes {
  const shapes = new Map<string, Shape>();
  const names = new Map<string, readonly string[]>();
  const field = (text: string, required: boolean): Field => {
    const type = text.replaceAll(/\s/g, '');
    const found = /\((-?\d*)\.\.(\d*)\)/.exec(type);
    const [, low, high] = found ?? [];
    const types = type.replace(found?.[0] ?? '', '').split('|');
    const bounds: Bounds = [low ? Number(low) : -Infinity, high ? Number(high) : Infinity];
    return { types: types.flatMap(expand), required, ...(found && { bounds }) };
  };
  const expand = (type: string): readonly string[] => {
    const [list, base] = type.endsWith('[]') ? ['[]', type.slice(0, -2)] : ['', type];
    return names.get(base)?.map((name) => name + list) ?? [type];
  };
  for (const [, name = '', by, sign, body = ''] of source
    .replaceAll(/^\/\/.*$/gm, '')
    .matchAll(/^(\w+)(?: by (\w+))?( =|:)((?:.+|\n(?!\w))*)/gm)) {
    if (sign === ' =') {
      names.set(name, field(body, false).types);
      continue;
    }
    const fields = new Map<string, Field>();
    for (const entry of body.split(',')) {
      const [, keys = '', variant, mark, type = ''] = /^\s*([^\s@!]+)(?:@(\w+))?(!?)\s*(.*?)\s*$/s.exec(entry) ?? [];
      if (keys === '' || (variant !== undefined && !variants.includes(variant))) continue;
      if (keys.startsWith('...'))
        for (const [key, one] of shapes.get(keys.slice(3))?.fields ?? []) fields.set(key, one);
      else for (const key of keys.split('|')) fields.set(key, field(type, mark === '!'));
    }
    shapes.set(name, { fields, ...(by !== undefined && { by }) });
  }
  const named = [...shapes.values()].flatMap(({ fields }) => [...fields.values()].flatMap(({ types }) => types));
  const unread = named.find((type) => /^[A-Z]/.test(type) && !shapes.has(type.replace(/\W+$/, '')));
  if (unread !== undefined) throw new Error(`no shape has the name ${unread}`);
  return shapes;
}

/** Everything in `value` that does not keep to the shape `name`. */
export function findProblems(value: unknown, name: string, reading: Reading): Problem[] {
  return findIn(value, { types: [name], required: true }, reading, []);
}

function findIn(value: unknown, field: Field, reading: Reading, path: Path): Problem[] {
  const { types } = field;
  if (types.includes('any')) return [];
  if (value === null) return reading.nullIsAbsent || types.includes('null') ? [] : [typeProblem(path, field, value)];
  if (Array.isArray(value)) return findInList(value, field, reading, path);
  if (reading.singleIsList && types[0]?.endsWith('[]')) return findInList([value], field, reading, path);
  return isObject(value) ? findInObject(value, field, reading, path) : findInScalar(value, field, path);
}

function typeProblem(path: Path, { types }: Field, value: unknown): Problem {
  return { kind: 'type', path, expected: types, value };
}

function findOutside(size: number, kind: 'range' | 'length', field: Field, path: Path, value: unknown): Problem[] {
  const { bounds, types: expected } = field;
  if (bounds === undefined || (size >= bounds[0] && size <= bounds[1])) return [];
  return [{ kind, path, expected, bounds, value }];
}

function findInList(list: readonly unknown[], field: Field, reading: Reading, path: Path): Problem[] {
  const member = membersOf(field, '[]');
  if (member === undefined) return [typeProblem(path, field, list)];
  return [
    ...findOutside(list.length, 'length', field, path, list),
    ...list.flatMap((entry, index) => findIn(entry, member, reading, [...path, index])),
  ];
}

/** What the entries of a list or a map are; undefined for a field that takes none. */
function membersOf({ types }: Field, mark: '[]' | '{}'): Field | undefined {
  const members = types.flatMap((type) => (type.endsWith(mark) ? [type.slice(0, -2)] : []));
  return members.length === 0 ? undefined : { types: members, required: true };
}

function shapeOf({ types }: Field, { shapes }: Reading): Shape | undefined {
  return types.map((type) => shapes.get(type)).find((one) => one !== undefined);
}

function findInScalar(value: unknown, field: Field, path: Path): Problem[] {
  const { types } = field;
  const wrong = [typeProblem(path, field, value)];
  if (typeof value === 'boolean') return types.includes('bool') ? [] : wrong;
  if (typeof value === 'number') {
    const fits = types.includes('number') || (types.includes('int') && Number.isInteger(value));
    return fits ? findOutside(value, 'range', field, path, value) : wrong;
  }
  if (typeof value !== 'string') return wrong;
  if (types.includes('string')) return findOutside(value.length, 'length', field, path, value);
  if (types.includes('base64')) {
    return isBase64(value) ? [] : [{ kind: 'base64', path, expected: ['base64'], value }];
  }
  const words = types.filter((type) => type.startsWith("'")).map((type) => type.slice(1, -1));
  if (words.length === 0) return wrong;
  return words.includes(value) ? [] : [{ kind: 'value', path, expected: words, value }];
}

/** Standard or URL-safe base64 without line breaks; padding may be left out. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/(?<!=)=+$/, '').length % 4 !== 1;
}

function findInObject(value: JsonObject, field: Field, reading: Reading, path: Path): Problem[] {
  if (field.types.includes('object')) return [];
  const member = membersOf(field, '{}');
  if (member !== undefined) {
    return Object.entries(value).flatMap(([key, entry]) => findIn(entry, member, reading, [...path, key]));
  }
  const shape = shapeOf(field, reading);
  if (shape === undefined) return [typeProblem(path, field, value)];
  return shape.by === undefined
    ? findInFields(value, shape, reading, path)
    : findInUnion(value, shape, shape.by, reading, path);
}

function findInUnion(value: JsonObject, { fields }: Shape, by: string, reading: Reading, path: Path): Problem[] {
  const tag = value[by];
  const absent = tag === undefined || tag === null;
  const member = absent
    ? fields.get('$missing')
    : typeof tag === 'string' && !tag.startsWith('$')
      ? fields.get(tag)
      : undefined;
  const known = member ?? (absent ? undefined : fields.get('$other'));
  const tags = [...fields.keys()].filter((key) => !key.startsWith('$'));
  if (known === undefined) {
    return [{ kind: tag === undefined ? 'missing' : 'value', path: [...path, by], expected: tags, value: tag }];
  }
  const inner = reading.tagInPath && member !== undefined && !absent ? [...path, String(tag)] : path;
  const [name = ''] = known.types;
  const shape = reading.shapes.get(name);
  return shape === undefined || shape.by !== undefined
    ? findIn(value, known, reading, inner)
    : findInFields(value, shape, reading, inner, by);
}

/** @param tag the field that selected the shape, where it is a member of a union */
function findInFields(value: JsonObject, { fields }: Shape, reading: Reading, path: Path, tag?: string): Problem[] {
  const spell = reading.spell ?? ((key: string): string => key);
  const seen = new Set<string>();
  const problems = Object.entries(value).flatMap(([key, entry]): Problem[] => {
    if (entry === undefined) return [];
    const name = spell(key);
    const field = fields.get(name) ?? fields.get('$other');
    if (field === undefined) {
      return name === tag ? [] : [{ kind: 'unknown', path: [...path, key], expected: [], value: entry }];
    }
    if (seen.has(name)) return [{ kind: 'twice', path: [...path, key], expected: [], value: entry }];
    seen.add(name);
    return findIn(entry, field, reading, [...path, key]);
  });
  const missing = [...fields].flatMap(([name, { required, types }]): Problem[] =>
    required && !seen.has(name) ? [{ kind: 'missing', path: [...path, name], expected: types }] : [],
  );
  return [...missing, ...problems];
}

/** An object of the shape `name` with the canonical names of its keys, and with a list wherever one belongs. */
export function normalise(value: JsonObject, name: string, reading: Reading): JsonObject {
  return objectOf(normaliseField(value, { types: [name], required: true }, reading));
}

function normaliseField(value: unknown, field: Field, reading: Reading): unknown {
  const member = membersOf(field, '[]');
  if (member !== undefined && value !== null) {
    return [value].flat().map((entry) => normaliseField(entry, member, reading));
  }
  if (!isObject(value)) return value;
  const entries = membersOf(field, '{}');
  const shape = shapeOf(field, reading);
  const { spell = (key: string): string => key } = reading;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const name = shape === undefined ? key : spell(key);
      const one = entries ?? shape?.fields.get(name);
      return [name, one === undefined ? entry : normaliseField(entry, one, reading)];
    }),
  );
}
