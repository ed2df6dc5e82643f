import { isObject, type Json } from '../wire/json.js';
import { join, pointer } from '../wire/pointer.js';
import { DEFAULT_IMAGE_MODEL, type ImageOperation } from './families.js';
import { faultAt, faultOf } from './fault.js';
import { checkType, type FieldType, parseText } from './field-types.js';
import { type ImageSettings, settingEntries } from './settings.js';

/** The parameters of an image request, read but not yet checked against a family. */
export interface ImageFields {
  readonly model: string;
  /** The client named the model; else it is the one that such a request means. */
  readonly named: boolean;
  readonly prompt?: string;
  readonly settings: ImageSettings;
  /** Names that no family knows. */
  readonly extras: readonly string[];
}

const KNOWN: Readonly<Record<string, FieldType>> = {
  ...Object.fromEntries(settingEntries.map(([name, { type }]) => [name, type])),
  model: 'text',
  prompt: 'text',
};

/** Fields of the JSON form that bring pictures; `readReferences` reads them. */
const PICTURES: ReadonlySet<string> = new Set(['images', 'image', 'mask']);

/**
 * Reads the fields of a form, all of them text: numbers and truth values are parsed; empty text and the word `null` count
 * as absent (media.md 2.4.8). `images` = how many pictures came along. Throws TranslationError that names the field.
 */
export function readFormFields(
  fields: readonly (readonly [string, string])[],
  operation: ImageOperation,
  images: number,
): ImageFields {
  const values = new Map<string, unknown>();
  const extras: string[] = [];
  for (const [name, text] of fields) {
    const type = typeOf(name);
    if (type === undefined) {
      extras.push(name);
      continue;
    }
    if (isAbsentText(text)) continue;
    if (values.has(name)) throw faultOf(name, 'duplicate_parameter', 'is given more than once');
    values.set(name, parseText(name, type, text));
  }
  return fieldsOf(values, extras, operation, images);
}

/** Whether the text of a form's field stands for no value (media.md 2.4.8). */
export function isAbsentText(text: string): boolean {
  return text === '' || text === 'null';
}

/** Reads a JSON body. Throws TranslationError that names the field. */
export function readJsonFields(body: unknown, operation: ImageOperation): ImageFields {
  if (!isObject(body)) throw faultAt('', 'invalid_type', 'the body must be a JSON object');
  const values = new Map<string, unknown>();
  const extras: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const type = typeOf(name);
    if (type === undefined) {
      if (!PICTURES.has(name) || operation !== 'edit') extras.push(name);
    } else if (value !== null) {
      values.set(name, checkType(name, type, value));
    }
  }
  const images = operation === 'edit' && Array.isArray(body.images) ? body.images.length : 0;
  return fieldsOf(values, extras, operation, images);
}

/** Whether a name is that of a parameter that is no picture. */
export function isImageField(name: string): boolean {
  return typeOf(name) !== undefined;
}

function typeOf(name: string): FieldType | undefined {
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
}

function fieldsOf(
  values: Map<string, unknown>,
  extras: readonly string[],
  operation: ImageOperation,
  images: number,
): ImageFields {
  const model = values.get('model');
  const prompt = values.get('prompt');
  const settings: Record<string, unknown> = {};
  for (const [name] of settingEntries) if (values.has(name)) settings[name] = values.get(name);
  // Every value has the type of its name: the readers above saw to it.
  const typed = settings as ImageSettings;
  if (operation !== 'vary' && (typeof prompt !== 'string' || prompt === '')) {
    throw faultOf('prompt', 'missing_required_parameter', 'is required');
  }
  return {
    model: typeof model === 'string' ? model : defaultModel(typed, images),
    named: typeof model === 'string',
    ...(typeof prompt === 'string' && { prompt }),
    settings: typed,
    extras,
  };
}

const NEWER_QUALITIES: readonly (string | undefined)[] = ['low', 'medium', 'high'];
const NEWER_SIZES: readonly (string | undefined)[] = ['auto', '1536x1024', '1024x1536'];

/** A request that uses what only `img-multi` has means that family (media.md 1.1, 1.3). */
function defaultModel(settings: ImageSettings, images: number): string {
  const newer =
    settings.background ??
    settings.output_format ??
    settings.output_compression ??
    settings.moderation ??
    settings.input_fidelity ??
    settings.partial_images;
  const asked =
    newer !== undefined ||
    settings.stream === true ||
    NEWER_QUALITIES.includes(settings.quality) ||
    NEWER_SIZES.includes(settings.size) ||
    images > 1;
  return asked ? 'img-multi' : DEFAULT_IMAGE_MODEL;
}

/** Where a picture of a JSON body is to be found. */
export type PictureReference =
  | { readonly path: string; readonly url: string }
  | { readonly path: string; readonly file: string };

/** Longest URL or data URL of a picture, in characters (media.md 1.3). */
const URL_LIMIT = 20_971_520;

/** The pictures of a JSON edit (media.md 1.3), also in the form `image: URL` or `image: [URL]` of some clients. */
export function readReferences(body: unknown): {
  readonly images: readonly PictureReference[];
  readonly mask?: PictureReference;
} {
  if (!isObject(body)) return { images: [] };
  const mask = body.mask === undefined || body.mask === null ? undefined : referenceOf(body.mask, '/mask');
  const name = body.images === undefined ? 'image' : 'images';
  const given = body[name];
  if (given === undefined || given === null) throw faultOf('images', 'missing_required_parameter', 'is required');
  const list = Array.isArray(given) ? given : [given];
  const images = list.map((item, index) =>
    referenceOf(item, Array.isArray(given) ? join(pointer(name), index) : pointer(name)),
  );
  return { images, ...(mask !== undefined && { mask }) };
}

function referenceOf(value: Json, path: string): PictureReference {
  if (typeof value === 'string') return { path, url: checkUrl(value, path) };
  if (!isObject(value)) throw faultAt(path, 'invalid_type', 'a picture is an object with image_url or file_id');
  const { image_url: url, file_id: file, ...others } = value;
  if ((url === undefined) === (file === undefined) || Object.keys(others).length > 0) {
    throw faultAt(path, 'invalid_value', 'a picture has exactly one of image_url and file_id');
  }
  const at = join(path, url === undefined ? 'file_id' : 'image_url');
  if (url === undefined) {
    if (typeof file !== 'string' || file === '') throw faultAt(at, 'invalid_type', 'file_id must be a string');
    return { path: at, file };
  }
  if (typeof url !== 'string') throw faultAt(at, 'invalid_type', 'image_url must be a string');
  return { path: at, url: checkUrl(url, at) };
}

function checkUrl(url: string, path: string): string {
  if (url.length > URL_LIMIT) throw faultAt(path, 'image_too_large', 'the URL is too long');
  if (!/^(?:https?|data):/i.test(url)) throw faultAt(path, 'invalid_image_url', 'must be an http, https or data URL');
  return url;
}
