import { isObject } from '../wire/json.js';
import { pointer } from '../wire/pointer.js';
import { faultAt, faultOf } from './fault.js';
import { checkType, type FieldType, parseText } from './field-types.js';
import type { PictureReference } from './fields.js';
import { VIDEO_NAMES, type VideoFields, type VideoFormat, type VideoSettings } from './video.js';
import { isMetadataKey, readFlatMetadata, readMetadata } from './video-metadata.js';

/** The model of a video request that names none. */
export const DEFAULT_VIDEO_MODEL = 'video-2';

/** Fields of the other forms are read by themselves. */
type VideoFieldType = FieldType | 'seconds' | 'picture' | 'pictures' | 'metadata';

const SHARED = {
  model: 'text',
  prompt: 'text',
  size: 'text',
  seconds: 'seconds',
  n: 'integer',
  response_format: 'text',
  user: 'text',
  seed: 'integer',
  input_reference: 'picture',
  metadata: 'metadata',
} as const;

/** What the routes of each format know (media.md 1.5, 1.7), with what some deployments of them take beside. */
const KNOWN: Readonly<Record<VideoFormat, Readonly<Record<string, VideoFieldType>>>> = {
  a: { ...SHARED, quality: 'text', stream: 'boolean' },
  b: {
    ...SHARED,
    duration: 'number',
    width: 'integer',
    height: 'integer',
    fps: 'integer',
    image: 'picture',
    images: 'pictures',
  },
};

type Values = Map<string, unknown>;

/**
 * Reads the texts of a form. Empty text and the word `null` count as absent. `metadata` may come as JSON or in
 * flattened keys, and so may a picture by URL or file id. Throws TranslationError that names the field.
 */
export function readVideoForm(fields: readonly (readonly [string, string])[], format: VideoFormat): VideoFields {
  const values: Values = new Map();
  const extras: [string, string][] = [];
  const flat: (readonly [string, string])[] = [];
  const picture: Record<string, string> = {};
  for (const [name, text] of fields) {
    const nested = /^(input_reference|image)\[(image_url|file_id)\]$/.exec(name);
    if (isMetadataKey(name)) flat.push([name, text]);
    else if (nested !== null && typeIn(format, nested[1] ?? '') !== undefined) picture[nested[2] ?? ''] = text;
    else if (typeIn(format, name) === undefined) extras.push([name, text]);
    else if (text !== '' && text !== 'null') {
      if (values.has(name)) throw faultOf(name, 'duplicate_parameter', 'is given more than once');
      const type = typeIn(format, name);
      values.set(name, isParsed(type) ? parseText(name, type, text) : text);
    }
  }
  if (Object.keys(picture).length > 0) {
    const { reference } = VIDEO_NAMES[format];
    if (values.has(reference)) throw faultOf(reference, 'duplicate_parameter', 'is given more than once');
    values.set(reference, picture);
  }
  const flattened = readFlatMetadata(flat);
  if (flattened !== undefined) {
    if (values.has('metadata')) throw faultOf('metadata', 'duplicate_parameter', 'is given more than once');
    values.set('metadata', flattened);
  }
  return fieldsOf(values, extras, format);
}

/** Reads a JSON body. Throws TranslationError that names the field. */
export function readVideoJson(body: unknown, format: VideoFormat): VideoFields {
  if (!isObject(body)) throw faultAt('', 'invalid_type', 'the body must be a JSON object');
  const values: Values = new Map();
  const extras: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (typeIn(format, name) === undefined) extras.push([name, value]);
    else if (value !== null) values.set(name, value);
  }
  return fieldsOf(values, extras, format);
}

function typeIn(format: VideoFormat, name: string): VideoFieldType | undefined {
  return Object.hasOwn(KNOWN[format], name) ? KNOWN[format][name] : undefined;
}

const PARSED: ReadonlySet<string | undefined> = new Set(['integer', 'number', 'boolean'] satisfies FieldType[]);

function isParsed(type: VideoFieldType | undefined): type is FieldType {
  return PARSED.has(type);
}

function fieldsOf(values: Values, extras: readonly (readonly [string, unknown])[], format: VideoFormat): VideoFields {
  const text = (name: string): string | undefined => typed(values, name, 'text');
  const prompt = text('prompt');
  if (prompt === undefined || prompt === '') throw faultOf('prompt', 'missing_required_parameter', 'is required');
  const metadata = readMetadata(values.get('metadata'));
  const reference = readReference(values, format);
  return {
    format,
    model: text('model') ?? DEFAULT_VIDEO_MODEL,
    named: text('model') !== undefined,
    prompt,
    settings: settingsOf(values),
    ...(metadata !== undefined && { metadata }),
    ...(reference !== undefined && { reference }),
    extras,
  };
}

function settingsOf(values: Values): VideoSettings {
  const settings = {
    seconds: secondsOf(values),
    size: sizeOf(values),
    quality: typed<string>(values, 'quality', 'text'),
    fps: typed<number>(values, 'fps', 'integer'),
    seed: typed<number>(values, 'seed', 'integer'),
    n: typed<number>(values, 'n', 'integer'),
    response_format: typed<string>(values, 'response_format', 'text'),
    stream: typed<boolean>(values, 'stream', 'boolean'),
    user: typed<string>(values, 'user', 'text'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function typed<T extends string | number | boolean>(values: Values, name: string, type: FieldType): T | undefined {
  const value = values.get(name);
  return value === undefined ? undefined : (checkType(name, type, value) as T);
}

/** `seconds` is a text, `duration` a number (media.md 9.9); either is taken for the other where it is one. */
function secondsOf(values: Values): string | undefined {
  const name = values.has('duration') ? 'duration' : 'seconds';
  const value = values.get(name);
  if (value === undefined) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,6}(?:\.\d{1,6})?$/.test(text) || Number(text) === 0) {
    throw faultOf(name, 'invalid_type', 'must be a number of seconds');
  }
  return String(Number(text));
}

function sizeOf(values: Values): string | undefined {
  const size = typed<string>(values, 'size', 'text');
  const width = typed<number>(values, 'width', 'integer');
  const height = typed<number>(values, 'height', 'integer');
  if (width === undefined && height === undefined) return size;
  if (width === undefined) throw faultOf('width', 'missing_required_parameter', 'is required together with height');
  if (height === undefined) throw faultOf('height', 'missing_required_parameter', 'is required together with width');
  for (const [name, edge] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (edge < 1 || edge > 65_535) throw faultOf(name, 'invalid_value', 'must be from 1 to 65535');
  }
  if (size !== undefined && size !== `${width}x${height}`) {
    throw faultOf('size', 'invalid_value', 'contradicts width and height');
  }
  return `${width}x${height}`;
}

/** A picture given by URL, data URL, base64 or file id. */
function readReference(values: Values, format: VideoFormat): PictureReference | undefined {
  const given: (readonly [string, unknown])[] = [];
  for (const name of ['image', 'images', 'input_reference']) {
    const value = values.get(name);
    if (value === undefined || typeIn(format, name) === undefined) continue;
    const items: readonly unknown[] = name === 'images' && Array.isArray(value) ? value : [value];
    for (const item of items) given.push([name, item]);
  }
  const [first, second] = given;
  if (second !== undefined) throw faultOf(second[0], 'invalid_value', 'only one picture is taken');
  return first === undefined ? undefined : referenceOf(...first);
}

function referenceOf(name: string, value: unknown): PictureReference {
  const path = pointer(name);
  if (typeof value === 'string' && value !== '') return { path, url: value };
  if (!isObject(value)) throw faultOf(name, 'invalid_type', 'must be a picture');
  const { image_url: url, file_id: file, ...others } = value;
  if ((url === undefined) === (file === undefined) || Object.keys(others).length > 0) {
    throw faultOf(name, 'invalid_value', 'has exactly one of image_url and file_id');
  }
  const text = url ?? file;
  if (typeof text !== 'string' || text === '') throw faultOf(name, 'invalid_type', 'must name a picture');
  return url === undefined ? { path, file: text } : { path, url: text };
}
