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
import { fieldPlace } from '../../canonical/node.js';
import { plainCall } from '../../canonical/parts.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { base64ToUtf8 } from '../../wire/base64.js';
import { changedNumber } from '../../wire/json-numbers.js';
import { DIALECT } from '../nodes.js';
import { parseArguments, RAW_ARGUMENTS } from '../tools/calls.js';
import { isReturnable } from './citations.js';

/**
 * Makes one part of a foreign request printable (translation.md 2.5, 2.6). undefined: nothing of it is left. Throws
 * TranslationError `unsupported` for media that has no form here, unless the context leaves such media out.
 */
export function fitPart(part: Part, _place: Place, context: EncodeRequestContext): Part | readonly Part[] | undefined {
  switch (part.kind) {
    case 'text':
      return fitText(part, context);
    case 'refusal':
      context.losses.add(ptrOf(part), 'part.refusal', 'moved', 'the explanation of the refusal is sent as text');
      return fitText({ ...part, kind: 'text' }, context);
    case 'media':
      return fitMedia(part, context);
    case 'textdoc':
      return fitTextDoc(part, context);
    case 'searchResult':
      return fitSearchResult(part, context);
    case 'call':
      return fitCall(part, context);
    case 'result':
      return fitResult(part, context);
    case 'hostedCall':
    case 'hostedResult':
      context.losses.add(ptrOf(part), 'hosted.call', 'dropped', 'a hosted call of another service');
      return undefined;
    case 'reasoning':
      context.losses.add(ptrOf(part), 'reasoning.text', 'dropped', 'reasoning without state is not sent as text');
      return undefined;
    case 'opaque':
    case 'compaction':
      return part;
    case 'ref':
    case 'approval':
    case 'toolChange':
    case 'handover':
      return undefined;
    default:
      return part satisfies never;
  }
}

function ptrOf(part: Part): string {
  return part.src?.ptr ?? '';
}

const VISIBLE = /\S/;

/** Whether nothing has to be done to a text. */
function isPlain(part: TextPart): boolean {
  return VISIBLE.test(part.text) && part.phase === undefined && part.citations === undefined;
}

function fitText(part: TextPart, { losses }: EncodeRequestContext): TextPart | undefined {
  if (isPlain(part)) return part;
  const ptr = ptrOf(part);
  if (!VISIBLE.test(part.text)) {
    // The service refuses blank text [M §3.5].
    if (part.text !== '') losses.add(ptr, 'text.blank', 'approximated', 'text of white space only is left out');
    return undefined;
  }
  if (part.phase !== undefined)
    losses.add(fieldPlace(part, 'phase'), 'part.phase', 'dropped', 'messages have no phase');
  if (part.citations === undefined || part.citations.length === 0) return part;
  const citations = part.citations.filter(isNative);
  if (citations.length < part.citations.length) {
    losses.add(ptr, 'part.citation', 'dropped', 'only citations of this service itself can be sent back to it');
  }
  return { ...part, citations: citations.length === 0 ? undefined : citations };
}

function isNative(citation: NonNullable<TextPart['citations']>[number]): boolean {
  return citation.ext?.[DIALECT] !== undefined && isReturnable(citation);
}

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function fitMedia(part: MediaPart, context: EncodeRequestContext): Part | readonly Part[] | undefined {
  const { losses } = context;
  const ptr = ptrOf(part);
  if (part.detail !== undefined && part.detail !== 'auto') {
    losses.add(ptr, 'part.media.detail', 'dropped', 'the resolution of a picture cannot be chosen');
  }
  if (part.clip !== undefined) losses.add(ptr, 'part.media.clip', 'dropped', 'media is read whole');
  const media = inlined(part, context);
  if (media === undefined) return refuse(part, 'the service does not fetch it and it was not fetched for it', context);
  switch (media.data.from) {
    case 'file':
      if (media.data.vendor === DIALECT) return media;
      throw new TranslationError(
        'unsupported',
        `a file of the ${media.data.vendor} service is unknown to this backend`,
        {
          path: ptr,
        },
      );
    case 'url':
      return media.class === 'image' ? bareImage(media, context) : named(media);
    case 'base64':
      return fitBytes(media, media.data.base64, context);
  }
}

/** The part itself, or with the bytes that the host fetched where the service does not fetch; undefined when it has none. */
function inlined(part: MediaPart, { media, profile, losses }: EncodeRequestContext): MediaPart | undefined {
  if (part.data.from !== 'url') return part;
  const { url } = part.data;
  const fetchable = part.class === 'image' || isPdf(part);
  if (
    fetchable &&
    profile.urlMedia.includes(part.class === 'image' ? 'image' : 'document') &&
    /^https?:\/\//i.test(url)
  ) {
    return part;
  }
  const fetched = media?.get(url);
  if (fetched === undefined) return undefined;
  losses.add(ptrOf(part), 'part.media', 'moved', 'the file was fetched and sent inline');
  return truePicture({ ...part, mime: part.mime ?? fetched.mime, data: { from: 'base64', base64: fetched.base64 } });
}

function isPdf(part: MediaPart): boolean {
  if (part.mime !== undefined) return part.mime === 'application/pdf';
  if (part.filename !== undefined) return part.filename.toLowerCase().endsWith('.pdf');
  return part.class === 'document' || (part.class === 'file' && part.data.from === 'url');
}

function fitBytes(part: MediaPart, base64: string, context: EncodeRequestContext): Part | readonly Part[] | undefined {
  const { mime } = part;
  if (mime !== undefined && IMAGES.has(mime)) return bareImage({ ...part, class: 'image' }, context);
  if (part.class === 'image')
    return refuse(part, `${mime ?? 'an unknown type'} is no image type the service takes`, context);
  if (part.class === 'audio' || part.class === 'video')
    return refuse(part, `the service takes no ${part.class}`, context);
  if (mime === 'application/pdf') return named({ ...part, class: 'document' });
  const text = base64ToUtf8(base64);
  if (text === undefined) return refuse(part, 'the service reads pictures, PDF and text only', context);
  if (mime !== 'text/plain') {
    context.losses.add(ptrOf(part), 'part.media', 'approximated', 'the file is given as plain text');
  }
  return textDocument(part, text, context);
}

/** Pictures have neither names nor words about them here. */
function bareImage(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  const ptr = ptrOf(part);
  if (part.filename !== undefined || part.title !== undefined)
    losses.add(ptr, 'part.media.filename', 'dropped', 'a picture has no name');
  if (part.context !== undefined || part.citable !== undefined)
    losses.add(ptr, 'part.document', 'dropped', 'an image has no title and no context');
  return part;
}

/** A document is called by its title here. */
function named(part: MediaPart): MediaPart {
  return part.class === 'image' || part.title !== undefined || part.filename === undefined
    ? part
    : { ...part, title: part.filename.slice(0, 500) };
}

function textDocument(part: MediaPart, text: string, context: EncodeRequestContext): TextDocPart | undefined {
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
    context,
  );
}

function fitTextDoc(part: TextDocPart, context: EncodeRequestContext): TextDocPart | undefined {
  const parts = part.parts.flatMap((child) => {
    const fitted = child.kind === 'text' ? fitText(child, context) : fitMedia(child, context);
    return list(fitted).filter((one): one is TextPart | MediaPart => one.kind === 'text' || one.kind === 'media');
  });
  return parts.length === 0 ? undefined : { ...part, parts };
}

function fitSearchResult(part: SearchResultPart, context: EncodeRequestContext): SearchResultPart | undefined {
  const parts = part.parts.flatMap((child) => fitText(child, context) ?? []);
  return parts.length === 0 ? undefined : { ...part, parts };
}

function list(fitted: Part | readonly Part[] | undefined): readonly Part[] {
  if (fitted === undefined) return [];
  return 'kind' in fitted ? [fitted] : fitted;
}

/** Media without any form in this dialect: refused, or told as a line of text where the host wants that. */
function refuse(part: MediaPart, why: string, context: EncodeRequestContext): TextPart {
  const ptr = ptrOf(part);
  if (context.omitMedia !== true)
    throw new TranslationError('unsupported', `media cannot be sent: ${why}`, { path: ptr });
  context.losses.add(ptr, 'part.media', 'approximated', why);
  return { kind: 'text', text: `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`, src: part.src };
}

function fitCall(part: CallPart, { losses, maxEventDepth }: EncodeRequestContext): CallPart | undefined {
  const ptr = ptrOf(part);
  if (part.truncated === true) {
    losses.add(ptr, 'call.truncated', 'dropped', 'the call was cut before its arguments were whole');
    return undefined;
  }
  if (part.freeform !== undefined) {
    losses.add(ptr, 'call.freeform', 'approximated', 'the free text travels in a property called input');
    return { ...part, args: { value: { input: part.freeform } } };
  }
  if (part.args.text === undefined) return part;
  const value = parseArguments(part.args.text, maxEventDepth);
  if (value === undefined) {
    losses.add(ptr, 'call.args', 'approximated', 'the arguments are not a JSON object; sent as text under one key');
    return { ...part, args: { value: { [RAW_ARGUMENTS]: part.args.text } } };
  }
  const change = changedNumber(part.args.text);
  if (change !== undefined) losses.add(ptr, 'call.args', 'approximated', change);
  return plainCall(part, { value });
}

/** A result with what may stand in it; pictures of a failed one come after it [M §3.15]. */
function fitResult(part: ResultPart, context: EncodeRequestContext): Part | readonly Part[] {
  const { losses } = context;
  const ptr = ptrOf(part);
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  // The commonest result by far, and histories hold many.
  if (only?.kind === 'text' && part.json === undefined && isPlain(only)) return part;
  const inside: ResultPart['parts'][number][] = [];
  const outside: Part[] = [];
  if (part.json !== undefined) {
    losses.add(ptr, 'result.json', 'moved', 'the object is sent as JSON text');
    inside.push({ kind: 'text', text: JSON.stringify(part.json), src: part.src });
  }
  const failed = part.isError === true;
  for (const child of part.parts) {
    if (child.kind === 'opaque' && child.dialect !== DIALECT) {
      losses.add(ptrOf(child), 'result.part', 'dropped', `a ${child.type} part of the ${child.dialect} dialect`);
      continue;
    }
    for (const fitted of list(fitPart(child, 'user', context))) {
      if (fitted.kind === 'text' || (!failed && isResultPart(fitted))) inside.push(fitted);
      else outside.push(fitted);
    }
  }
  if (outside.length > 0) {
    losses.add(ptr, 'result.media', 'moved', 'a failed result holds text only; the rest follows it');
  }
  return [{ ...part, json: undefined, parts: inside }, ...outside];
}

function isResultPart(part: Part): part is ResultPart['parts'][number] {
  return part.kind === 'media' || part.kind === 'textdoc' || part.kind === 'searchResult' || part.kind === 'opaque';
}
