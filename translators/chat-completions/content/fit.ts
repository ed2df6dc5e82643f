import {
  createFit,
  documentAsText,
  dropForeign,
  dropPart,
  fitCall,
  inlineFetched,
  keepPart,
  listFitted,
  omitMedia,
  parseArguments,
  refusePart,
  resultAsText,
  searchResultAsText,
  textFor,
} from '../../adapt/index.js';
import type {
  CallPart,
  MediaPart,
  Part,
  RefusalPart,
  ResultPart,
  TextDocPart,
  TextPart,
} from '../../canonical/content.js';
import { fieldPlace } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { FitPart, Fitted, Speaker } from '../../target/target.js';
import { base64ToUtf8 } from '../../wire/base64.js';
import { isBlank } from '../../wire/blank.js';
import { DIALECT } from '../nodes.js';
import { serverFlags } from '../servers/index.js';
import { AUDIO_FORMATS } from './media.js';

/** What becomes of the parts of other dialects here (translation.md 2.5, 2.6). */
export const fitPart: FitPart = createFit({
  text: fitText,
  refusal: fitRefusal,
  media: fitMedia,
  textdoc: fitTextDoc,
  searchResult: searchResultAsText,
  call: fitArguments,
  result: fitResult,
  opaque: keepPart,
  compaction: keepPart,
  hostedCall: dropPart,
  hostedResult: dropPart,
  reasoning: dropPart,
  ref: dropPart,
  approval: dropPart,
  toolChange: dropPart,
  handover: dropPart,
});

function fitText(part: TextPart, speaker: Speaker, { losses, target }: EncodeRequestContext): TextPart | undefined {
  if (isBlank(part.text) && part.state === undefined) {
    if (part.text === '') return undefined;
    // Between other words of the assistant it keeps them apart; content/turns.ts settles turns of nothing else.
    if (speaker === 'user' && !serverFlags(target).vendorFields) {
      losses.add(part, 'text.blank', 'approximated', 'text that is only whitespace is left out');
      return undefined;
    }
  }
  const { citations = [], phase } = part;
  if (citations.length === 0 && phase === undefined) return part;
  for (const citation of citations) dropForeign(citation, DIALECT, losses);
  if (citations.length > 0) losses.add(part, 'part.citation', 'dropped', 'citations of earlier messages are not sent');
  return { ...withoutPhase(part, losses), citations: undefined };
}

/** A document in words, which are held to what is held of all words. */
function fitTextDoc(part: TextDocPart, speaker: Speaker, context: EncodeRequestContext): readonly Part[] {
  return documentAsText(part, speaker, context, fitPart).flatMap((child) =>
    child.kind === 'text' ? listFitted(fitText(child, speaker, context)) : child,
  );
}

/** No server marks what an assistant said as a comment or as its answer (translation.md 2.6). */
function withoutPhase<T extends TextPart | RefusalPart>(part: T, losses: EncodeRequestContext['losses']): T {
  if (part.phase === undefined) return part;
  if (hasPhase(part)) losses.add(fieldPlace(part, 'phase'), 'part.phase', 'dropped', 'text has no phase in the target');
  return { ...part, phase: undefined };
}

function fitRefusal(part: RefusalPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  if (part.text === '') return undefined;
  if (speaker === 'assistant' && serverFlags(context.target).assistantParts) return withoutPhase(part, context.losses);
  context.losses.add(part, 'part.refusal', 'moved', 'the explanation of the refusal is sent as text');
  return fitText({ ...part, kind: 'text' }, speaker, context);
}

/** Arguments stay the text that they are; where servers parse them, that has to be an object. */
function fitArguments(part: CallPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { argsMustParse, customTools } = serverFlags(context.target);
  const { text } = part.args;
  const parses = (): boolean => text === undefined || parseArguments(text, context.maxEventDepth) !== undefined;
  const stays = part.freeform === undefined ? !argsMustParse || parses() : customTools;
  return stays && part.truncated !== true ? part : fitCall(part, speaker, context);
}

function fitResult(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  const holdsMedia = context.target.toolResultMedia;
  return resultAsText(part, speaker, context, { fitPart, holdsMedia, moved: '[image below]' });
}

/** Pictures that servers read [H §3.2]. */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function fitMedia(part: MediaPart, _speaker: Speaker, context: EncodeRequestContext): Fitted {
  const { losses, target } = context;
  if (part.data.from === 'file') refusePart(part, 'the file is kept by another service');
  if (part.context !== undefined || part.citable === true) {
    losses.add(part, 'part.document', 'dropped', 'files have no context and cannot be marked as citable');
  }
  if (part.clip !== undefined) losses.add(part, 'part.media.clip', 'dropped', 'the whole media is sent');
  const plain = titled({ ...part, context: undefined, citable: undefined, clip: undefined }, context);
  if (part.data.from === 'base64') return fitBytes(plain, part.data.base64, context);
  const { url } = part.data;
  if (target.urlMedia.includes(part.class) && /^https?:\/\//i.test(url)) return fitLink(plain, context);
  const fetched = context.media?.get(url);
  if (fetched === undefined) refusePart(part, 'the target does not fetch this media by its URL');
  const inline = inlineFetched(plain, fetched, context);
  return fitBytes(inline, fetched.base64, context);
}

/** A title is a name where there is none, and pictures, sound and films have no names. */
function titled(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  const { title, filename } = part;
  const nameless = part.class === 'image' || part.class === 'audio' || part.class === 'video';
  if (
    (nameless && (title ?? filename) !== undefined) ||
    (title !== undefined && filename !== undefined && title !== filename)
  ) {
    losses.add(part, 'part.media.filename', 'dropped', 'images and audio have no file name in the target');
  }
  return { ...part, title: undefined, filename: nameless ? undefined : (filename ?? title) };
}

/** Media that the server fetches itself. */
function fitLink(part: MediaPart, context: EncodeRequestContext): Fitted {
  return part.class === 'image' ? fitPicture(part, context) : withoutDetail(part, context);
}

function fitPicture(part: MediaPart, context: EncodeRequestContext): Fitted {
  if (!serverFlags(context.target).imageParts) return omitMedia(part, 'the target does not accept images', context);
  if (part.detail !== 'original') return part;
  context.losses.add(part, 'part.media.detail', 'approximated', 'the highest image detail is `high`');
  return { ...part, detail: 'high' };
}

function withoutDetail(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  if (part.detail !== undefined && part.detail !== 'auto')
    losses.add(part, 'part.media.detail', 'dropped', 'detail applies to images only');
  return { ...part, detail: undefined };
}

function fitBytes(part: MediaPart, base64: string, context: EncodeRequestContext): Fitted {
  const { fileParts, audioParts, videoParts } = serverFlags(context.target);
  const { mime = 'application/octet-stream' } = part;
  const plain = part.class === 'image' ? part : withoutDetail(part, context);
  switch (part.class) {
    case 'image':
      return PICTURES.has(mime)
        ? fitPicture(part, context)
        : omitMedia(part, `the target does not accept ${mime}`, context);
    case 'audio':
      if (audioParts !== 'none' && AUDIO_FORMATS[mime] !== undefined) return plain;
      return omitMedia(
        part,
        audioParts === 'none' ? 'the target does not accept audio' : `the target does not accept ${mime}`,
        context,
      );
    case 'video':
      return videoParts ? plain : omitMedia(part, 'the target does not accept video', context);
    default: {
      const text = mime === 'application/pdf' ? undefined : base64ToUtf8(base64);
      if (mime === 'text/plain' && text !== undefined) return asText(plain, text, context);
      if (fileParts !== 'none') return named(plain, context);
      return text === undefined
        ? omitMedia(part, 'the target does not accept files', context)
        : asText(plain, text, context);
    }
  }
}

/** A document that is text, in words: its name leads. */
function asText(part: MediaPart, text: string, { losses }: EncodeRequestContext): Part {
  losses.add(part, 'part.media', 'approximated', 'the file is given as text');
  const words = part.filename === undefined ? text : `${part.filename}\n${text}`;
  return { ...textFor(part, words), ...(part.cache !== undefined && { cache: part.cache }) };
}

/** Inline files need a name. */
function named(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  if (part.filename !== undefined) return part;
  losses.add(part, 'part.media.filename', 'invented', 'an inline file needs a name');
  return { ...part, filename: part.mime === 'application/pdf' ? 'document.pdf' : 'document' };
}
