import { reportLogprobs } from '../../adapt/index.js';
import type { Citation, TextPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import { sameJson } from '../nodes.js';

/**
 * The citation an annotation stands for, or undefined for kinds that only this dialect knows. Offsets count code
 * points (translation.md 5.5).
 */
export function decodeAnnotation(node: JsonObject, offsets: OffsetIndex, ptr: string): Citation | undefined {
  if (node.type === 'url_citation') return decodeUrlCitation(node, offsets, ptr);
  if (node.type !== 'file_citation' || typeof node.file_id !== 'string') return undefined;
  const at = isOffset(node.index) ? offsets.toUtf16(node.index) : undefined;
  return {
    source: 'file',
    fileId: node.file_id,
    ...(typeof node.filename === 'string' && { filename: node.filename }),
    ...(at !== undefined && { span: { start: at, end: at } }),
    src: { ptr },
  };
}

function decodeUrlCitation(node: JsonObject, offsets: OffsetIndex, ptr: string): Citation | undefined {
  if (typeof node.url !== 'string') return undefined;
  const { start_index: start, end_index: end } = node;
  return {
    source: 'web',
    url: node.url,
    ...(typeof node.title === 'string' && { title: node.title }),
    ...(isOffset(start) && isOffset(end) && { span: { start: offsets.toUtf16(start), end: offsets.toUtf16(end) } }),
    src: { ptr },
  };
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whether there is an annotation for a citation: that of a licence needs its address (translation.md 5.5). */
export function isAnnotated({ source, url }: Citation): boolean {
  return source !== 'license' || url !== undefined;
}

/**
 * The annotation for a citation of a text of `length` UTF-16 code units. Citations without URL become file citations
 * (translation.md 5.5).
 */
export function encodeAnnotation(citation: Citation, length: number, offsets: OffsetIndex): JsonObject {
  const { start, end } = citation.span ?? { start: 0, end: length };
  if (citation.url !== undefined && citation.source !== 'doc' && citation.source !== 'file') {
    return {
      type: 'url_citation',
      url: citation.url,
      title: citation.title ?? '',
      start_index: offsets.fromUtf16(start),
      end_index: offsets.fromUtf16(end),
    };
  }
  return {
    type: 'file_citation',
    file_id: citation.fileId ?? '',
    filename: citation.filename ?? citation.doc?.title ?? citation.title ?? '',
    index: offsets.fromUtf16(end),
  };
}

/** Reports what of a foreign citation no annotation can say. */
export function reportCitation(citation: Citation, losses: Losses): void {
  if (!isAnnotated(citation)) {
    losses.add(citation, 'part.citation', 'dropped', 'a license without a URL');
    return;
  }
  if (citation.source === 'file' && citation.fileId !== undefined && citation.span !== undefined) return;
  const named = citation.url !== undefined && citation.source !== 'doc' && citation.source !== 'file';
  if (!named)
    losses.add(citation, 'part.citation', 'approximated', 'a location in a document is sent as a file citation');
  else if (citation.source !== 'web')
    losses.add(citation, 'part.citation', 'approximated', `a ${citation.source} source is sent as a web page`);
  else if (citation.span === undefined)
    losses.add(citation, 'part.citation', 'approximated', 'the citation covers the whole text');
  else if (citation.citedText !== undefined)
    losses.add(citation, 'part.citation', 'approximated', 'the cited text is not sent');
}

/** Reports what annotations and log probabilities of another service's text cannot say here, or say more. */
export function reportText(part: TextPart, losses: Losses): void {
  for (const citation of part.citations ?? []) reportCitation(citation, losses);
  reportLogprobs(part.logprobs, part, losses);
}

/** Citations of a text, and whether they say all that the annotations said. */
export function decodeAnnotations(
  nodes: readonly JsonObject[],
  text: string,
  ptr: string,
): { citations: readonly Citation[]; whole: boolean } {
  const offsets = createOffsetIndex(text, 'codePoint');
  const citations: Citation[] = [];
  let whole = true;
  nodes.forEach((node, index) => {
    const citation = decodeAnnotation(node, offsets, `${ptr}/annotations/${index}`);
    if (citation !== undefined) citations.push(citation);
    whole &&= citation !== undefined && sameJson(encodeAnnotation(citation, text.length, offsets), node);
  });
  return { citations, whole };
}

/** All annotations of a text part. */
export function encodeAnnotations(part: TextPart): JsonObject[] {
  const { citations, text } = part;
  if (citations === undefined || citations.length === 0) return [];
  const offsets = createOffsetIndex(text, 'codePoint');
  return citations.filter(isAnnotated).map((citation) => encodeAnnotation(citation, text.length, offsets));
}
