import { furtherKeys } from '../../adapt/index.js';
import type { MediaClass, MediaPart } from '../../canonical/content.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import { isBase64, toStandardBase64 } from '../../wire/base64.js';
import { check, DIALECT, fieldNames, fieldPtr, invalid, type Opened, open, put } from '../nodes.js';
import * as wire from '../wire/index.js';

const BLOB = fieldNames('mimeType', 'data', 'displayName');
const FILE = fieldNames('fileUri', 'mimeType', 'displayName');
const CLIP = fieldNames('startOffset', 'endOffset', 'fps');
const RESOLUTION = fieldNames('level', 'numTokens');

/** Files that the vendor's own service keeps: an https address, but of no use to anyone else ([G §2.4] note 4). */
const STORED = /^https?:\/\/[^/?#]*\bgoogleapis\.com\/(?:[a-z0-9]+\/)?files\//i;
const WEB = /^https?:\/\//i;
const VIDEO_SITE = /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//i;
const LEVEL = 'MEDIA_RESOLUTION_';

/** Everything that a media part needs besides its position. */
type MediaFields = Omit<MediaPart, 'kind' | 'src' | 'state' | 'carrier' | 'thought'>;
/** Fields of the part and its bag. */
interface ReadMedia {
  readonly fields: MediaFields;
  readonly bag?: JsonObject;
}

/** Reads `inlineData`. */
export function decodeBlob(value: JsonObject, ptr: string, path: string): ReadMedia {
  const opened = open(value, BLOB, ptr);
  const blob = check(wire.blob, opened.known, ptr, opened.names);
  if (!isBase64(blob.data)) throw invalid('base64 decoding failed', fieldPtr(opened, 'data', ptr));
  const fields: MediaFields = {
    class: classOf(blob.mimeType),
    ...(blob.mimeType !== undefined && { mime: blob.mimeType }),
    data: { from: 'base64', base64: toStandardBase64(blob.data) },
    ...(blob.displayName !== undefined && { filename: blob.displayName }),
  };
  return { fields, ...(opened.rest !== undefined && { bag: { [path]: opened.rest } }) };
}

/** Reads `fileData`. Addresses that only the vendor's service can open become file ids. */
export function decodeFile(value: JsonObject, ptr: string, path: string): ReadMedia {
  const opened = open(value, FILE, ptr);
  const file = check(wire.fileData, opened.known, ptr, opened.names);
  const uri = file.fileUri;
  const isOpen = WEB.test(uri) && !STORED.test(uri);
  const fields: MediaFields = {
    class: file.mimeType === undefined ? classOfUrl(uri) : classOf(file.mimeType),
    ...(file.mimeType !== undefined && { mime: file.mimeType }),
    data: isOpen ? { from: 'url', url: uri } : { from: 'file', id: uri, vendor: DIALECT },
    ...(file.displayName !== undefined && { filename: file.displayName }),
  };
  return { fields, ...(opened.rest !== undefined && { bag: { [path]: opened.rest } }) };
}

/** Reads the modifiers of a media part: `videoMetadata` and `mediaResolution`. */
export function decodeView(part: Opened, ptr: string): { fields: Partial<MediaPart>; bag: JsonObject } {
  const { videoMetadata, mediaResolution } = part.known;
  const bag: JsonObject = {};
  const fields: { clip?: MediaPart['clip']; detail?: string } = {};
  if (isStruct(videoMetadata)) {
    const at = fieldPtr(part, 'videoMetadata', ptr);
    const opened = open(videoMetadata, CLIP, at);
    const { startOffset, endOffset, fps } = check(wire.videoMetadata, opened.known, at, opened.names);
    fields.clip = {
      ...(startOffset !== undefined && { start: startOffset }),
      ...(endOffset !== undefined && { end: endOffset }),
      ...(fps !== undefined && { fps }),
    };
    if (opened.rest !== undefined) bag.videoMetadata = opened.rest;
  }
  if (isStruct(mediaResolution)) {
    const at = fieldPtr(part, 'mediaResolution', ptr);
    const { known, rest } = open(mediaResolution, RESOLUTION, at);
    if (typeof known.level === 'string' && known.level.startsWith(LEVEL)) fields.detail = decodeDetail(known.level);
    const more = { ...rest, ...(known.numTokens !== undefined && { numTokens: known.numTokens }) };
    if (Object.keys(more).length > 0 || known.level === undefined) bag.mediaResolution = furtherKeys(more, at);
  }
  return { fields, bag };
}

/** Encodes a media part as `inlineData` or `fileData` with its modifiers, in camelCase. */
export function encodeMedia(part: MediaPart, own: boolean): JsonObject {
  const bag = part.ext?.generateContent ?? {};
  const encoded: JsonObject = own ? { ...bag } : {};
  if (part.thought === true) encoded.thought = true;
  if (part.data.from === 'base64') {
    encoded.inlineData = {
      ...asObject(encoded.inlineData),
      ...(part.mime !== undefined && { mimeType: part.mime }),
      data: part.data.base64,
      ...(part.filename !== undefined && { displayName: part.filename }),
    };
  } else {
    encoded.fileData = {
      ...asObject(encoded.fileData),
      ...(part.mime !== undefined && { mimeType: part.mime }),
      fileUri: part.data.from === 'url' ? part.data.url : part.data.id,
      ...(part.filename !== undefined && { displayName: part.filename }),
    };
  }
  if (part.clip !== undefined) {
    encoded.videoMetadata = {
      ...asObject(encoded.videoMetadata),
      ...(part.clip.start !== undefined && { startOffset: part.clip.start }),
      ...(part.clip.end !== undefined && { endOffset: part.clip.end }),
      ...(part.clip.fps !== undefined && { fps: part.clip.fps }),
    };
  }
  if (part.detail !== undefined) {
    encoded.mediaResolution = { ...asObject(encoded.mediaResolution), level: encodeDetail(part.detail) };
  }
  return encoded;
}

/** The class of a MIME type. */
export function classOf(mime: string | undefined): MediaClass {
  if (mime === undefined) return 'file';
  if (mime.startsWith('image/')) return 'image';
  if (mime.startsWith('audio/')) return 'audio';
  if (mime.startsWith('video/')) return 'video';
  return mime === 'application/pdf' || mime.startsWith('text/') ? 'document' : 'file';
}

const ENDINGS: readonly (readonly [RegExp, MediaClass])[] = [
  [/\.(?:png|jpe?g|webp|gif|heic|heif)$/i, 'image'],
  [/\.(?:pdf|txt|md|html?)$/i, 'document'],
  [/\.(?:mp3|wav|aac|flac|ogg|aiff|m4a)$/i, 'audio'],
  [/\.(?:mp4|mov|mpe?g|avi|webm|wmv|flv|3gpp?)$/i, 'video'],
];

function classOfUrl(url: string): MediaClass {
  if (VIDEO_SITE.test(url)) return 'video';
  const path = url.replace(/[?#].*$/s, '');
  return ENDINGS.find(([ending]) => ending.test(path))?.[1] ?? 'file';
}

/** The levels of resolution for the words of the model. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ['low', `${LEVEL}LOW`],
  ['medium', `${LEVEL}MEDIUM`],
  ['high', `${LEVEL}HIGH`],
  ['original', `${LEVEL}ULTRA_HIGH`],
  ['auto', `${LEVEL}UNSPECIFIED`],
]);

const WORDS = new Map([...LEVELS].map(([word, level]) => [level, word]));

/** The word of the model for a level of resolution; a level without one stays as it is. */
export function decodeDetail(level: string): string {
  return WORDS.get(level.toUpperCase()) ?? level;
}

/** The level for a word of the model; what is none stays as it is. */
export function encodeDetail(detail: string): string {
  return LEVELS.get(detail) ?? detail;
}

function isStruct(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): JsonObject {
  return isStruct(value) ? value : {};
}

/** A bag for this dialect, or undefined when there is nothing to put in it. */
export function bagOf(...parts: readonly (JsonObject | undefined)[]): Extensions | undefined {
  let bag: JsonObject | undefined;
  for (const part of parts) {
    if (part === undefined) continue;
    for (const key in part) {
      bag ??= {};
      put(bag, key, part[key]);
    }
  }
  return bag === undefined ? undefined : { generateContent: bag };
}
