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
import { fieldPlace } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { FitPart, Fitted, Speaker } from '../../target/target.js';
import { base64ToUtf8 } from '../../wire/base64.js';
import { isBlank } from '../../wire/blank.js';
import { DIALECT } from '../nodes.js';
import { isReturnable } from './citations.js';

/** What becomes of the parts of other dialects here (translation.md 2.5, 2.6). */
export const fitPart: FitPart = createFit({
  text: fitText,
  refusal(part, speaker, context) {
    context.losses.add(part, 'part.refusal', 'moved', 'the explanation of the refusal is sent as text');
    return fitText({ ...part, kind: 'text' }, speaker, context);
  },
  media: fitMedia,
  textdoc: fitTextDoc,
  searchResult: fitSearchResult,
  call: fitCall,
  result: fitResult,
  hostedCall: dropWith('hosted.call', 'a hosted call of another service'),
  hostedResult: dropWith('hosted.call', 'a hosted call of another service'),
  reasoning: dropWith('reasoning.text', 'reasoning without state is not sent as text'),
  opaque: keepPart,
  compaction: keepPart,
  ref: dropPart,
  approval: dropPart,
  toolChange: dropPart,
  handover: dropPart,
});

/** Whether nothing has to be done to a text. */
function isPlain(part: TextPart): boolean {
  return !isBlank(part.text) && part.phase === undefined && part.citations === undefined;
}

function fitText(part: TextPart, _speaker: Speaker, { losses }: EncodeRequestContext): TextPart | undefined {
  if (isPlain(part)) return part;
  if (isBlank(part.text)) {
    // The service refuses blank text [M §3.5].
    if (part.text !== '') losses.add(part, 'text.blank', 'approximated', 'text that is only whitespace is left out');
    return undefined;
  }
  if (hasPhase(part)) losses.add(fieldPlace(part, 'phase'), 'part.phase', 'dropped', 'messages has no phases');
  if (part.citations === undefined || part.citations.length === 0) return part;
  const citations = part.citations.filter(isNative);
  if (citations.length < part.citations.length) {
    losses.add(part, 'part.citation', 'dropped', 'only citations of this service can be sent back to it');
  }
  return { ...part, citations: citations.length === 0 ? undefined : citations };
}

function isNative(citation: NonNullable<TextPart['citations']>[number]): boolean {
  return citation.ext?.[DIALECT] !== undefined && isReturnable(citation);
}

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function fitMedia(part: MediaPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { losses } = context;
  if (part.detail !== undefined && part.detail !== 'auto') {
    losses.add(part, 'part.media.detail', 'dropped', 'the resolution of an image cannot be chosen');
  }
  if (part.clip !== undefined) losses.add(part, 'part.media.clip', 'dropped', 'the whole media is sent');
  const media = inlined(part, context);
  if (media === undefined) {
    return omitMedia(part, 'the service does not fetch it and it was not fetched for it', context);
  }
  switch (media.data.from) {
    case 'file':
      if (media.data.vendor === DIALECT) return media;
      return refusePart(part, `a file of the ${media.data.vendor} service is unknown to this backend`);
    case 'url':
      return media.class === 'image' ? bareImage(media, context) : named(media);
    case 'base64':
      return fitBytes(media, media.data.base64, speaker, context);
  }
}

/** The part itself, or with the bytes that the host fetched where the service does not fetch; undefined when it has none. */
function inlined(part: MediaPart, context: EncodeRequestContext): MediaPart | undefined {
  if (part.data.from !== 'url') return part;
  const { url } = part.data;
  const fetchable = part.class === 'image' || isPdf(part);
  if (
    fetchable &&
    context.target.urlMedia.includes(part.class === 'image' ? 'image' : 'document') &&
    /^https?:\/\//i.test(url)
  ) {
    return part;
  }
  const fetched = context.media?.get(url);
  return fetched && inlineFetched(part, { ...fetched, mime: part.mime ?? fetched.mime }, context);
}

function isPdf(part: MediaPart): boolean {
  if (part.mime !== undefined) return part.mime === 'application/pdf';
  if (part.filename !== undefined) return part.filename.toLowerCase().endsWith('.pdf');
  return part.class === 'document' || (part.class === 'file' && part.data.from === 'url');
}

function fitBytes(part: MediaPart, base64: string, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { mime } = part;
  if (mime !== undefined && IMAGES.has(mime)) return bareImage({ ...part, class: 'image' }, context);
  if (part.class === 'image') {
    return omitMedia(part, `the service does not accept images of type ${mime ?? 'unknown'}`, context);
  }
  if (part.class === 'audio' || part.class === 'video') {
    return omitMedia(part, `the service does not accept ${part.class}`, context);
  }
  if (mime === 'application/pdf') return named({ ...part, class: 'document' });
  const text = base64ToUtf8(base64);
  if (text === undefined) return omitMedia(part, 'the service reads pictures, PDF and text only', context);
  if (mime !== 'text/plain') {
    context.losses.add(part, 'part.media', 'approximated', 'the file is given as plain text');
  }
  return textDocument(part, text, speaker, context);
}

/** Pictures have neither names nor words about them here. */
function bareImage(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  if (part.filename !== undefined || part.title !== undefined)
    losses.add(part, 'part.media.filename', 'dropped', 'images have no file name in the target');
  if (part.context !== undefined || part.citable !== undefined)
    losses.add(part, 'part.document', 'dropped', 'images have no title or context in the target');
  return part;
}

/** A document is called by its title here. */
function named(part: MediaPart): MediaPart {
  return part.class === 'image' || part.title !== undefined || part.filename === undefined
    ? part
    : { ...part, title: part.filename.slice(0, 500) };
}

function textDocument(
  part: MediaPart,
  text: string,
  speaker: Speaker,
  context: EncodeRequestContext,
): TextDocPart | undefined {
  const { title, context: about } = part;
  const name = title ?? part.filename;
  return fitTextDoc(
    {
      kind: 'textdoc',
      parts: [{ kind: 'text', text, src: part.src }],
      src: part.src,
      ...(name !== undefined && { title: name.slice(0, 500) }),
      ...(about !== undefined && { context: about }),
      ...(part.citable !== undefined && { citable: part.citable }),
      ...(part.cache !== undefined && { cache: part.cache }),
    },
    speaker,
    context,
  );
}

function fitTextDoc(part: TextDocPart, speaker: Speaker, context: EncodeRequestContext): TextDocPart | undefined {
  const parts = part.parts.flatMap((child) =>
    listFitted(fitPart(child, speaker, context)).filter((one) => one.kind === 'text' || one.kind === 'media'),
  );
  return parts.length === 0 ? undefined : { ...part, parts };
}

function fitSearchResult(
  part: SearchResultPart,
  speaker: Speaker,
  context: EncodeRequestContext,
): SearchResultPart | undefined {
  const parts = part.parts.flatMap((child) => fitText(child, speaker, context) ?? []);
  return parts.length === 0 ? undefined : { ...part, parts };
}

/** A result with what it may hold; pictures of a failed one come after it [M §3.15]. */
function fitResult(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { losses } = context;
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  // The commonest result by far, and histories hold many.
  if (only?.kind === 'text' && part.json === undefined && isPlain(only)) return part;
  const inside: ResultPart['parts'][number][] = [];
  const outside: Part[] = [];
  if (part.json !== undefined) {
    losses.add(part, 'result.json', 'moved', 'the object is sent as JSON text');
    inside.push({ kind: 'text', text: JSON.stringify(part.json), src: part.src });
  }
  const failed = part.isError === true;
  const holds = (child: Part): boolean => !failed && (context.target.toolResultMedia || child.kind === 'searchResult');
  for (const child of part.parts) {
    if (child.kind === 'opaque' && child.dialect !== DIALECT) {
      inside.push(...fitOpaqueResult(child, context));
      continue;
    }
    for (const fitted of listFitted(fitPart(child, speaker, context))) {
      if (fitted.kind === 'text' || (isResultPart(fitted) && holds(fitted))) inside.push(fitted);
      else outside.push(fitted);
    }
  }
  if (outside.length > 0) {
    const why = failed ? 'a failed result accepts text only' : 'the host accepts text results only';
    losses.add(part, 'result.media', 'moved', `${why}; the rest follows it`);
  }
  return [{ ...part, json: undefined, parts: inside }, ...outside];
}

function isResultPart(part: Part): part is ResultPart['parts'][number] {
  return part.kind === 'media' || part.kind === 'textdoc' || part.kind === 'searchResult' || part.kind === 'opaque';
}
