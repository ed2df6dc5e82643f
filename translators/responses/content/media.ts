import { breakpointOf } from '../../adapt/index.js';
import type { MediaClass, MediaPart, Part, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isBase64, toStandardBase64 } from '../../wire/base64.js';
import { formatDataUrl, parseDataUrl } from '../../wire/data-url.js';
import { WireError } from '../../wire/errors.js';
import {
  check,
  complete,
  DIALECT,
  fault,
  keysOf,
  NATIVE,
  origin,
  type Printer,
  type Reader,
  sameJson,
  withExtra,
} from '../nodes.js';
import * as wire from '../wire/index.js';

const INPUT_IMAGE = keysOf(wire.inputImage);
const INPUT_FILE = keysOf(wire.inputFile);
const INPUT_AUDIO = keysOf(wire.inputAudio);

/** An explicit breakpoint [R §2.5]; anything else in it stays in the bag. */
export function withMark<P extends TextPart | MediaPart>(part: P, mark: JsonObject | null | undefined): P {
  if (mark === undefined || mark === null) return part;
  const marked = { ...part, cache: typeof mark.ttl === 'string' ? { ttl: mark.ttl } : {} };
  return sameJson(mark, encodeMark(marked, NATIVE)) ? marked : withExtra(marked, 'prompt_cache_breakpoint', mark);
}

export function encodeMark(part: Part, printer: Printer): JsonObject | undefined {
  if (part.cache === undefined || (!printer.native && printer.marked?.has(part) !== true)) return undefined;
  if (!printer.native) return breakpointOf(part.cache);
  return part.cache.ttl === undefined ? { mode: 'explicit' } : { mode: 'explicit', ttl: part.cache.ttl };
}

export function decodeImage(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const image = check(wire.inputImage, node, ptr, reader);
  const media = origin(node, INPUT_IMAGE, ptr);
  const detail = image.detail ?? undefined;
  if (typeof image.image_url === 'string') {
    const url = image.image_url;
    const inline = decodeDataUrl(url, `${ptr}/image_url`, reader);
    const part: MediaPart =
      inline === undefined
        ? { kind: 'media', class: 'image', data: { from: 'url', url }, detail, ...media }
        : {
            kind: 'media',
            class: 'image',
            mime: inline.mime,
            data: { from: 'base64', base64: inline.base64 },
            detail,
            ...media,
          };
    const marked = withMark(part, image.prompt_cache_breakpoint);
    return typeof image.file_id === 'string' ? withExtra(marked, 'file_id', image.file_id) : marked;
  }
  if (typeof image.file_id === 'string') {
    const data = { from: 'file', id: image.file_id, vendor: DIALECT } as const;
    return withMark({ kind: 'media', class: 'image', data, detail, ...media }, image.prompt_cache_breakpoint);
  }
  throw fault(reader, ptr, 'an image needs image_url or file_id');
}

interface Inline {
  readonly mime: string;
  readonly base64: string;
}

function decodeDataUrl(url: string, ptr: string, reader: Reader): Inline | undefined {
  try {
    return parseDataUrl(url);
  } catch (error) {
    if (error instanceof WireError) throw fault(reader, ptr, error.message);
    throw error;
  }
}

export function decodeFile(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const file = check(wire.inputFile, node, ptr, reader);
  const fields = {
    filename: file.filename ?? undefined,
    detail: file.detail ?? undefined,
    ...origin(node, INPUT_FILE, ptr),
  };
  let part: MediaPart;
  if (typeof file.file_data === 'string') {
    const inline = decodeFileData(file.file_data, file.filename ?? '', `${ptr}/file_data`, reader);
    const data = { from: 'base64', base64: inline.base64 } as const;
    part = { kind: 'media', class: classOf(inline.mime), mime: inline.mime, data, ...fields };
    // An image is one whatever it came as; only its place tells.
    if (part.class === 'image') part = { ...part, src: { ptr, at: { data: `${ptr}/file_data` } } };
  } else if (typeof file.file_url === 'string') {
    part = { kind: 'media', class: 'document', data: { from: 'url', url: file.file_url }, ...fields };
  } else if (typeof file.file_id === 'string') {
    part = { kind: 'media', class: 'file', data: { from: 'file', id: file.file_id, vendor: DIALECT }, ...fields };
  } else {
    throw fault(reader, ptr, 'a file needs file_data, file_url or file_id');
  }
  part = withMark(part, file.prompt_cache_breakpoint);
  if (part.data.from === 'base64' && typeof file.file_url === 'string')
    part = withExtra(part, 'file_url', file.file_url);
  if (part.data.from !== 'file' && typeof file.file_id === 'string') part = withExtra(part, 'file_id', file.file_id);
  return part;
}

/** File data is a data URL; some clients send bare base64, whose type only the name tells [R §8 rule 41]. */
function decodeFileData(data: string, filename: string, ptr: string, reader: Reader): Inline {
  const inline = decodeDataUrl(data, ptr, reader);
  if (inline !== undefined) return inline;
  if (!isBase64(data)) throw fault(reader, ptr, 'expected a data URL');
  const mime = /\.pdf$/i.test(filename) ? 'application/pdf' : 'application/octet-stream';
  return { mime, base64: toStandardBase64(data) };
}

function classOf(mime: string): MediaClass {
  if (mime.startsWith('image/')) return 'image';
  if (mime.startsWith('audio/')) return 'audio';
  if (mime.startsWith('video/')) return 'video';
  return mime === 'application/pdf' || mime.startsWith('text/') ? 'document' : 'file';
}

export function decodeAudio(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const { input_audio: audio } = check(wire.inputAudio, node, ptr, reader);
  if (!isBase64(audio.data)) throw fault(reader, `${ptr}/input_audio/data`, 'expected base64');
  return {
    kind: 'media',
    class: 'audio',
    mime: `audio/${audio.format}`,
    data: { from: 'base64', base64: audio.data },
    ...origin(node, INPUT_AUDIO, ptr),
  };
}

export function encodeMedia(part: MediaPart, printer: Printer): JsonObject {
  const mark = encodeMark(part, printer);
  const fields = mediaFields(part, printer);
  if (mark !== undefined) fields.prompt_cache_breakpoint = mark;
  return complete(fields, part);
}

function mediaFields(part: MediaPart, printer: Printer): JsonObject {
  if (printer.native && part.class === 'audio' && part.data.from === 'base64' && part.filename === undefined) {
    const format = (part.mime ?? '').replace(/^audio\//, '');
    return { type: 'input_audio', input_audio: { data: part.data.base64, format } };
  }
  if (part.class === 'image' && !(printer.native && part.src?.at?.data !== undefined))
    return imageFields(part, printer);
  const fields: JsonObject = { type: 'input_file' };
  if (part.filename !== undefined) fields.filename = part.filename;
  if (part.data.from === 'url') fields.file_url = part.data.url;
  else if (part.data.from === 'file') fields.file_id = part.data.id;
  else fields.file_data = dataUrlOf(part, part.data.base64);
  if (part.detail !== undefined) fields.detail = part.detail;
  return fields;
}

function imageFields(part: MediaPart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'input_image' };
  if (part.data.from === 'url') fields.image_url = part.data.url;
  else if (part.data.from === 'file') fields.file_id = part.data.id;
  else fields.image_url = dataUrlOf(part, part.data.base64);
  if (part.detail !== undefined) fields.detail = part.detail;
  else if (!printer.native) fields.detail = printer.detail ?? 'auto';
  return fields;
}

function dataUrlOf(part: MediaPart, base64: string): string {
  return formatDataUrl(part.mime ?? 'application/octet-stream', base64);
}
