import type { Loss } from '../../translators/index.js';
import { isObject } from '../../translators/wire/json.js';

/** What a translation gave: its losses, and all of it as text. */
export interface Translated {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** A key of a body: its JSON Pointer, and the same with `*` for every index and the `type` of the objects on the way. */
export interface Place {
  readonly keys: readonly string[];
  readonly pointer: string;
  readonly pattern: string;
}

/** Free values of a user, such as schemas and arguments: what stands in them is no field of the dialect. */
const FREE =
  /^(?:parameters|parameters_?[jJ]son_?[sS]chema|schema|input_schema|response_?(?:[jJ]son_?)?[sS]chema|args|arguments|input|response|metadata|labels)$/;

/** Every key of a body, of lists the first few elements. */
export function* placesOf(node: unknown, keys: readonly string[] = [], pattern = ''): Generator<Place> {
  if (Array.isArray(node)) {
    for (let index = 0; index < Math.min(node.length, 4); index += 1) {
      yield* placesOf(node[index], [...keys, String(index)], `${pattern}/*`);
    }
    return;
  }
  if (!isObject(node)) return;
  const type = typeof node.type === 'string' ? `(${node.type})` : '';
  for (const [key, child] of Object.entries(node)) {
    if (saysNothing(child)) continue;
    const here = { keys: [...keys, key], pattern: `${pattern}${type}/${key}` };
    yield { ...here, pointer: `/${here.keys.join('/')}` };
    if (Array.isArray(child) || !FREE.test(key)) yield* placesOf(child, here.keys, here.pattern);
  }
}

/** Nulls and empty lists and texts carry no information (translation.md 0.8). */
function saysNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A copy without one key. */
export function without(node: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((child, index) => (String(index) === key ? without(child, rest) : child));
  if (!isObject(node)) return node;
  if (rest.length > 0) return { ...node, [key]: without(node[key], rest) };
  const { [key]: _gone, ...others } = node;
  return others;
}

/** Whether some loss says that what stands at a pointer, or what it is part of, is gone or changed. */
export function isReported(losses: readonly Loss[], pointer: string): boolean {
  return losses.some(
    ({ path, kind }) =>
      (kind === 'dropped' || kind === 'approximated') &&
      (path === pointer || (path !== '' && pointer.startsWith(`${path}/`))),
  );
}
