import type { JsonObject } from '../json.js';
import { findProblems, normalise, type Problem, type Reading } from '../shape.js';
import { type Violation, when } from '../violation.js';
import { CONTENT_SHAPES, type Host } from './shapes.js';

/** The type of the detail that lists what is wrong with a body, by snake_case path. */
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
/** So many violations are in one reply. */
const MOST_LISTED = 100;

type Root = 'Request' | 'CountRequest';

/** How the service reads: in two spellings, null as absence, one value in the place of a list as a list [G §2.1]. */
function readingOf(host: Host): Reading {
  return { shapes: CONTENT_SHAPES[host], nullIsAbsent: true, singleIsList: true, spell: toCamel };
}

/** A body of a host in camelCase, with a list wherever one belongs. */
export function toCamelCase(body: JsonObject, root: Root, host: Host): JsonObject {
  return normalise(body, root, readingOf(host));
}

/**
 * What the parser of the service refuses: unknown fields in either spelling, wrong types, bad base64 [G §2.1]; of a body
 * without such, numbers and lists out of their bounds [G §2.6].
 */
export function checkFields(body: JsonObject, root: Root, host: Host): Violation[] {
  const all = findProblems(body, root, readingOf(host));
  const problems = all.filter(({ kind }) => kind !== 'range' && kind !== 'length').slice(0, MOST_LISTED);
  if (problems.length === 0) return all.map((problem) => ({ message: describe(problem) }));
  const found = problems.map((problem) => ({ field: pathOf(problem), description: describe(problem) }));
  const message = found.map(({ description }) => description).join('\n');
  return [{ message, details: [{ '@type': BAD_REQUEST, fieldViolations: found }] }];
}

function toCamel(key: string): string {
  return key.startsWith('_') ? key : key.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** A violation that names a field of the request, by snake_case path. */
export function fault(broken: boolean, field: string, reason: string): Violation[] {
  return when(broken, `* GenerateContentRequest.${field}: ${reason}\n`);
}

function pathOf({ kind, path }: Problem): string {
  const named = kind === 'unknown' || kind === 'twice' ? path.slice(0, -1) : path;
  return named.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return text === '' ? snake : `${text}.${snake}`;
  }, '');
}

/** What the service calls types; shapes are messages. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'TYPE_STRING',
  bool: 'TYPE_BOOL',
  int: 'TYPE_INT32',
  number: 'TYPE_DOUBLE',
  base64: 'TYPE_BYTES',
};

function describe(problem: Problem): string {
  const { kind, path, expected, value, bounds: [low, high] = [-Infinity, Infinity] } = problem;
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
    case 'length':
      return `* GenerateContentRequest.${at}: at most ${high}.\n`;
    case 'range': {
      const digits = expected.includes('number') ? 1 : 0;
      const [least, most] = [low.toFixed(digits), high.toFixed(digits)];
      const range = high === Infinity ? `at least ${least}` : `in the range [${least}, ${most}]`;
      return `* GenerateContentRequest.${at}: must be ${range}.\n`;
    }
    case 'type':
      return Array.isArray(value)
        ? `Invalid JSON payload received. Unknown name "${key}": Proto field is not repeating, cannot start list.`
        : `Invalid value${where} (${TYPE_WORDS[expected[0] ?? ''] ?? 'TYPE_MESSAGE'}), ${JSON.stringify(value)}`;
  }
}
