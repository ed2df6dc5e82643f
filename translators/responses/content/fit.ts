import {
  createFit,
  dropForeign,
  dropPart,
  dropResultPart,
  type FitPart,
  type Fitted,
  inlineFetched,
  keepPart,
  listFitted,
  omitMedia,
  refusePart,
  type Speaker,
} from '../../adapt/index.js';
import type {
  MediaPart,
  Part,
  ResultPart,
  SearchResultPart,
  TextDocPart,
  TextPart,
  ToolChangePart,
} from '../../canonical/content.js';
import { ptrOf } from '../../canonical/node.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { DIALECT } from '../nodes.js';

/** What becomes of the parts of other dialects here (translation.md 2.5, 2.6). */
export const fitPart: FitPart = createFit({
  text: fitText,
  refusal: (part, speaker) => (speaker === 'assistant' ? part : { kind: 'text', text: part.text, src: part.src }),
  media: fitMedia,
  textdoc: fitDocument,
  searchResult: fitSearchResult,
  toolChange: fitToolChange,
  call: keepPart,
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

function fitText(part: TextPart, speaker: Speaker, { losses }: EncodeRequestContext): TextPart | undefined {
  if (part.text === '') return undefined;
  const { citations } = part;
  if (citations === undefined || citations.length === 0) return part;
  for (const citation of citations) dropForeign(citation, DIALECT, losses);
  if (speaker === 'assistant') return part;
  losses.add(ptrOf(part), 'part.citation', 'dropped', 'only the words of the model carry sources');
  return { ...part, citations: undefined };
}

function fitMedia(part: MediaPart, _speaker: Speaker, context: EncodeRequestContext): MediaPart | TextPart {
  const { losses, profile } = context;
  const ptr = ptrOf(part);
  if (!takes(part)) return omitted(part, context);
  if (part.context !== undefined || part.citable === true) {
    losses.add(ptr, 'part.document', 'dropped', 'a file has no context and cannot be marked as a source');
  }
  if (part.data.from === 'file' && part.data.vendor !== DIALECT) {
    refusePart(part, 'the file is kept by another service');
  }
  if (part.clip !== undefined) losses.add(ptr, 'part.media.clip', 'dropped', 'media is read whole');
  const nameless = part.class === 'image' || (part.title !== undefined && part.filename !== undefined);
  if (nameless && (part.filename ?? part.title) !== undefined && part.title !== part.filename)
    losses.add(ptr, 'part.media.filename', 'dropped', 'a picture has no name, a file has one');
  const plain: MediaPart = { ...part, context: undefined, citable: undefined, title: undefined, clip: undefined };
  if (part.data.from === 'url') {
    const reachable = profile.urlMedia.includes(part.class) && /^https?:/i.test(part.data.url);
    const fetched = reachable ? undefined : context.media?.get(part.data.url);
    if (fetched !== undefined) {
      const inline = inlineFetched(plain, fetched, context);
      return takes(inline) ? named(inline, part.title, context) : omitted(inline, context);
    }
    if (!reachable) refusePart(part, 'the target does not fetch this media by its URL');
    if (part.class === 'image') return plain;
    const label = part.filename ?? part.title;
    if (label !== undefined) losses.add(ptr, 'part.media.filename', 'dropped', 'a file given by URL has no name');
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
  losses.add(ptrOf(part), 'part.media.detail', 'approximated', 'files are read at high resolution at most');
  return { ...part, detail: 'high' };
}

/** Tools can be added, but not taken away. */
function fitToolChange(
  part: ToolChangePart,
  _speaker: Speaker,
  { losses }: EncodeRequestContext,
): ToolChangePart | undefined {
  if (part.removed.length === 0) return part;
  losses.add(ptrOf(part), 'part.toolChange', 'dropped', 'tools cannot be taken away');
  return part.added.length === 0 ? undefined : { ...part, removed: [] };
}

/** Inline files need a name [R §2.5]; the title serves as one. */
function named(part: MediaPart, title: string | undefined, { losses }: EncodeRequestContext): MediaPart {
  if (part.data.from !== 'base64') return { ...part, filename: undefined };
  if (part.class === 'image' || part.filename !== undefined) return part;
  if (title !== undefined) return { ...part, filename: title };
  losses.add(ptrOf(part), 'part.media.filename', 'invented', 'an inline file needs a name');
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

function fitDocument(part: TextDocPart, speaker: Speaker, context: EncodeRequestContext): readonly Part[] {
  context.losses.add(ptrOf(part), 'part.document', 'approximated', 'the document became text');
  const head = [part.title, part.context].filter((line) => line !== undefined && line !== '').join('\n');
  const out: Part[] = [];
  let waiting = head;
  for (const child of part.parts) {
    if (child.kind === 'media') {
      out.push(...(waiting === '' ? [] : [plainText(waiting, part)]), fitMedia(child, speaker, context));
    } else if (child.text !== '') {
      out.push(plainText(waiting === '' ? child.text : `${waiting}\n${child.text}`, part));
    } else {
      continue;
    }
    waiting = '';
  }
  if (waiting !== '') out.push(plainText(waiting, part));
  const last = out.at(-1);
  if (part.cache !== undefined && last !== undefined) out[out.length - 1] = { ...last, cache: part.cache };
  return out;
}

function plainText(text: string, part: Part): TextPart {
  return { kind: 'text', text, src: { ptr: ptrOf(part) } };
}

function fitSearchResult(part: SearchResultPart, _speaker: Speaker, { losses }: EncodeRequestContext): TextPart {
  losses.add(ptrOf(part), 'part.searchResult', 'approximated', 'the search result is sent as text');
  const body = part.parts.map((child) => child.text).join('\n');
  return {
    ...plainText([part.title, part.source, body].filter((line) => line !== '').join('\n'), part),
    cache: part.cache,
  };
}

type ResultContent = ResultPart['parts'][number];

function fitResult(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): Fitted {
  if (part.family === 'computer') return fitScreenshot(part, speaker, context);
  if (isPlainResult(part)) return part;
  const { losses, profile } = context;
  const ptr = ptrOf(part);
  const contents: ResultContent[] = [];
  const moved: Part[] = [];
  if (part.json !== undefined) {
    losses.add(ptr, 'result.json', 'moved', 'the object is sent as JSON text');
    contents.push(plainText(JSON.stringify(part.json), part));
  }
  for (const child of part.parts) {
    for (const fitted of fitContent(child, speaker, context)) {
      if (fitted.kind === 'media' && !profile.toolResultMedia) moved.push(fitted);
      else contents.push(fitted);
    }
  }
  if (part.isError === true) {
    losses.add(ptr, 'result.error', 'moved', 'the failure is stated in the text');
    markFailure(contents, part);
  }
  const result: ResultPart = { ...part, parts: contents, json: undefined, isError: undefined };
  if (moved.length === 0) return result;
  losses.add(ptr, 'result.media', 'moved', 'the media is moved to a user message after the results');
  return [result, plainText(`Media returned by ${part.name ?? 'the tool'}:`, part), ...moved];
}

/** An output of the computer shows the display alone; what else came with it follows in a user message. */
function fitScreenshot(part: ResultPart, speaker: Speaker, context: EncodeRequestContext): readonly Part[] {
  const contents = part.parts.flatMap((child) => fitContent(child, speaker, context));
  const picture = contents.findLast((child) => child.kind === 'media');
  const rest = contents.filter((child) => child !== picture);
  if (part.json !== undefined) rest.push(plainText(JSON.stringify(part.json), part));
  const result: ResultPart = {
    ...part,
    parts: picture === undefined ? [] : [picture],
    json: undefined,
    isError: undefined,
  };
  if (rest.length === 0) return [result];
  const ptr = ptrOf(part);
  context.losses.add(ptr, 'result.part', 'moved', 'what came with the image is moved to a user message');
  return [result, plainText('Beside the picture of the display:', part), ...rest];
}

/** Most results are one text and need no change. */
function isPlainResult({ parts, json, isError }: ResultPart): boolean {
  if (json !== undefined || isError !== undefined) return false;
  return parts.every((child) => child.kind === 'text' && child.text !== '' && child.citations === undefined);
}

function fitContent(
  child: ResultContent,
  speaker: Speaker,
  context: EncodeRequestContext,
): readonly (TextPart | MediaPart)[] {
  if (child.kind === 'opaque') {
    dropResultPart(child, context);
    return [];
  }
  return listFitted(fitPart(child, speaker, context)).filter((part) => part.kind === 'text' || part.kind === 'media');
}

function markFailure(contents: ResultContent[], part: ResultPart): void {
  const first = contents.findIndex((child) => child.kind === 'text');
  const text = contents[first];
  if (text?.kind === 'text') contents[first] = { ...text, text: `[tool error] ${text.text}` };
  else contents.unshift(plainText('[tool error]', part));
}
