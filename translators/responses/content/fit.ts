import {
  createFit,
  documentAsText,
  dropForeign,
  dropPart,
  fitCall,
  fitResultContent,
  inlineFetched,
  keepPart,
  omitMedia,
  refusePart,
  resultAsText,
  searchResultAsText,
  textFor,
} from '../../adapt/index.js';
import type { CallPart, MediaPart, Part, ResultPart, TextPart, ToolChangePart } from '../../canonical/content.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { FitPart, Fitted, Speaker } from '../../target/target.js';
import { DIALECT } from '../nodes.js';

/** What becomes of the parts of other dialects here (translation.md 2.5, 2.6). */
export const fitPart: FitPart = createFit({
  text: fitText,
  refusal: (part, speaker) => (speaker === 'assistant' ? part : { kind: 'text', text: part.text, src: part.src }),
  media: fitMedia,
  textdoc: (part, speaker, context) => documentAsText(part, speaker, context, fitPart),
  searchResult: searchResultAsText,
  toolChange: fitToolChange,
  call: (part, speaker, context) => (isText(part, context) ? fitCall(part, speaker, context) : part),
  result: fitResult,
  compaction: keepPart,
  approval: keepPart,
  opaque: keepPart,
  hostedCall: dropPart,
  hostedResult: dropPart,
  reasoning: dropPart,
  ref: dropPart,
  handover: dropPart,
});

/** Whether a call has free text that the host knows no tools for. */
function isText({ freeform }: CallPart, { target }: EncodeRequestContext): boolean {
  return freeform !== undefined && target.unsupported.has('customTools');
}

function fitText(part: TextPart, speaker: Speaker, { losses }: EncodeRequestContext): TextPart | undefined {
  if (part.text === '') return undefined;
  const { citations } = part;
  if (citations === undefined || citations.length === 0) return part;
  for (const citation of citations) dropForeign(citation, DIALECT, losses);
  if (speaker === 'assistant') return part;
  losses.add(part, 'part.citation', 'dropped', 'citations are supported in answers only');
  return { ...part, citations: undefined };
}

function fitMedia(part: MediaPart, _speaker: Speaker, context: EncodeRequestContext): MediaPart | TextPart {
  const { losses, target } = context;
  if (!takes(part)) return omitted(part, context);
  if (part.context !== undefined || part.citable === true) {
    losses.add(part, 'part.document', 'dropped', 'files have no context and cannot be marked as citable');
  }
  if (part.data.from === 'file' && part.data.vendor !== DIALECT) {
    refusePart(part, 'the file is kept by another service');
  }
  if (part.clip !== undefined) losses.add(part, 'part.media.clip', 'dropped', 'the whole media is sent');
  const nameless = part.class === 'image' || (part.title !== undefined && part.filename !== undefined);
  if (nameless && (part.filename ?? part.title) !== undefined && part.title !== part.filename)
    losses.add(part, 'part.media.filename', 'dropped', 'images have no file name in the target');
  const plain: MediaPart = { ...part, context: undefined, citable: undefined, title: undefined, clip: undefined };
  if (part.data.from === 'url') {
    const reachable = target.urlMedia.includes(part.class) && /^https?:/i.test(part.data.url);
    const fetched = reachable ? undefined : context.media?.get(part.data.url);
    if (fetched !== undefined) {
      const inline = inlineFetched(plain, fetched, context);
      return takes(inline) ? named(inline, part.title, context) : omitted(inline, context);
    }
    if (!reachable) refusePart(part, 'the target does not fetch this media by its URL');
    if (part.class === 'image') return plain;
    const label = part.filename ?? part.title;
    if (label !== undefined) losses.add(part, 'part.media.filename', 'dropped', 'a file given by URL has no name');
    return withFileDetail({ ...plain, filename: undefined }, context);
  }
  return part.class === 'image' ? plain : withFileDetail(named(plain, part.title, context), context);
}

/** Pictures that the service reads [R §2.5]. */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Whether the service reads media of this kind at all; what only a URL or an id names it looks at itself. */
function takes({ class: kind, data, mime }: MediaPart): boolean {
  if (kind !== 'image') return kind !== 'audio' && kind !== 'video';
  return data.from !== 'base64' || (mime !== undefined && PICTURES.has(mime));
}

/** Files are read at one of three resolutions, pictures at one more [R §2.5]. */
function withFileDetail(part: MediaPart, { losses }: EncodeRequestContext): MediaPart {
  if (part.detail !== 'original') return part;
  losses.add(part, 'part.media.detail', 'approximated', 'the highest file detail is `high`');
  return { ...part, detail: 'high' };
}

/** Tools can be added, but not taken away. */
function fitToolChange(
  part: ToolChangePart,
  _speaker: Speaker,
  { losses }: EncodeRequestContext,
): ToolChangePart | undefined {
  if (part.removed.length === 0) return part;
  losses.add(part, 'part.toolChange', 'dropped', 'tools cannot be taken away');
  return part.added.length === 0 ? undefined : { ...part, removed: [] };
}

/** Inline files need a name [R §2.5]; the title serves as one. */
function named(part: MediaPart, title: string | undefined, { losses }: EncodeRequestContext): MediaPart {
  if (part.data.from !== 'base64') return { ...part, filename: undefined };
  if (part.class === 'image' || part.filename !== undefined) return part;
  if (title !== undefined) return { ...part, filename: title };
  losses.add(part, 'part.media.filename', 'invented', 'an inline file needs a name');
  return {
    ...part,
    filename:
      part.mime === 'application/pdf' ? 'document.pdf' : part.mime === 'text/plain' ? 'document.txt' : 'document',
  };
}

function omitted(part: MediaPart, context: EncodeRequestContext): TextPart {
  const what = part.class === 'image' ? (part.mime ?? 'such picture') : part.class;
  return omitMedia(part, `the target takes no ${what}`, context);
}

function fitResult(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  if (part.family === 'computer') return fitScreenshot(part, speaker, context);
  const plain = context.target.unsupported.has('customTools') ? { ...part, custom: undefined } : part;
  return resultAsText(plain, speaker, context, { fitPart, holdsMedia: context.target.toolResultMedia });
}

/** An output of the computer shows the display alone; what else came with it follows in a user message. */
function fitScreenshot(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): readonly Part[] {
  const contents = part.parts.flatMap((child) => fitResultContent(child, speaker, context, fitPart));
  const picture = contents.findLast((child) => child.kind === 'media');
  const rest = contents.filter((child) => child !== picture);
  if (part.json !== undefined) rest.push(textFor(part, JSON.stringify(part.json)));
  const result: ResultPart = {
    ...part,
    parts: picture === undefined ? [] : [picture],
    json: undefined,
    isError: undefined,
  };
  if (rest.length === 0) return [result];
  context.losses.add(part, 'result.part', 'moved', 'the content next to the image is moved to a user message');
  return [result, textFor(part, 'Beside the picture of the display:'), ...rest];
}
