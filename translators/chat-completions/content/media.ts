import type { MediaClass, MediaPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ServerFlags } from '../../target/server-words.js';
import { isBase64, toStandardBase64 } from '../../wire/base64.js';
import { type DataUrl, formatDataUrl, parseDataUrl } from '../../wire/data-url.js';
import { WireError } from '../../wire/errors.js';
import { check, DIALECT, finish, invalid, type Kept, keep, keepInner, keysOf } from '../nodes.js';
import * as wire from '../wire/index.js';

const IMAGE = keysOf(wire.imageUrl);
const AUDIO = keysOf(wire.inputAudio);
const FILE = keysOf(wire.file);
const FILE_FIELDS: ReadonlySet<string> = new Set(['file_id', 'filename', 'file_data']);
const DOCUMENT = keysOf(wire.documentUrl);
const URL_FIELDS: ReadonlySet<string> = new Set(['url', 'detail']);

/** Members that hold an address, by the type of their part, with what is at it. */
const LINKS = {
  video_url: { schema: wire.videoUrl, class: 'video' },
  audio_url: { schema: wire.audioUrl, class: 'audio' },
} as const;

/** A picture, by its address or as a data URL [H §3.2]. */
export function decodeImage(node: JsonObject, ptr: string): MediaPart {
  const { image_url: image } = check(wire.imageUrl, node, ptr);
  const kept = keep(node, IMAGE, ptr);
  if (typeof image === 'string') {
    const at = `${ptr}/image_url`;
    return linked('image', image, at, placed(kept, at));
  }
  const inner = keepInner(kept, 'image_url', node.image_url, URL_FIELDS, ptr);
  const at = `${ptr}/image_url/url`;
  const found = linked('image', image.url, at, inner);
  const part = found.class === 'image' ? found : { ...found, src: { ...found.src, ptr, at: { data: at } } };
  return typeof image.detail === 'string' ? { ...part, detail: image.detail } : part;
}

/** A film or sound by its address. */
export function decodeLink(node: JsonObject, type: keyof typeof LINKS, ptr: string): MediaPart {
  const { schema, class: kind } = LINKS[type];
  check(schema, node, ptr);
  const link = node[type] as JsonObject;
  const kept = keepInner(keep(node, keysOf(schema), ptr), type, link, URL_FIELDS, ptr);
  const part = linked(kind, String(link.url), `${ptr}/${type}/url`, kept);
  return typeof link.detail === 'string' ? { ...part, detail: link.detail } : part;
}

/** A document by its address, as one vendor has it [H §3.2]. */
export function decodeDocumentUrl(node: JsonObject, ptr: string): MediaPart {
  const { document_url: url, document_name: filename } = check(wire.documentUrl, node, ptr);
  const at = `${ptr}/document_url`;
  const part = linked('document', url, at, placed(keep(node, DOCUMENT, ptr), at));
  return typeof filename === 'string' ? { ...part, filename } : part;
}

/** Notes where the data is, for kinds of media that have more than one place for it. */
function placed(kept: Kept, data: string): Kept {
  return { ...kept, src: { ...kept.src, at: { ...kept.src.at, data } } };
}

/** Where the bytes of a media part of a request are below the part, as a JSON Pointer. */
export function mediaPath({ class: kind, src }: MediaPart): string {
  const place = src?.at?.data;
  if (place !== undefined) return place.slice(src?.ptr.length);
  return kind === 'image' ? '/image_url/url' : '/file/file_data';
}

/** Sound in base64; one vendor wants a data URL in its place [H §3.2]. */
export function decodeAudio(node: JsonObject, ptr: string): MediaPart {
  const { input_audio: audio } = check(wire.inputAudio, node, ptr);
  const at = `${ptr}/input_audio/data`;
  const fields: ReadonlySet<string> = new Set(['data', 'format']);
  const kept = keepInner(keep(node, AUDIO, ptr), 'input_audio', node.input_audio, fields, ptr);
  const inline = readDataUrl(audio.data, at);
  if (inline === undefined && !isBase64(audio.data)) throw invalid(at, 'expected base64');
  const base64 = inline?.base64 ?? toStandardBase64(audio.data);
  const mime = typeof audio.format === 'string' ? `audio/${audio.format}` : (inline?.mime ?? 'audio/wav');
  return { kind: 'media', class: 'audio', mime, data: { from: 'base64', base64 }, ...kept };
}

/** A file: its data, an address in their place, or an id that the service gave it. */
export function decodeFile(node: JsonObject, ptr: string): MediaPart {
  const { file } = check(wire.file, node, ptr);
  const { file_data: data, file_id: id } = file;
  const isKept = typeof data !== 'string' && typeof id === 'string';
  // Beside the data an id says nothing that the model needs.
  const known = isKept ? FILE_FIELDS : new Set(['filename', 'file_data']);
  const kept = keepInner(keep(node, FILE, ptr), 'file', node.file, known, ptr);
  const name = typeof file.filename === 'string' ? { filename: file.filename } : undefined;
  if (isKept) return { kind: 'media', class: 'file', data: { from: 'file', id, vendor: DIALECT }, ...name, ...kept };
  if (typeof data !== 'string') throw invalid(`${ptr}/file`, 'a file needs file_data or file_id');
  if (/^https?:\/\//i.test(data)) {
    return { kind: 'media', class: 'document', data: { from: 'url', url: data }, ...name, ...kept };
  }
  const at = `${ptr}/file/file_data`;
  const url = readDataUrl(data, at);
  const { mime, base64 } = url ?? bareData(data, file.filename ?? '', ptr);
  const part: MediaPart = {
    kind: 'media',
    class: classOf(mime),
    mime,
    data: { from: 'base64', base64 },
    ...name,
    // A picture is one whatever it came as; only its place tells.
    ...placed(kept, at),
  };
  return url === undefined ? keepBare(part, at) : part;
}

/** Notes that the data came without a URL around it. */
function keepBare(part: MediaPart, at: string): MediaPart {
  return { ...part, src: { ptr: '', ...part.src, at: { ...part.src?.at, bare: at } } };
}

/** Some clients send bare base64, whose type only the name tells. */
function bareData(data: string, filename: string, ptr: string): Pick<DataUrl, 'mime' | 'base64'> {
  if (!isBase64(data)) throw invalid(`${ptr}/file/file_data`, 'expected a data URL');
  const mime = /\.pdf$/i.test(filename) ? 'application/pdf' : 'application/octet-stream';
  return { mime, base64: toStandardBase64(data) };
}

/** What is at an address; a data URL is the thing itself. */
function linked(kind: MediaClass, url: string, at: string, kept: Kept): MediaPart {
  const inline = readDataUrl(url, at);
  if (inline === undefined) return { kind: 'media', class: kind, data: { from: 'url', url }, ...kept };
  const { mime, base64 } = inline;
  // What the data is says its type: documents come under `image_url` too.
  return {
    kind: 'media',
    class: kind === 'image' ? classOf(mime) : kind,
    mime,
    data: { from: 'base64', base64 },
    ...kept,
  };
}

function readDataUrl(url: string, at: string): DataUrl | undefined {
  try {
    return parseDataUrl(url);
  } catch (error) {
    if (error instanceof WireError) throw invalid(at, error.message);
    throw error;
  }
}

function classOf(mime: string): MediaClass {
  const [kind] = mime.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind;
  return mime === 'application/pdf' || kind === 'text' ? 'document' : 'file';
}

/** How files and sound are written; servers differ. */
export type MediaForms = Pick<ServerFlags, 'fileParts' | 'audioParts'>;

/** The forms of the vendor of the protocol. */
const STANDARD: MediaForms = { fileParts: 'data', audioParts: 'base64' };

/** A media part; without `forms` it is of this dialect, and written as it came. */
export function encodeMedia(part: MediaPart, forms?: MediaForms): JsonObject {
  const { fileParts, audioParts } = forms ?? STANDARD;
  const own = forms === undefined;
  const place = own ? part.src?.at?.data : undefined;
  const isFile = part.data.from === 'file' || place?.endsWith('/file_data') === true;
  if (part.class === 'image' && !isFile) {
    const image = { url: urlOf(part), ...(part.detail !== undefined && { detail: part.detail }) };
    const isBare = place?.endsWith('/image_url') === true;
    return finish({ type: 'image_url', image_url: isBare ? image.url : image }, part, own);
  }
  if (part.class === 'audio' && part.data.from === 'base64' && !isFile) {
    const data = audioParts === 'data-url' ? urlOf(part) : part.data.base64;
    return finish({ type: 'input_audio', input_audio: { data, format: formatOf(part) } }, part, own);
  }
  if ((part.class === 'audio' || part.class === 'video') && !isFile) {
    const type = `${part.class}_url`;
    return finish({ type, [type]: { url: urlOf(part) } }, part, own);
  }
  const named = part.filename !== undefined;
  if (place === undefined ? fileParts === 'document_url' : place.endsWith('/document_url')) {
    const document = {
      type: 'document_url',
      document_url: urlOf(part),
      ...(named && { document_name: part.filename }),
    };
    return finish(document, part, own);
  }
  const file: JsonObject = named ? { filename: part.filename } : {};
  if (part.data.from === 'file') file.file_id = part.data.id;
  else if (own && part.src?.at?.bare !== undefined && part.data.from === 'base64') file.file_data = part.data.base64;
  else file.file_data = urlOf(part);
  return finish({ type: 'file', file }, part, own);
}

function urlOf({ data, mime }: MediaPart): string {
  if (data.from === 'base64') return formatDataUrl(mime ?? 'application/octet-stream', data.base64);
  return data.from === 'url' ? data.url : data.id;
}

/** The word of the protocol for a type of sound: `wav` or `mp3` [H §3.2]. */
function formatOf({ mime = '' }: MediaPart): string {
  return AUDIO_FORMATS[mime] ?? mime.replace(/^audio\//, '');
}

/** The types of sound that servers read, with the words for them. */
export const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};
