import {
  type CanonicalError,
  type DialectId,
  dialects,
  type EncodedRequest,
  type OptionalField,
} from '../../translators/index.js';
import { isObject } from '../ground/index.js';

type JsonObject = EncodedRequest['body'];

/** The optional field of a request that the place of a refusal is. */
export function namedField(
  dialect: DialectId,
  body: JsonObject,
  { path = '' }: CanonicalError,
): OptionalField | undefined {
  const place = plain(path);
  const { optional } = dialects[dialect].requestFields;
  return optional.find((field) => plain(field.path.join('.')) === place && holds(body, field.path));
}

/** The optional field of a request that the words of a refusal name (hard case GW-08). */
export function rejectedField(dialect: DialectId, body: JsonObject, said: string): OptionalField | undefined {
  const words = new Set(said.split(/[^A-Za-z_]+/).map(plain));
  const { optional } = dialects[dialect].requestFields;
  return optional.find(({ path }) => words.has(plain(path.at(-1) ?? '')) && holds(body, path));
}

/** The spelling in which `topK`, `top_k` and `TOP_K` are one word. */
function plain(word: string): string {
  return word.replaceAll('_', '').toLowerCase();
}

/**
 * A request without one of its fields, itself where it has no such field, and without the object around it when nothing is left in it; or with the field under
 * its other name, where it has one.
 */
export function withoutField(
  request: EncodedRequest,
  { path, otherName }: Pick<OptionalField, 'path' | 'otherName'>,
): EncodedRequest {
  if (!holds(request.body, path)) return request;
  const body = without(request.body, path);
  return { ...request, body: otherName === undefined ? body : { ...body, [otherName]: request.body[path[0] ?? ''] } };
}

function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return object;
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  const inner = without(value, rest);
  return Object.keys(inner).length === 0 ? others : { ...object, [key]: inner };
}

function holds(object: JsonObject, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || object[key] === undefined) return false;
  const value = object[key];
  return rest.length === 0 || (isObject(value) && holds(value, rest));
}
