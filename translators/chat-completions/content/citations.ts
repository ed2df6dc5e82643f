import type { Citation, Part, TextPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import { remember, remembered } from '../nodes.js';

/** Sources of a text, and whether they say all that its annotations did. */
interface DecodedAnnotations {
  readonly citations: readonly Citation[];
  readonly whole: boolean;
}

/**
 * Reads the annotations of an answer, whose offsets count code points and end behind the last of them [H §6.4]. A span
 * without a length is none.
 */
export function decodeAnnotations(list: readonly unknown[], text: string, ptr: string): DecodedAnnotations {
  const offsets = createOffsetIndex(text, 'codePoint');
  const citations: Citation[] = [];
  let whole = true;
  for (const [index, node] of list.entries()) {
    const citation = isObject(node) ? decodeAnnotation(node, offsets, `${ptr}/${index}`) : undefined;
    if (citation === undefined) whole = false;
    else citations.push(citation);
  }
  return { citations, whole };
}

function decodeAnnotation(node: JsonObject, offsets: OffsetIndex, ptr: string): Citation | undefined {
  const cited = node.url_citation;
  if (node.type !== 'url_citation' || !isObject(cited) || typeof cited.url !== 'string') return undefined;
  const { start_index: start, end_index: end } = cited;
  const spans = isOffset(start) && isOffset(end) && start < end;
  const citation: Citation = {
    source: 'web',
    url: cited.url,
    ...(typeof cited.title === 'string' && cited.title !== '' && { title: cited.title }),
    ...(typeof cited.content === 'string' && { citedText: cited.content }),
    ...(spans && { span: { start: offsets.toUtf16(start), end: offsets.toUtf16(end) } }),
    src: { ptr },
  };
  return remember(citation, node);
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Sources that a server lists beside the answer, without places in it: addresses, and searches with their titles [H §6.1]. */
export function decodeSources({ citations, search_results: results }: JsonObject): readonly Citation[] {
  const found = new Map<string, Citation>();
  for (const [index, url] of (Array.isArray(citations) ? citations : []).entries()) {
    if (typeof url === 'string') found.set(url, { source: 'web', url, src: { ptr: `/citations/${index}` } });
  }
  for (const [index, result] of (Array.isArray(results) ? results : []).entries()) {
    if (!isObject(result) || typeof result.url !== 'string') continue;
    const { url, title, ...raw } = result;
    const src = { ptr: `/search_results/${index}`, raw };
    found.set(url, { source: 'web', url, ...(typeof title === 'string' && { title }), src });
  }
  return [...found.values()];
}

/** Whether a citation of an own answer came in a list beside it. */
export function isListed(citation: Citation): boolean {
  return /^\/(?:citations|search_results)\//.test(ptrOf(citation));
}

/** The lists beside an own answer, of the sources that came in them [H §6.1]. */
export function encodeOwnSources(parts: readonly Part[]): JsonObject {
  const listed = parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []) : [])).filter(isListed);
  const results = listed.filter((citation) => ptrOf(citation).startsWith('/search_results/'));
  return {
    ...(listed.length > 0 && { citations: listed.map(({ url }) => url) }),
    ...(results.length > 0 && {
      search_results: results.map(({ url, title, src }) => ({ title, url, ...(isObject(src?.raw) && src.raw) })),
    }),
  };
}

/** A text, and where it begins in all texts of the answer, in UTF-16 code units. */
export interface PlacedText {
  readonly ix: number;
  readonly start: number;
  readonly text: string;
}

/**
 * The citations of every text, by its number; offsets of annotations count over all texts. `sources` are those that have no
 * place, and belong to the last.
 */
export function placeCitations(
  annotations: readonly unknown[],
  sources: readonly Citation[],
  texts: readonly PlacedText[],
): ReadonlyMap<number, readonly Citation[]> {
  const found = new Map<number, Citation[]>();
  const last = texts.at(-1);
  if (last === undefined || (annotations.length === 0 && sources.length === 0)) return found;
  const joined = texts.map(({ text }) => text).join('');
  const { citations } = decodeAnnotations(annotations, joined, '/choices/0/message/annotations');
  for (const citation of [...citations, ...sources]) {
    const { span } = citation;
    const text = span === undefined ? last : textAt(texts, span.start);
    const moved =
      span === undefined || text.start === 0
        ? citation
        : {
            ...citation,
            span: { start: span.start - text.start, end: Math.min(span.end - text.start, text.text.length) },
          };
    const list = found.get(text.ix);
    if (list === undefined) found.set(text.ix, [moved]);
    else list.push(moved);
  }
  return found;
}

/** The last text that begins at or before an offset, found by halving. */
function textAt(texts: readonly PlacedText[], offset: number): PlacedText {
  let low = 0;
  let high = texts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((texts[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return texts[low] ?? { ix: 0, start: 0, text: '' };
}

/** The annotations of a text as they came, or of what they say. `base` is where the text begins, in code points. */
export function encodeOwnAnnotations(text: TextPart, citations: readonly Citation[], base: number): JsonObject[] {
  if (citations.length === 0) return [];
  const offsets = createOffsetIndex(text.text, 'codePoint');
  return citations.map((citation) => remembered(citation) ?? annotation(citation, offsets, base, citation.citedText));
}

/** An annotation; one without a length has no place in the text. */
function annotation({ span, url, title }: Citation, offsets: OffsetIndex, base: number, content?: string): JsonObject {
  return {
    type: 'url_citation',
    url_citation: {
      start_index: span === undefined ? 0 : base + offsets.fromUtf16(span.start),
      end_index: span === undefined ? 0 : base + offsets.fromUtf16(Math.max(span.start, span.end)),
      url: url ?? '',
      title: title ?? '',
      ...(content !== undefined && { content }),
    },
  };
}

/** The annotations of a text of another service. Reports what none can say: there are only addresses here (translation.md 5.4). */
export function encodeForeignAnnotations(
  text: TextPart,
  citations: readonly Citation[],
  base: number,
  losses: Losses,
): JsonObject[] {
  if (citations.length === 0) return [];
  const offsets = createOffsetIndex(text.text, 'codePoint');
  return citations.flatMap((citation) => {
    if (!reportCitation(citation, losses)) return [];
    // What has no place covers its text, which may be one of several here.
    const span = citation.span ?? { start: 0, end: text.text.length };
    return [annotation({ ...citation, span }, offsets, base)];
  });
}

/** Reports what an annotation does not say of a citation; whether there is one for it. */
function reportCitation(citation: Citation, losses: Losses): boolean {
  const add = (kind: 'dropped' | 'approximated', detail: string): void =>
    losses.add(citation, 'part.citation', kind, detail);
  if (citation.url === undefined || citation.source === 'doc' || citation.source === 'file') {
    add('dropped', 'only web pages can be cited');
    return false;
  }
  if (citation.source !== 'web') add('approximated', `a ${citation.source} source is sent as a web page`);
  else if (citation.citedText !== undefined) add('approximated', 'the cited words are not sent');
  else if (citation.span !== undefined && citation.span.start >= citation.span.end)
    add('approximated', 'an empty span counts as no span');
  return true;
}
