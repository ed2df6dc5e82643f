import type { Place } from '../../adapt/index.js';
import { truePicture } from '../../adapt/index.js';
import type {
  CallPart,
  MediaPart,
  Part,
  ResultPart,
  SearchResultPart,
  TextDocPart,
  TextPart,
} from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../../canonical/node.js';
import { plainCall } from '../../canonical/parts.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { changedNumber } from '../../wire/json-numbers.js';
import { DIALECT } from '../nodes.js';
import { argumentsOf, textOf } from '../tools/calls.js';
import { classOf } from './media.js';

type Fitted = Part | readonly Part[] | undefined;

/** Makes a part of another dialect printable (translation.md 2.5, 2.6). */
export function fitPart(part: Part, _place: Place, context: EncodeRequestContext): Fitted {
  const ptr = part.src?.ptr ?? '';
  const { losses } = context;
  switch (part.kind) {
    case 'text':
      return fitText(part, losses);
    case 'refusal':
      losses.add(ptr, 'part.refusal', 'moved', 'the refusal is sent as plain text');
      return fitText({ ...part, kind: 'text' }, losses);
    case 'media':
      return fitMedia(part, context);
    case 'textdoc':
      return fitDocument(part, context);
    case 'searchResult':
      return fitSearchResult(part, losses);
    case 'call':
      return fitCall(part, context);
    case 'result':
      return fitResult(part, context);
    case 'hostedCall':
    case 'hostedResult':
      if (part.kind === 'hostedCall') {
        losses.add(ptr, 'hosted.call', 'approximated', 'sent as a code execution of this service');
      }
      return part;
    case 'reasoning':
      losses.add(ptr, 'reasoning.text', 'dropped', 'reasoning of another service is not sent');
      return undefined;
    case 'compaction':
      throw refuse('a compacted conversation can only be read by the service that made it', ptr);
    case 'ref':
      throw refuse('a reference to a stored item cannot be resolved here', ptr);
    case 'approval':
      losses.add(ptr, 'part.approval', 'dropped', 'the target asks for no consent');
      return undefined;
    case 'toolChange':
    case 'handover':
      return undefined;
    case 'opaque':
      return part.dialect === DIALECT ? part : undefined;
    default:
      return part satisfies never;
  }
}

function refuse(message: string, path: string): TranslationError {
  return new TranslationError('unsupported', message, { path, dialect: DIALECT });
}

function fitText(part: TextPart, losses: Losses): Fitted {
  if (part.text === '' && part.state === undefined && part.carrier === undefined) return undefined;
  const ptr = part.src?.ptr ?? '';
  if (part.phase !== undefined)
    losses.add(fieldPlace(part, 'phase'), 'part.phase', 'dropped', 'the target knows no phases');
  if (part.cache !== undefined) losses.add(ptr, 'cache.mark', 'dropped', 'the target caches by itself');
  if (part.citations !== undefined && part.citations.length > 0) {
    losses.add(ptr, 'part.citation', 'dropped', 'earlier answers are sent without their sources');
  }
  return part;
}

function fitCall(part: CallPart, { losses, maxEventDepth }: EncodeRequestContext): Fitted {
  const ptr = part.src?.ptr ?? '';
  if (part.truncated === true) {
    losses.add(ptr, 'call.truncated', 'dropped', 'a call whose arguments are not complete');
    return undefined;
  }
  if (part.cache !== undefined) losses.add(ptr, 'cache.mark', 'dropped', 'the target caches by itself');
  if (part.args.value !== undefined && part.freeform === undefined) return part;
  const value = argumentsOf(part, maxEventDepth);
  if (part.freeform !== undefined) {
    losses.add(ptr, 'call.freeform', 'approximated', 'the free text travels in a property called input');
  } else if ('_raw_arguments' in value && part.args.value === undefined) {
    losses.add(ptr, 'call.args', 'approximated', 'the arguments are no JSON object; sent as a text');
  } else if (part.args.text !== undefined) {
    const change = changedNumber(part.args.text);
    if (change !== undefined) losses.add(ptr, 'call.args', 'approximated', change);
  }
  return plainCall(part, { value });
}

function fitResult(part: ResultPart, context: EncodeRequestContext): Fitted {
  const { losses } = context;
  const ptr = part.src?.ptr ?? '';
  if (part.cache !== undefined) losses.add(ptr, 'cache.mark', 'dropped', 'the target caches by itself');
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  const isText = only?.kind === 'text' && only.cache === undefined && only.citations === undefined;
  if (isText && part.json === undefined && part.isError !== true) return part;
  const inner: Part[] = [];
  for (const child of part.parts) inner.push(...fitChild(child, context));
  const media = inner.filter((child): child is MediaPart => child.kind === 'media').map((child) => bare(child, losses));
  const texts = inner.filter((child) => child.kind === 'text');
  if (texts.length > 1) losses.add(ptr, 'result.part', 'moved', 'the texts of the result were joined');
  else if (texts.length === 1 && inner[0]?.kind === 'media') {
    losses.add(ptr, 'result.part', 'moved', 'the text of a result is placed before its media');
  }
  const content = fitPayload(part, textOf(texts), losses);
  const { family: _family, custom: _custom, cache: _cache, json: _json, ...rest } = part;
  if (media.length === 0 || context.profile.toolResultMedia) {
    return { ...rest, ...content, parts: [...content.parts, ...media] };
  }
  losses.add(ptr, 'result.media', 'moved', 'media of a result is moved to the user turn that follows');
  const intro: TextPart = { kind: 'text', text: `Media returned by ${part.name ?? 'the tool'}:`, src: part.src };
  return [{ ...rest, ...content }, intro, ...media];
}

/** Media inside a result have neither a clip nor a resolution of their own ([G §2.4]). */
function bare(part: MediaPart, losses: Losses): MediaPart {
  if (part.clip === undefined && part.detail === undefined) return part;
  const ptr = part.src?.ptr ?? '';
  if (part.clip !== undefined) losses.add(ptr, 'part.media.clip', 'dropped', 'media inside a result is read whole');
  if (part.detail !== undefined) {
    losses.add(ptr, 'part.media.detail', 'dropped', 'media inside a result has no resolution of its own');
  }
  const { clip: _clip, detail: _detail, ...rest } = part;
  return rest;
}

/** A JSON result stays one unless its keys would be read as something else ([G §2.4] notes 2 and 3). */
function fitPayload(part: ResultPart, text: string, losses: Losses): Pick<ResultPart, 'parts' | 'json'> {
  if (part.json === undefined) return { parts: text === '' ? [] : [{ kind: 'text', text }] };
  if (part.isError !== true && isPlainResponse(part.json)) return { parts: [], json: part.json };
  losses.add(part.src?.ptr ?? '', 'result.json', 'moved', 'the JSON result is sent as a text');
  return { parts: [{ kind: 'text', text: JSON.stringify(part.json) }] };
}

function isPlainResponse(json: JsonObject): boolean {
  const keys = Object.keys(json);
  if (keys.length === 1 && ['output', 'error', 'result'].includes(keys[0] ?? '')) return false;
  const waiting: unknown[] = [json];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '$ref')) return false;
    waiting.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null));
  }
  return true;
}

function fitChild(child: ResultPart['parts'][number], context: EncodeRequestContext): readonly Part[] {
  if (child.kind === 'opaque') {
    context.losses.add(child.src?.ptr ?? '', 'result.part', 'dropped', `the target knows no ${child.type}`);
    return [];
  }
  const fitted = fitPart(child, 'user', context);
  if (fitted === undefined) return [];
  return isMany(fitted) ? fitted : [fitted];
}

function isMany(fitted: Part | readonly Part[]): fitted is readonly Part[] {
  return Array.isArray(fitted);
}

/** A document given as text: one text that begins with its title and context, and its media behind it. */
function fitDocument(part: TextDocPart, context: EncodeRequestContext): Fitted {
  const { losses } = context;
  losses.add(part.src?.ptr ?? '', 'part.document', 'approximated', 'the document is sent as text');
  const texts = [part.title, part.context].filter((line) => line !== undefined && line !== '');
  const media: Part[] = [];
  for (const child of part.parts) {
    if (child.kind === 'text') {
      if (child.text !== '') texts.push(child.text);
    } else media.push(...fitChild(child, context));
  }
  const text: Part = { kind: 'text', text: texts.join('\n'), src: part.src };
  return texts.length === 0 ? media : [text, ...media];
}

function fitSearchResult(part: SearchResultPart, losses: Losses): Fitted {
  losses.add(part.src?.ptr ?? '', 'part.searchResult', 'approximated', 'the search result is sent as text');
  return { kind: 'text', text: [part.title, part.source, textOf(part.parts)].join('\n'), src: part.src };
}

/** Pictures that the service reads (translation.md 2.6). */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']);

/** What the service reads inline besides pictures, sound, films, PDF and text (translation.md 2.6 "other file types"). */
const TEXTLIKE =
  /^application\/(?:json|xml|javascript|x-javascript|typescript|x-typescript|yaml|x-yaml|x-sh|sql|csv|rtf)$|\+(?:json|xml)$/;

function fitMedia(part: MediaPart, context: EncodeRequestContext): Fitted {
  const { losses, profile } = context;
  const ptr = part.src?.ptr ?? '';
  if (part.cache !== undefined) losses.add(ptr, 'cache.mark', 'dropped', 'the target caches by itself');
  const placed = place(part, context);
  if (placed === undefined) return omitted(part, context);
  const { detail, title, context: remark, citable, cache: _cache, ...rest } = placed;
  if (citable === true) losses.add(ptr, 'part.document', 'dropped', 'a file cannot be marked as a source');
  const filename = placed.filename ?? title;
  const fitted: MediaPart = {
    ...rest,
    ...(filename !== undefined && { filename }),
    ...fitDetail(detail, ptr, profile.partResolution, losses),
  };
  const lines = [title === filename ? undefined : title, remark].filter((line) => line !== undefined && line !== '');
  if (lines.length === 0) return fitted;
  losses.add(ptr, 'part.document', 'approximated', 'title and context are sent as text');
  return [{ kind: 'text', text: lines.join('\n'), src: part.src }, fitted];
}

function fitDetail(detail: string | undefined, ptr: string, known: boolean, losses: Losses): { detail?: string } {
  if (detail === undefined || detail === 'auto') return {};
  if (!known || !['low', 'medium', 'high', 'original'].includes(detail)) {
    losses.add(ptr, 'part.media.detail', 'dropped', 'the model takes no resolution for one picture');
    return {};
  }
  losses.add(ptr, 'part.media.detail', 'approximated', 'the resolution became the nearest level');
  return { detail };
}

/** The media in a form that the service takes, or undefined when there is none. */
function place(part: MediaPart, context: EncodeRequestContext): MediaPart | undefined {
  const { data } = part;
  const ptr = part.src?.ptr ?? '';
  if (data.from === 'base64') return fitMime(part, ptr, context.losses);
  if (data.from === 'file') {
    if (data.vendor === DIALECT) return part;
    if (context.omitMedia === true) return undefined;
    throw refuse('a file that another service keeps cannot be sent', ptr);
  }
  const fetched = context.media?.get(data.url);
  if (fetched !== undefined) {
    context.losses.add(ptr, 'part.media', 'moved', 'the bytes behind the URL are sent inline');
    const mime = fetched.mime;
    const kind = part.class === 'image' ? part.class : classOf(mime);
    return fitMime(
      truePicture({ ...part, class: kind, mime, data: { from: 'base64', base64: fetched.base64 } }),
      ptr,
      context.losses,
    );
  }
  if (context.profile.urlMedia.includes(part.class)) return part;
  if (context.omitMedia === true) return undefined;
  throw refuse('media behind a URL is sent inline and was not fetched', ptr);
}

function fitMime(part: MediaPart, ptr: string, losses: Losses): MediaPart | undefined {
  const { mime } = part;
  if (mime === undefined) return undefined;
  const kind = classOf(mime);
  if (kind === 'image') return PICTURES.has(mime) ? part : undefined;
  if (kind !== 'file') return part;
  if (!TEXTLIKE.test(mime)) return undefined;
  losses.add(ptr, 'part.media.mime', 'approximated', 'the file is sent as plain text');
  return { ...part, mime: 'text/plain' };
}

/** Media that the target cannot take: refused, or told as text where the host wants that (translation.md 2.6). */
function omitted(part: MediaPart, context: EncodeRequestContext): Part {
  const ptr = part.src?.ptr ?? '';
  if (context.omitMedia !== true) throw refuse(`the target takes no ${part.mime ?? part.class}`, ptr);
  context.losses.add(ptr, 'part.media', 'approximated', 'the media was left out and replaced by a note');
  const mime = part.mime === undefined ? '' : `: ${part.mime}`;
  return { kind: 'text', text: `[${part.class} omitted${mime}]`, src: part.src };
}
