import { isObject, type Json } from './json.js';

/** Constraints that left a node are in one bracketed sentence of its description [translation.md 3]. */
export function withNotes(description: Json | undefined, notes: readonly string[]): string | undefined {
  const text = typeof description === 'string' ? description : '';
  if (notes.length === 0) {
    return text === '' ? undefined : text;
  }
  const sentence = `[Note: ${[...new Set(notes)].join('; ')}.]`;
  return text === '' ? sentence : `${text} ${sentence}`;
}

/** Two descriptions of one node, the outer first. */
export function joinDescriptions(outer: Json | undefined, inner: Json | undefined): string | undefined {
  const texts = [outer, inner].filter((text): text is string => typeof text === 'string' && text !== '');
  return texts.length === 0 ? undefined : [...new Set(texts)].join('\n');
}

const VALUE_LENGTH = 240;

/** JSON text that ends soon after `limit` characters, whatever the size of the value: it may be a caller's whole schema. */
function preview(value: Json | undefined, limit: number): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(typeof value === 'string' ? value.slice(0, limit) : value) ?? '';
  }
  let text = '';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && text.length < limit; index++) {
      text += `${index > 0 ? ',' : ''}${preview(value[index], limit - text.length - 1)}`;
    }
    return `[${text}]`;
  }
  for (const key of Object.keys(value)) {
    if (text.length >= limit) break;
    text += `${text === '' ? '' : ','}${JSON.stringify(key.slice(0, limit))}:`;
    text += preview(value[key], limit - text.length - 1);
  }
  return `{${text}}`;
}

function shown(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : preview(value, VALUE_LENGTH);
  return text.length <= VALUE_LENGTH ? text : `${text.slice(0, VALUE_LENGTH)}...`;
}

/** The words for a list of allowed values. */
export function valuesNote(values: readonly Json[]): string {
  const texts = values.slice(0, VALUE_LENGTH).map((value) => preview(value, VALUE_LENGTH));
  return `one of ${shown(texts.join(', '))}`;
}

const PHRASES: Readonly<Record<string, (value: Json | undefined) => string>> = {
  minimum: (value) => `at least ${shown(value)}`,
  maximum: (value) => `at most ${shown(value)}`,
  exclusiveMinimum: (value) => `greater than ${shown(value)}`,
  exclusiveMaximum: (value) => `less than ${shown(value)}`,
  multipleOf: (value) => `a multiple of ${shown(value)}`,
  minLength: (value) => `at least ${shown(value)} characters`,
  maxLength: (value) => `at most ${shown(value)} characters`,
  pattern: (value) => `matches the pattern ${shown(value)}`,
  format: (value) => `format ${shown(value)}`,
  contentEncoding: (value) => `encoded as ${shown(value)}`,
  contentMediaType: (value) => `media type ${shown(value)}`,
  minItems: (value) => `at least ${shown(value)} items`,
  maxItems: (value) => `at most ${shown(value)} items`,
  uniqueItems: () => 'all items different',
  minProperties: (value) => `at least ${shown(value)} properties`,
  maxProperties: (value) => `at most ${shown(value)} properties`,
  additionalProperties: (value) =>
    value === false ? 'no other properties' : `values of other properties: ${shown(isObject(value) ? value : 'any')}`,
  required: (value) => `also required: ${shown(value)}`,
};

/** The words for one removed keyword, for {@link withNotes}. */
export function keywordNote(keyword: string, value: Json | undefined): string {
  const phrase = Object.hasOwn(PHRASES, keyword) ? PHRASES[keyword] : undefined;
  return phrase === undefined ? `${keyword}: ${shown(value)}` : phrase(value);
}
