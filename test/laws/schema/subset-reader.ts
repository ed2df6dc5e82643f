import { isObject, type Json, type JsonObject } from '../../../translators/wire/json.js';

/** Fields of `Schema` that mean what the keyword of JSON Schema means [G §3.1]. */
const SAME = new Set([
  ...['title', 'description', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'required'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'default'],
]);

/**
 * The `Schema` of generateContent as JSON Schema, read from the table of [G §3.1] alone: a type in capitals, `nullable`
 * beside it, `enum` on strings only, `anyOf` alone in its node. Throws for what the table does not have.
 */
export function readSubset(schema: Json | undefined): JsonObject {
  if (!isObject(schema)) throw new Error(`no Schema: ${JSON.stringify(schema)}`);
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (SAME.has(key)) out[key] = value;
    else readField(out, key, value);
  }
  if (schema.nullable !== true) return out;
  return { anyOf: [out, { type: 'null' }] };
}

function readField(out: JsonObject, key: string, value: Json): void {
  switch (key) {
    case 'type':
      if (typeof value !== 'string' || value !== value.toUpperCase()) throw new Error(`type ${JSON.stringify(value)}`);
      out.type = value.toLowerCase();
      return;
    case 'format':
      // `enum` says how the values are meant; the numeric formats are widths.
      if (value !== 'enum') out.format = value;
      return;
    case 'enum':
      if (!Array.isArray(value) || !value.every((word) => typeof word === 'string' && word !== ''))
        throw new Error('enum');
      out.enum = value;
      return;
    case 'items':
      out.items = readSubset(value);
      return;
    case 'properties': {
      if (!isObject(value)) throw new Error('properties');
      out.properties = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, readSubset(child)]));
      return;
    }
    case 'anyOf':
      if (!Array.isArray(value)) throw new Error('anyOf');
      out.anyOf = value.map(readSubset);
      return;
    case 'nullable':
    case 'example':
    case 'propertyOrdering':
      return;
    default:
      throw new Error(`unknown name ${key}`);
  }
}
