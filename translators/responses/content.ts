import type { MediaClass, MediaPart, OpaquePart, Part, RefusalPart, TextPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { isBase64, toStandardBase64 } from '../wire/base64.js';
import { formatDataUrl, parseDataUrl } from '../wire/data-url.js';
import { WireError } from '../wire/errors.js';
import { isObject } from '../wire/json.js';
import { decodeAnnotations, decodeLogprobs, encodeAnnotations, encodeLogprobs } from './citations.js';
import {
  bagOf,
  CLIENT,
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
  spelled,
  spelling,
  withExtra,
  withWord,
} from './nodes.js';
import * as wire from './wire.js';

const INPUT_TEXT = keysOf(wire.inputText);
const INPUT_IMAGE = keysOf(wire.inputImage);
const INPUT_FILE = keysOf(wire.inputFile);
const INPUT_AUDIO = keysOf(wire.inputAudio);
const OUTPUT_TEXT = keysOf(wire.outputText);
const REFUSAL = keysOf(wire.refusal);

/** What stands in messages and outputs of calls. */
export type ContentPart = TextPart | RefusalPart | MediaPart | OpaquePart;

/** What the parts of one message share. */
export interface MessageFields {
  readonly id?: string;
  readonly item?: number;
  readonly phase?: string;
}

const ALONE: MessageFields = {};

// Parts are written as plain literals, field by field: spreading costs more than all the rest of reading them.

/** A content part of a message or of a call's output [R §2.5]. Unknown types come back opaque. */
export function decodeContentPart(
  node: JsonObject,
  ptr: string,
  reader: Reader,
  shared: MessageFields = ALONE,
): ContentPart {
  if (!isObject(node)) throw fault(reader, ptr, 'expected an object');
  switch (node.type) {
    case 'input_text':
      return decodeInputText(node, ptr, reader, shared);
    case 'output_text':
      return decodeOutputText(node, ptr, reader, shared);
    case 'refusal':
      return decodeRefusal(node, ptr, reader, shared);
    case 'input_image':
      return { ...decodeImage(node, ptr, reader), ...shared };
    case 'input_file':
      return { ...decodeFile(node, ptr, reader), ...shared };
    case 'input_audio':
      return { ...decodeAudio(node, ptr, reader), ...shared };
    default:
      if (typeof node.type !== 'string') throw fault(reader, `${ptr}/type`, 'expected the type of a content part');
      return { kind: 'opaque', dialect: DIALECT, type: node.type, raw: node, ...shared, src: { ptr, shape: ['part'] } };
  }
}

/** A text that came as a bare string. */
export function bareText(text: string, ptr: string, { id, item, phase }: MessageFields = ALONE): TextPart {
  return {
    kind: 'text',
    text,
    citations: undefined,
    logprobs: undefined,
    id,
    item,
    phase,
    ext: undefined,
    src: { ptr },
  };
}

const AS_INPUT: readonly string[] = ['input_text'];
const AS_OUTPUT: readonly string[] = ['output_text'];
const AS_OUTPUT_WITH_LOGPROBS: readonly string[] = ['output_text', 'logprobs'];
const AS_OUTPUT_WITHOUT_LISTS: readonly string[] = ['output_text', 'no:annotations'];

function decodeInputText(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): TextPart {
  const { text, prompt_cache_breakpoint: mark } = check(wire.inputText, node, ptr, reader);
  const { ext, src } = origin(node, INPUT_TEXT, ptr, AS_INPUT);
  return withMark({ kind: 'text', text, citations: undefined, logprobs: undefined, id, item, phase, ext, src }, mark);
}

function decodeRefusal(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): RefusalPart {
  const { refusal: text } = check(wire.refusal, node, ptr, reader);
  const { ext, src } = origin(node, REFUSAL, ptr);
  return { kind: 'refusal', text, id, item, phase, ext, src };
}

/** An explicit breakpoint [R §2.5]; anything else in it stays in the bag. */
function withMark<P extends TextPart | MediaPart>(part: P, mark: JsonObject | null | undefined): P {
  if (mark === undefined || mark === null) return part;
  const marked = { ...part, cache: typeof mark.ttl === 'string' ? { ttl: mark.ttl } : {} };
  return sameJson(mark, encodeMark(marked, NATIVE)) ? marked : withExtra(marked, 'prompt_cache_breakpoint', mark);
}

function encodeMark(part: Part, printer: Printer): JsonObject | undefined {
  if (part.cache === undefined || (!printer.native && printer.marked?.has(part) !== true)) return undefined;
  return part.cache.ttl === undefined ? { mode: 'explicit' } : { mode: 'explicit', ttl: part.cache.ttl };
}

function decodeOutputText(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): TextPart {
  const { text, annotations, logprobs } = check(wire.outputText, node, ptr, reader);
  const listed = logprobs !== undefined && logprobs !== null;
  const words = listed ? AS_OUTPUT_WITH_LOGPROBS : annotations === undefined ? AS_OUTPUT_WITHOUT_LISTS : AS_OUTPUT;
  const { ext, src } = origin(
    node,
    OUTPUT_TEXT,
    ptr,
    listed && annotations === undefined ? [...words, 'no:annotations'] : words,
  );
  const part: TextPart = { kind: 'text', text, citations: undefined, logprobs: undefined, id, item, phase, ext, src };
  const cited = annotations && annotations.length > 0 ? withAnnotations(part, annotations, ptr) : part;
  return logprobs && logprobs.length > 0 ? withLogprobs(cited, logprobs) : cited;
}

function withAnnotations(part: TextPart, annotations: readonly JsonObject[], ptr: string): TextPart {
  const { citations, whole } = decodeAnnotations(annotations, part.text, ptr);
  const cited = citations.length > 0 ? { ...part, citations } : part;
  return whole ? cited : withExtra(cited, 'annotations', annotations);
}

function withLogprobs(part: TextPart, logprobs: readonly JsonObject[]): TextPart {
  const tokens = decodeLogprobs(logprobs);
  const told = tokens === undefined ? part : { ...part, logprobs: tokens };
  return sameJson(encodeLogprobs(tokens), logprobs) ? told : withExtra(told, 'logprobs', logprobs);
}

function decodeImage(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const image = check(wire.inputImage, node, ptr, reader);
  const media = origin(node, INPUT_IMAGE, ptr);
  const detail = image.detail ?? undefined;
  if (typeof image.image_url === 'string') {
    const url = image.image_url;
    const inline = readDataUrl(url, `${ptr}/image_url`, reader);
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
    const named = inline === undefined || isPlain(url, inline) ? part : withWord(part, `raw:${url}`);
    const marked = withMark(named, image.prompt_cache_breakpoint);
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

function readDataUrl(url: string, ptr: string, reader: Reader): Inline | undefined {
  try {
    return parseDataUrl(url);
  } catch (error) {
    if (error instanceof WireError) throw fault(reader, ptr, error.message);
    throw error;
  }
}

/** Whether printing the parsed URL gives the same text again. */
function isPlain(url: string, { mime, base64 }: Inline): boolean {
  const head = `data:${mime};base64,`;
  return url.length === head.length + base64.length && url.startsWith(head) && url.endsWith(base64);
}

function decodeFile(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const file = check(wire.inputFile, node, ptr, reader);
  const fields = {
    filename: file.filename ?? undefined,
    detail: file.detail ?? undefined,
    ...origin(node, INPUT_FILE, ptr, ['input_file']),
  };
  let part: MediaPart;
  if (typeof file.file_data === 'string') {
    const inline = readFileData(file.file_data, file.filename ?? '', `${ptr}/file_data`, reader);
    const data = { from: 'base64', base64: inline.base64 } as const;
    part = { kind: 'media', class: classOf(inline.mime), mime: inline.mime, data, ...fields };
    if (!isPlain(file.file_data, inline)) part = withWord(part, `raw:${file.file_data}`);
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
function readFileData(data: string, filename: string, ptr: string, reader: Reader): Inline {
  const inline = readDataUrl(data, ptr, reader);
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

function decodeAudio(node: JsonObject, ptr: string, reader: Reader): MediaPart {
  const { input_audio: audio } = check(wire.inputAudio, node, ptr, reader);
  if (!isBase64(audio.data)) throw fault(reader, `${ptr}/input_audio/data`, 'expected base64');
  return {
    kind: 'media',
    class: 'audio',
    mime: `audio/${audio.format}`,
    data: { from: 'base64', base64: audio.data },
    ...origin(node, INPUT_AUDIO, ptr, ['input_audio']),
  };
}

/** A part of a user's, system's or developer's message, or of a call's output. */
export function encodeInputPart(part: Part, printer: Printer): JsonObject {
  switch (part.kind) {
    case 'text':
      return encodeInputText(part, printer);
    case 'media':
      return encodeMedia(part, printer);
    case 'opaque':
      return part.raw;
    case 'refusal':
      return printer.native ? encodeRefusal(part, printer) : { type: 'input_text', text: part.text };
    default:
      throw fault(CLIENT, part.src?.ptr ?? '', `a ${part.kind} part cannot stand here`);
  }
}

function encodeInputText(part: TextPart, printer: Printer): JsonObject {
  if (spelled(printer, part, 'output_text')) return encodeOutputText(part, printer);
  const mark = encodeMark(part, printer);
  const fields: JsonObject = { type: 'input_text', text: part.text };
  if (mark !== undefined) fields.prompt_cache_breakpoint = mark;
  return complete(fields, part, printer);
}

/** A part of an assistant's message. */
export function encodeOutputPart(part: TextPart | RefusalPart | OpaquePart, printer: Printer): JsonObject {
  switch (part.kind) {
    case 'text':
      return spelled(printer, part, 'input_text') ? encodeInputText(part, printer) : encodeOutputText(part, printer);
    case 'refusal':
      return encodeRefusal(part, printer);
    case 'opaque':
      return part.raw;
  }
}

/** `annotations` is always an array: strict hosts refuse its absence (hard case STA-02). */
function encodeOutputText(part: TextPart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'output_text', text: part.text };
  if (!spelled(printer, part, 'no:annotations'))
    fields.annotations = bagOf(part)?.annotations ?? encodeAnnotations(part);
  if (part.logprobs !== undefined || spelled(printer, part, 'logprobs'))
    fields.logprobs = encodeLogprobs(part.logprobs);
  return complete(fields, part, printer);
}

function encodeRefusal(part: RefusalPart, printer: Printer): JsonObject {
  return complete({ type: 'refusal', refusal: part.text }, part, printer);
}

function encodeMedia(part: MediaPart, printer: Printer): JsonObject {
  const mark = encodeMark(part, printer);
  const fields = mediaFields(part, printer);
  if (mark !== undefined) fields.prompt_cache_breakpoint = mark;
  return complete(fields, part, printer);
}

function mediaFields(part: MediaPart, printer: Printer): JsonObject {
  if (spelled(printer, part, 'input_audio') && part.data.from === 'base64') {
    const format = (part.mime ?? '').replace(/^audio\//, '');
    return { type: 'input_audio', input_audio: { data: part.data.base64, format } };
  }
  if (part.class === 'image' && !spelled(printer, part, 'input_file')) return imageFields(part, printer);
  const fields: JsonObject = { type: 'input_file' };
  if (part.filename !== undefined) fields.filename = part.filename;
  if (part.data.from === 'url') fields.file_url = part.data.url;
  else if (part.data.from === 'file') fields.file_id = part.data.id;
  else fields.file_data = dataUrlOf(part, part.data.base64, printer);
  if (part.detail !== undefined) fields.detail = part.detail;
  return fields;
}

function imageFields(part: MediaPart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'input_image' };
  if (part.data.from === 'url') fields.image_url = part.data.url;
  else if (part.data.from === 'file') fields.file_id = part.data.id;
  else fields.image_url = dataUrlOf(part, part.data.base64, printer);
  if (part.detail !== undefined) fields.detail = part.detail;
  else if (!printer.native) fields.detail = printer.detail ?? 'auto';
  return fields;
}

function dataUrlOf(part: MediaPart, base64: string, printer: Printer): string {
  return spelling(printer, part, 'raw:') ?? formatDataUrl(part.mime ?? 'application/octet-stream', base64);
}
