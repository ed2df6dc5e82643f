import { isObject, type JsonObject } from '../json.js';
import { findProblems, type Problem, type Reading, type Shapes } from '../shape.js';
import type { Violation } from '../violation.js';
import { badRequest } from './errors.js';

/** So many violations stand in one reply. */
const MOST_TOLD = 100;

/** What the parser of the service refuses: unknown fields in either spelling, wrong types, bad base64 [G §2.1]. */
export function checkFields(body: JsonObject, root: string, shapes: Shapes): Violation[] {
  const reading: Reading = { shapes, nullIsAbsent: true, singleIsList: true, spell: toCamel };
  const problems = [...findProblems(body, root, reading), ...findSchemaMaps(body, reading)].slice(0, MOST_TOLD);
  if (problems.length === 0) return [];
  const found = problems.map((problem) => ({ field: pathOf(problem), description: describe(problem) }));
  const message = found.map(({ description }) => description).join('\n');
  return [{ message, details: [badRequest(found)] }];
}

function toCamel(key: string): string {
  return key.startsWith('_') ? key : key.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** The property schemas: the walker stops at their map because its keys are free. */
function findSchemaMaps(body: JsonObject, reading: Reading): Problem[] {
  return findSchemas(body, []).flatMap(({ schema, path }) => findInMaps(schema, path, reading));
}

interface Place {
  readonly schema: JsonObject;
  readonly path: readonly (string | number)[];
}

const SCHEMA_FIELDS = new Set(['parameters', 'response', 'responseSchema']);

function findSchemas(node: unknown, path: Place['path']): Place[] {
  if (Array.isArray(node)) return node.flatMap((entry, index) => findSchemas(entry, [...path, index]));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, entry]): Place[] => {
    const name = toCamel(key);
    const isFree = ['args', 'parametersJsonSchema', 'responseJsonSchema', 'functionResponse'].includes(name);
    if (isFree) return [];
    if (SCHEMA_FIELDS.has(name) && isObject(entry)) return [{ schema: entry, path: [...path, key] }];
    return findSchemas(entry, [...path, key]);
  });
}

function findInMaps(schema: JsonObject, path: Place['path'], reading: Reading): Problem[] {
  return Object.entries(schema).flatMap(([key, entry]): Problem[] => {
    const at = [...path, key];
    const name = toCamel(key);
    if ((name === 'properties' || name === 'defs') && isObject(entry)) {
      return Object.entries(entry).flatMap(([property, inner]) => [
        ...findProblems(inner, 'Schema', reading, [...at, property]),
        ...(isObject(inner) ? findInMaps(inner, [...at, property], reading) : []),
      ]);
    }
    if (name === 'items' && isObject(entry)) return findInMaps(entry, at, reading);
    if (name !== 'anyOf' || !Array.isArray(entry)) return [];
    return entry.flatMap((branch, index) => (isObject(branch) ? findInMaps(branch, [...at, index], reading) : []));
  });
}

function pathOf({ kind, path }: Problem): string {
  const shown = kind === 'unknown' || kind === 'twice' ? path.slice(0, -1) : path;
  return shown.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return text === '' ? snake : `${text}.${snake}`;
  }, '');
}

function describe(problem: Problem): string {
  const { kind, path, expected, value } = problem;
  const at = pathOf(problem);
  const where = at === '' ? '' : ` at '${at}'`;
  const key = String(path.at(-1));
  switch (kind) {
    case 'unknown':
      return `Invalid JSON payload received. Unknown name "${key}"${where}: Cannot find field.`;
    case 'twice':
      return `Invalid JSON payload received. Field "${key}"${where} has already been set.`;
    case 'missing':
      return `Invalid value${where}: ${key} is required`;
    case 'base64':
      return `Invalid value${where} (TYPE_BYTES), Base64 decoding failed for "${String(value).slice(0, 40)}"`;
    case 'value':
      return `Invalid value${where} (TYPE_ENUM), ${JSON.stringify(value)}`;
    case 'type':
      if (Array.isArray(value)) {
        return `Invalid JSON payload received. Unknown name "${key}": Proto field is not repeating, cannot start list.`;
      }
      return `Invalid value${where} (${wordFor(expected)}), ${JSON.stringify(value)}`;
  }
}

function wordFor(expected: readonly string[]): string {
  const words: Readonly<Record<string, string>> = {
    string: 'TYPE_STRING',
    bool: 'TYPE_BOOL',
    int: 'TYPE_INT32',
    number: 'TYPE_DOUBLE',
    base64: 'TYPE_BYTES',
  };
  return words[expected[0] ?? ''] ?? 'TYPE_MESSAGE';
}
