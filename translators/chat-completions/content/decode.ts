import type { MediaPart, OpaquePart, Part, RefusalPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { textPart } from '../../canonical/parts.js';
import { isObject, lookUp } from '../../wire/json.js';
import { sourceAt } from '../../wire/memory.js';
import { itemPtr } from '../../wire/pointer.js';
import { check, invalid, keep, keysOf, opaque, remember } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeAudio, decodeDocumentUrl, decodeFile, decodeImage, decodeLink } from './media.js';

const TEXT = keysOf(wire.text);
const REFUSAL = keysOf(wire.refusal);

/** What the content of a message may hold. */
export type ContentPart = TextPart | RefusalPart | MediaPart | OpaquePart;

/** The parts of a message's content [H §3.2]. A bare string is one text; an empty one, or none at all, is no part. */
export function decodeContent(content: string | readonly unknown[] | null | undefined, ptr: string): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [bareText(content, ptr)];
  return (content ?? []).map((node, index) => decodeContentPart(node, itemPtr(ptr, index)));
}

/** A text that came as a bare string. */
export function bareText(text: string, ptr: string): TextPart {
  return textPart(text, sourceAt(ptr));
}

const KINDS: Readonly<Record<string, (node: JsonObject, ptr: string) => ContentPart>> = {
  text: decodeText,
  refusal: decodeRefusal,
  image_url: decodeImage,
  input_audio: decodeAudio,
  file: decodeFile,
  video_url: (node, ptr) => decodeLink(node, 'video_url', ptr),
  audio_url: (node, ptr) => decodeLink(node, 'audio_url', ptr),
  document_url: decodeDocumentUrl,
};

/** One part; a type that nobody knows gives an opaque one. Throws TranslationError for a known one with malformed fields. */
export function decodeContentPart(node: unknown, ptr: string): ContentPart {
  if (!isObject(node)) throw invalid(ptr, 'expected an object');
  if (typeof node.type !== 'string') throw invalid(`${ptr}/type`, 'expected the type of a content part');
  const decode = lookUp(KINDS, node.type) ?? opaque;
  return remember(decode(node, ptr), node);
}

function decodeText(node: JsonObject, ptr: string): TextPart {
  const { text } = check(wire.text, node, ptr);
  const { ext, src, cache } = keep(node, TEXT, ptr);
  const part = textPart(text, src, ext);
  part.cache = cache;
  return part;
}

function decodeRefusal(node: JsonObject, ptr: string): RefusalPart {
  const { refusal: text } = check(wire.refusal, node, ptr);
  return { kind: 'refusal', text, ...keep(node, REFUSAL, ptr) };
}

/** The parts that the result of a tool may hold; a refusal is its words. */
export function isResultPart(part: Part): part is TextPart | MediaPart | OpaquePart {
  return part.kind === 'text' || part.kind === 'media' || part.kind === 'opaque';
}
