import { pictureLink } from '../../adapt/index.js';
import type { MediaPart, Part, SearchResultPart, TextDocPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isBase64, toStandardBase64 } from '../../wire/base64.js';
import { isObject } from '../../wire/json.js';
import {
  check,
  DIALECT,
  finish,
  invalid,
  type Kept,
  keep,
  keysOf,
  type Mutable,
  textBlock,
  withExtra,
} from '../nodes.js';
import * as wire from '../wire/index.js';

const IMAGE = keysOf(wire.image);
const DOCUMENT = keysOf(wire.document);
const SEARCH_RESULT = keysOf(wire.searchResult);

/** Decodes the blocks inside a document or a search result. */
export type DecodeNested = (node: unknown, ptr: string) => Part;

/** An image block. */
export function decodeImage(node: JsonObject, ptr: string): Part {
  const block = check(wire.image, node, ptr);
  const source = decodeSource(block.source, `${ptr}/source`);
  if (source === undefined) return { kind: 'opaque', dialect: DIALECT, type: 'image', raw: node, src: { ptr } };
  const kept = keepSource(keep(node, IMAGE, ptr), block.source, source);
  const part: Mutable<MediaPart> = { kind: 'media', class: 'image', data: source.data, ...kept };
  if (source.mime !== undefined) part.mime = source.mime;
  return part;
}

interface Source {
  readonly mime?: string;
  readonly data: MediaPart['data'];
  readonly keys: ReadonlySet<string>;
}

const BASE64_KEYS = keysOf(wire.base64Source);
const URL_KEYS = keysOf(wire.urlSource);
const FILE_KEYS = keysOf(wire.fileSource);

/** Bytes, an address or a file of the service; undefined for kinds of source that are unknown. */
function decodeSource(node: JsonObject, ptr: string): Source | undefined {
  switch (node.type) {
    case 'base64': {
      const source = check(wire.base64Source, node, ptr);
      if (!isBase64(source.data))
        throw invalid(`${ptr}/data`, 'not base64 (raw, without data URL prefix or line breaks)');
      const base64 = toStandardBase64(source.data);
      return { mime: source.media_type, data: { from: 'base64', base64 }, keys: BASE64_KEYS };
    }
    case 'url':
      return { data: { from: 'url', url: check(wire.urlSource, node, ptr).url }, keys: URL_KEYS };
    case 'file':
      return {
        data: { from: 'file', id: check(wire.fileSource, node, ptr).file_id, vendor: DIALECT },
        keys: FILE_KEYS,
      };
    default:
      if (typeof node.type !== 'string') throw invalid(`${ptr}/type`, 'field required');
      return undefined;
  }
}

/** A source with further keys is kept whole. */
function keepSource(kept: Kept, node: JsonObject, source: Source): Kept {
  for (const key in node) if (!source.keys.has(key)) return withExtra(kept, 'source', node);
  return kept;
}

/** A document block: a file, or text or blocks in place of one. */
export function decodeDocument(node: JsonObject, ptr: string, nested: DecodeNested): Part {
  const block = check(wire.document, node, ptr);
  const inline = decodeInline(block.source, ptr, nested);
  const source = inline === undefined ? decodeSource(block.source, `${ptr}/source`) : undefined;
  if (inline === undefined && source === undefined) {
    return { kind: 'opaque', dialect: DIALECT, type: 'document', raw: node, src: { ptr } };
  }
  let kept = keep(node, DOCUMENT, ptr);
  if (inline?.whole === false) kept = withExtra(kept, 'source', block.source);
  if (source !== undefined) kept = keepSource(kept, block.source, source);
  if (isOdd(node.citations)) kept = withExtra(kept, 'citations', node.citations);
  const about = {
    ...(typeof block.title === 'string' && { title: block.title }),
    ...(typeof block.context === 'string' && { context: block.context }),
    ...(typeof block.citations?.enabled === 'boolean' && { citable: block.citations.enabled }),
    ...kept,
  };
  if (inline !== undefined) return { kind: 'textdoc', parts: inline.parts, ...about };
  const { mime, data } = source ?? { mime: undefined, data: { from: 'url', url: '' } as const };
  return {
    kind: 'media',
    class: 'document',
    mime: mime ?? (data.from === 'url' ? 'application/pdf' : undefined),
    data,
    ...about,
  };
}

/** Whether a `citations` setting is more than on or off. */
function isOdd(citations: unknown): boolean {
  if (typeof citations !== 'object' || citations === null) return false;
  const keys = Object.keys(citations);
  return keys.length !== 1 || !('enabled' in citations) || typeof citations.enabled !== 'boolean';
}

interface Inline {
  readonly parts: (TextPart | MediaPart)[];
  /** False when the parts do not hold all of the source. */
  readonly whole: boolean;
}

/** A source that is text or blocks. */
function decodeInline(node: JsonObject, ptr: string, nested: DecodeNested): Inline | undefined {
  if (node.type === 'text') {
    const source = check(wire.textSource, node, `${ptr}/source`);
    const whole = source.media_type === 'text/plain' && Object.keys(node).length === 3;
    return { parts: [{ kind: 'text', text: source.data, src: { ptr: `${ptr}/source/data` } }], whole };
  }
  if (node.type !== 'content') return undefined;
  const { content } = check(wire.contentSource, node, `${ptr}/source`);
  const at = `${ptr}/source/content`;
  if (typeof content === 'string') {
    return { parts: [{ kind: 'text', text: content, src: { ptr: at } }], whole: true };
  }
  const parts = content.map((child, index) => nested(child, `${at}/${index}`));
  const fitting = parts.filter((part): part is TextPart | MediaPart => part.kind === 'text' || part.kind === 'media');
  return { parts: fitting, whole: fitting.length === parts.length };
}

/** A search result given by the client. */
export function decodeSearchResult(node: JsonObject, ptr: string, nested: DecodeNested): Part {
  const block = check(wire.searchResult, node, ptr);
  const parts = block.content.map((child, index) => nested(child, `${ptr}/content/${index}`));
  const texts = parts.filter((part): part is TextPart => part.kind === 'text');
  let kept = keep(node, SEARCH_RESULT, ptr);
  if (texts.length < parts.length) kept = withExtra(kept, 'content', block.content);
  if (isOdd(node.citations)) kept = withExtra(kept, 'citations', node.citations);
  return {
    kind: 'searchResult',
    source: block.source,
    title: block.title,
    parts: texts,
    ...(typeof block.citations?.enabled === 'boolean' && { citable: block.citations.enabled }),
    ...kept,
  };
}

/** Encodes a part inside another. */
type EncodeNested = (part: TextPart | MediaPart) => JsonObject;

/** An image or a document; what has no block of its own is not given here. */
export function encodeMedia(part: MediaPart, own: boolean): JsonObject {
  const out: JsonObject = { type: part.class === 'image' ? 'image' : 'document', source: encodeSource(part) };
  if (part.class !== 'image') addAbout(out, part);
  const { source } = finish(out, part, own);
  // Keys of the bag are those of the source that came, which another may have replaced.
  if (isObject(source) && source.type !== part.data.from) out.source = encodeSource(part);
  return out;
}

function encodeSource(part: MediaPart): JsonObject {
  const { data } = part;
  switch (data.from) {
    case 'base64':
      return { type: 'base64', media_type: part.mime, data: data.base64 };
    case 'url':
      return { type: 'url', url: data.url };
    case 'file':
      return { type: 'file', file_id: data.id };
  }
}

function addAbout(out: JsonObject, part: MediaPart | TextDocPart): void {
  if (part.title !== undefined) out.title = part.title;
  if (part.context !== undefined) out.context = part.context;
  if (part.citable !== undefined) out.citations = { enabled: part.citable };
}

/** A document given as text or blocks. */
export function encodeTextDoc(part: TextDocPart, own: boolean, nested: EncodeNested): JsonObject {
  const out: JsonObject = { type: 'document', source: encodeInline(part, own, nested) };
  addAbout(out, part);
  return finish(out, part, own);
}

function encodeInline(part: TextDocPart, own: boolean, nested: EncodeNested): JsonObject {
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  // What came as content is cited by blocks, and text by characters [M §2.3].
  const isContent = own && only?.src?.ptr.endsWith('/source/data') === false;
  if (only?.kind === 'text' && !isContent) return { type: 'text', media_type: 'text/plain', data: only.text };
  return { type: 'content', content: part.parts.map(nested) };
}

/** A search hit. */
export function encodeSearchResult(part: SearchResultPart, own: boolean, nested: EncodeNested): JsonObject {
  const out: JsonObject = {
    type: 'search_result',
    source: part.source,
    title: part.title,
    content: part.parts.map(nested),
  };
  if (part.citable !== undefined) out.citations = { enabled: part.citable };
  return finish(out, part, own);
}

/**
 * A picture the model made: a link to it where the host keeps pictures, else an image block, an extension that is accepted
 * back. A text replaces other media.
 */
export function encodeForeignMedia(
  part: MediaPart,
  { losses, keepPicture }: Pick<EncodeResponseContext, 'losses' | 'keepPicture'>,
): JsonObject | undefined {
  if (part.thought === true) {
    losses.add(part, 'part.media', 'dropped', 'images within the reasoning are not sent');
    return undefined;
  }
  if (part.class !== 'image' || part.data.from === 'file') {
    losses.add(
      part,
      'part.media',
      'approximated',
      `an answer cannot hold ${part.class}; replaced by a text that says so`,
    );
    return textBlock(`[${part.class} omitted: ${part.mime ?? 'unknown type'}]`);
  }
  const { data, mime = 'image/png' } = part;
  const url = data.from === 'url' ? data.url : keepPicture?.(mime, data.base64);
  if (url !== undefined && keepPicture !== undefined) {
    losses.add(part, 'part.media', 'approximated', 'an image in an answer is sent as a link');
    return textBlock(pictureLink(url));
  }
  losses.add(part, 'part.media', 'approximated', 'a picture in an answer is an extension of the dialect');
  const source =
    data.from === 'url' ? { type: 'url', url: data.url } : { type: 'base64', media_type: mime, data: data.base64 };
  return { type: 'image', source };
}
