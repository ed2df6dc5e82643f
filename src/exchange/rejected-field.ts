import {
  type CanonicalError,
  type DialectId,
  dialects,
  type EncodedRequest,
  type OptionalField,
} from '../../translators/index.js';
import { isObject } from '../ground/index.js';

type JsonObject = EncodedRequest['body'];

/** The optional field of a request that the place of a refusal is, or the list whose word asks for the same. */
export function namedField(
  dialect: DialectId,
  body: JsonObject,
  { path = '', message }: CanonicalError,
): OptionalField | undefined {
  const place = plain(path);
  const { optional } = dialects[dialect].requestFields;
  return optional.find(
    ({ path: own, word }) =>
      (plain(own.join('.')) === place || (word?.list === path && message.includes(word.word))) && holds(body, own),
  );
}

/**
 * The optional field of a request that the words of a refusal name (hard case GW-08), or by the word of a list that asks for the same.
 */
export function rejectedField(dialect: DialectId, body: JsonObject, said: string): OptionalField | undefined {
  const words = new Set(said.split(/[^A-Za-z_]+/).map(plain));
  const { optional } = dialects[dialect].requestFields;
  const isNamed = (name = ''): boolean => words.has(plain(name));
  return optional.find(
    ({ path, word }) => (isNamed(path.at(-1)) || (word && isNamed(word.word.split('.').at(-1)))) && holds(body, path),
  );
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
  { path, otherName, word }: Pick<OptionalField, 'path' | 'otherName' | 'word'>,
): EncodedRequest {
  if (!holds(request.body, path)) return request;
  const body = withoutWord(without(request.body, path), word);
  return { ...request, body: otherName === undefined ? body : { ...body, [otherName]: request.body[path[0] ?? ''] } };
}

function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return object;
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  const inner = without(value, rest);
  return Object.keys(inner).length === 0 ? others : { ...object, [key]: inner };
}

/** A body without a word of a list, and without the list when nothing else is in it. */
function withoutWord(body: JsonObject, word: OptionalField['word']): JsonObject {
  const list: unknown = word && body[word.list];
  if (word === undefined || !Array.isArray(list) || !list.includes(word.word)) return body;
  const { [word.list]: _list, ...others } = body;
  const rest = list.filter((entry) => entry !== word.word);
  return rest.length === 0 ? others : { ...others, [word.list]: rest };
}

/** Whether a body has a member at a path. */
export function holds(object: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || !isObject(object) || object[key] === undefined) return false;
  return rest.length === 0 || holds(object[key], rest);
}
