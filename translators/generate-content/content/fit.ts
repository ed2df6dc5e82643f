import {
  createFit,
  dropPart,
  dropWith,
  fitCall,
  fitOpaqueResult,
  inlineFetched,
  keepPart,
  listFitted,
  omitMedia,
  refusePart,
} from '../../adapt/index.js';
import type { MediaPart, Part, ResultPart, SearchResultPart, TextDocPart, TextPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { FitPart, Fitted, Speaker } from '../../target/target.js';
import { DIALECT } from '../nodes.js';
import { textOf } from '../tools/calls.js';
import { classOf } from './media.js';

/** What becomes of the parts of other dialects here (translation.md 2.5, 2.6). */
export const fitPart: FitPart = createFit({
  text: fitText,
  refusal(part, speaker, context) {
    context.losses.add(part, 'part.refusal', 'moved', 'the refusal is sent as plain text');
    return fitText({ ...part, kind: 'text' }, speaker, context);
  },
  media: fitMedia,
  textdoc: fitDocument,
  searchResult: fitSearchResult,
  call(part, speaker, context) {
    const fitted = fitCall(part, speaker, context);
    if (fitted !== undefined) dropCacheMark(part, context);
    return fitted;
  },
  result: fitResult,
  hostedCall(part, _speaker, { losses }) {
    losses.add(part, 'hosted.call', 'approximated', 'sent as a code execution of this service');
    return part;
  },
  hostedResult: keepPart,
  reasoning: dropWith('reasoning.text', 'reasoning of another service is not sent'),
  compaction: (part) => refusePart(part, 'a compacted conversation can be read only by the service that created it'),
  ref: (part) => refusePart(part, 'a reference to a stored item cannot be resolved here'),
  approval: dropWith('part.approval', 'the target cannot ask for consent'),
  toolChange: dropPart,
  handover: dropPart,
  opaque: (part) => (part.dialect === DIALECT ? part : undefined),
});

function dropCacheMark(part: Part, { losses }: EncodeRequestContext): void {
  if (part.cache !== undefined) losses.add(part, 'cache.mark', 'dropped', 'the target caches by itself');
}

function fitText(part: TextPart, _speaker: Speaker, context: EncodeRequestContext): Fitted {
  if (part.text === '' && part.state === undefined && part.carrier === undefined) return undefined;
  const { losses } = context;
  if (hasPhase(part)) losses.add(fieldPlace(part, 'phase'), 'part.phase', 'dropped', 'the target has no phases');
  dropCacheMark(part, context);
  if (part.citations !== undefined && part.citations.length > 0) {
    losses.add(part, 'part.citation', 'dropped', 'citations of earlier messages are not sent');
  }
  return part;
}

function fitResult(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { losses } = context;
  dropCacheMark(part, context);
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  const isText = only?.kind === 'text' && only.cache === undefined && only.citations === undefined;
  if (isText && part.json === undefined && part.isError !== true) return part;
  const inner = part.parts.flatMap((child) => fitChild(child, speaker, context));
  const media = inner.filter((child): child is MediaPart => child.kind === 'media').map((child) => bare(child, losses));
  const texts = inner.filter((child) => child.kind === 'text');
  if (texts.length > 1) losses.add(part, 'result.part', 'moved', 'the texts of the result were joined');
  else if (texts.length === 1 && inner[0]?.kind === 'media') {
    losses.add(part, 'result.part', 'moved', 'the text of a result is placed before its media');
  }
  const content = fitPayload(part, textOf(texts), losses);
  const { family: _family, custom: _custom, cache: _cache, json: _json, ...rest } = part;
  if (media.length === 0 || context.target.toolResultMedia) {
    return { ...rest, ...content, parts: [...content.parts, ...media] };
  }
  losses.add(part, 'result.media', 'moved', 'media of a result is moved to the user turn that follows');
  const intro: TextPart = { kind: 'text', text: `Media returned by ${part.name ?? 'the tool'}:`, src: part.src };
  return [{ ...rest, ...content }, intro, ...media];
}

/** Media inside a result have neither a clip nor a resolution of their own ([G §2.4]). */
function bare(part: MediaPart, losses: Losses): MediaPart {
  if (part.clip === undefined && part.detail === undefined) return part;
  if (part.clip !== undefined) losses.add(part, 'part.media.clip', 'dropped', 'media inside a result is read whole');
  if (part.detail !== undefined) {
    losses.add(part, 'part.media.detail', 'dropped', 'media inside a result has no resolution of its own');
  }
  const { clip: _clip, detail: _detail, ...rest } = part;
  return rest;
}

/** A JSON result stays one unless its keys would be read as something else ([G §2.4] notes 2 and 3). */
function fitPayload(part: ResultPart, text: string, losses: Losses): Pick<ResultPart, 'parts' | 'json'> {
  if (part.json === undefined) return { parts: text === '' ? [] : [{ kind: 'text', text }] };
  if (part.isError !== true && isPlainResponse(part.json)) return { parts: [], json: part.json };
  losses.add(part, 'result.json', 'moved', 'the JSON result is sent as a text');
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

function fitChild(
  child: ResultPart['parts'][number],
  speaker: Speaker,
  context: EncodeRequestContext,
): readonly Part[] {
  return child.kind === 'opaque' ? fitOpaqueResult(child, context) : listFitted(fitPart(child, speaker, context));
}

/** A document given as text: one text that begins with its title and context, and its media behind it. */
function fitDocument(part: TextDocPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  context.losses.add(part, 'part.document', 'approximated', 'the document is sent as text');
  const texts = [part.title, part.context].filter((line) => line !== undefined && line !== '');
  const media: Part[] = [];
  for (const child of part.parts) {
    if (child.kind === 'text') {
      if (child.text !== '') texts.push(child.text);
    } else media.push(...fitChild(child, speaker, context));
  }
  const text: Part = { kind: 'text', text: texts.join('\n'), src: part.src };
  return texts.length === 0 ? media : [text, ...media];
}

function fitSearchResult(part: SearchResultPart, _speaker: Speaker, { losses }: EncodeRequestContext): TextPart {
  losses.add(part, 'part.searchResult', 'approximated', 'the search result is sent as text');
  return { kind: 'text', text: [part.title, part.source, textOf(part.parts)].join('\n'), src: part.src };
}

/** Pictures that the service reads (translation.md 2.6). */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']);

/** What the service reads inline besides pictures, sound, films, PDF and text (translation.md 2.6 "other file types"). */
const TEXTLIKE =
  /^application\/(?:json|xml|javascript|x-javascript|typescript|x-typescript|yaml|x-yaml|x-sh|sql|csv|rtf)$|\+(?:json|xml)$/;

function fitMedia(part: MediaPart, _speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { losses, target } = context;
  dropCacheMark(part, context);
  const placed = takenForm(part, context);
  if (placed === undefined) return omitMedia(part, `the target takes no ${part.mime ?? part.class}`, context);
  const { detail, title, context: remark, citable, cache: _cache, ...rest } = placed;
  if (citable === true) losses.add(part, 'part.document', 'dropped', 'a file cannot be marked as citable');
  const filename = placed.filename ?? title;
  const fitted: MediaPart = {
    ...rest,
    ...(filename !== undefined && { filename }),
    ...fitDetail(part, detail, target.partResolution, losses),
  };
  const lines = [title === filename ? undefined : title, remark].filter((line) => line !== undefined && line !== '');
  if (lines.length === 0) return fitted;
  losses.add(part, 'part.document', 'approximated', 'title and context are sent as text');
  return [{ kind: 'text', text: lines.join('\n'), src: part.src }, fitted];
}

function fitDetail(part: MediaPart, detail: string | undefined, known: boolean, losses: Losses): { detail?: string } {
  if (detail === undefined || detail === 'auto') return {};
  if (!known || !['low', 'medium', 'high', 'original'].includes(detail)) {
    losses.add(part, 'part.media.detail', 'dropped', 'the model does not support a resolution per image');
    return {};
  }
  losses.add(part, 'part.media.detail', 'approximated', 'the closest resolution level is sent');
  return { detail };
}

/** The media in a form that the service takes, or undefined when there is none. */
function takenForm(part: MediaPart, context: EncodeRequestContext): MediaPart | undefined {
  const { data } = part;
  if (data.from === 'base64') return fitMime(part, context);
  if (data.from === 'file') {
    if (data.vendor === DIALECT) return part;
    if (context.omitMedia === true) return undefined;
    return refusePart(part, 'a file that another service keeps cannot be sent');
  }
  const fetched = context.media?.get(data.url);
  if (fetched !== undefined) {
    const kind = part.class === 'image' ? part.class : classOf(fetched.mime);
    return fitMime(inlineFetched({ ...part, class: kind }, fetched, context), context);
  }
  if (context.target.urlMedia.includes(part.class)) return part;
  if (context.omitMedia === true) return undefined;
  return refusePart(part, 'media behind a URL is sent inline and was not fetched');
}

function fitMime(part: MediaPart, { losses }: EncodeRequestContext): MediaPart | undefined {
  const { mime } = part;
  if (mime === undefined) return undefined;
  const kind = classOf(mime);
  if (kind === 'image') return PICTURES.has(mime) ? part : undefined;
  if (kind !== 'file') return part;
  if (!TEXTLIKE.test(mime)) return undefined;
  losses.add(part, 'part.media.mime', 'approximated', 'the file is sent as plain text');
  return { ...part, mime: 'text/plain' };
}
