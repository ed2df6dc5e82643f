import { isObject, type Json, type JsonObject, jsonDepth, parseJson } from '../wire/json.js';
import { join, pointer } from '../wire/pointer.js';
import { faultAt, faultOf } from './fault.js';

/** Longest metadata, in characters of JSON; some models take a picture as a data URL there. */
const MOST = 16 * 1024 * 1024;
const DEEPEST = 8;

/** What metadata must not say: the request's own parameters, and where to call back (media.md 9.31). */
const RESERVED = /^(?:model|prompt|n)$|callback|webhook/i;

/** Metadata as a JSON object or as the text of one. Throws TranslationError that names it. */
export function readMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '' || value === 'null') return undefined;
  if (typeof value === 'string') return checked(parsed(value));
  return checked(value);
}

function parsed(text: string): unknown {
  checkText(text);
  const read = parseJson(text);
  if (!read.ok) throw faultOf('metadata', 'invalid_value', 'is no valid JSON');
  return read.value;
}

function checkText(text: string): void {
  if (text.length > MOST) throw faultOf('metadata', 'invalid_value', 'is too long');
  if (jsonDepth(text, DEEPEST)) {
    throw faultOf('metadata', 'invalid_value', `is nested more than ${DEEPEST} levels deep`);
  }
}

function checked(value: unknown): JsonObject {
  if (!isObject(value)) throw faultOf('metadata', 'invalid_type', 'must be a JSON object');
  checkText(JSON.stringify(value));
  for (const key of Object.keys(value)) {
    if (RESERVED.test(key)) {
      throw faultAt(pointer('metadata', key), 'invalid_value', `metadata: must not hold ${key}`);
    }
  }
  return value;
}

const KEYED = /^metadata((?:\[[^[\]]{0,64}\]){1,8})$/;
const STEP = /\[([^[\]]*)\]/g;
const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether the name of a form's field is a flattened key of the metadata. */
export function isMetadataKey(name: string): boolean {
  return name.startsWith('metadata[');
}

/**
 * Metadata that came as `metadata[a]`, `metadata[a][b]`, `metadata[list][]`. Texts that are truth values or numbers are
 * taken for those: the flattening left nothing else of them (media.md 4.6.4).
 */
export function readFlatMetadata(fields: readonly (readonly [string, string])[]): JsonObject | undefined {
  if (fields.length === 0) return undefined;
  const root: JsonObject = {};
  for (const [name, text] of fields) {
    const keys = [...(KEYED.exec(name)?.[1] ?? '').matchAll(STEP)].map(([, key = '']) => key);
    if (keys.length === 0 || keys.some((key) => UNSAFE.has(key))) {
      throw faultOf('metadata', 'invalid_value', `the key ${name.slice(0, 100)} cannot be read`);
    }
    put(root, keys, scalarOf(text));
  }
  return checked(root);
}

function put(root: JsonObject, keys: readonly string[], value: Json): void {
  let here: JsonObject | Json[] = root;
  keys.forEach((key, index) => {
    const next = keys[index + 1];
    const made: Json = next === undefined ? value : next === '' ? [] : {};
    if (Array.isArray(here)) {
      here.push(made);
      if (typeof made === 'object' && made !== null) here = made;
      return;
    }
    const old: Json | undefined = Object.hasOwn(here, key) ? here[key] : undefined;
    if (old !== undefined && (next === undefined || typeof old !== 'object' || old === null)) {
      throw faultOf('metadata', 'duplicate_parameter', `the key ${key} is given more than once`);
    }
    const place = old ?? made;
    here[key] = place;
    if (typeof place === 'object' && place !== null) here = place;
  });
}

function scalarOf(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text;
}

/** The URLs in a value that stands at `path`, and where each is. Meant for what came out of `JSON.parse`. */
export function urlsIn(given: unknown, path: string): { readonly path: string; readonly url: string }[] {
  const found: { path: string; url: string }[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      if (/^\s*(?:https?|ftp|file):/i.test(value)) found.push({ path: at, url: value.trim() });
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        walk(item, join(at, index));
      });
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) walk(item, join(at, key));
    }
  };
  walk(given, path);
  return found;
}
