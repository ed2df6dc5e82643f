import type { Citation, Part, TextPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import { isBlank } from '../../wire/blank.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { bagOf, type Keys, keep, keysOf, type Mutable, remember, remembered, restore, textBlock } from '../nodes.js';
import * as wire from '../wire/index.js';

const KNOWN = Object.fromEntries(
  Object.entries(wire.citations).map(([type, schema]) => [type, keysOf(schema)]),
) as Record<keyof typeof wire.citations, Keys>;

/** Citations of a text block, and whether each of them has a form in the model. */
interface DecodedCitations {
  readonly citations: readonly Citation[];
  readonly whole: boolean;
}

/** Reads the citations of a block; what is of an unknown kind or malformed is left out and makes the result not whole. */
export function decodeCitations(list: readonly unknown[], ptr: string): DecodedCitations {
  const citations: Citation[] = [];
  list.forEach((node, index) => {
    const citation = decodeCitation(node, `${ptr}/${index}`);
    if (citation !== undefined) citations.push(citation);
  });
  return { citations, whole: citations.length === list.length };
}

/** One citation; undefined when its kind is unknown. */
export function decodeCitation(node: unknown, ptr: string): Citation | undefined {
  if (!isObject(node) || !isKind(node.type)) return undefined;
  const kind = node.type;
  const part = decodeLocation(kind, node);
  if (part === undefined) return undefined;
  return remember({ ...part, ...keep(node, KNOWN[kind], ptr) }, node);
}

function isKind(type: unknown): type is keyof typeof wire.citations {
  return typeof type === 'string' && Object.hasOwn(wire.citations, type);
}

function decodeLocation(kind: keyof typeof wire.citations, node: object): Citation | undefined {
  switch (kind) {
    case 'char_location': {
      const c = taken(wire.citations.char_location, node);
      return c && documentCitation(c, { charRange: [c.start_char_index, c.end_char_index] });
    }
    case 'page_location': {
      const c = taken(wire.citations.page_location, node);
      return c && documentCitation(c, { pageRange: [c.start_page_number, c.end_page_number] });
    }
    case 'content_block_location': {
      const c = taken(wire.citations.content_block_location, node);
      return c && documentCitation(c, { blockRange: [c.start_block_index, c.end_block_index] });
    }
    case 'search_result_location': {
      const c = taken(wire.citations.search_result_location, node);
      if (c === undefined) return undefined;
      const doc = { index: c.search_result_index, blockRange: [c.start_block_index, c.end_block_index] as const };
      return { source: 'search', url: c.source, doc, ...titled(c.title, c.cited_text) };
    }
    case 'web_search_result_location': {
      const c = taken(wire.citations.web_search_result_location, node);
      return c && { source: 'web', url: c.url, ...titled(c.title, c.cited_text) };
    }
  }
}

type Ranges = Pick<NonNullable<Citation['doc']>, 'charRange' | 'pageRange' | 'blockRange'>;

function documentCitation(
  node: {
    readonly document_index: number;
    readonly document_title?: string | null;
    readonly cited_text?: string | null;
    readonly file_id?: string | null;
  },
  ranges: Ranges,
): Citation {
  const title = node.document_title ?? undefined;
  const doc = { index: node.document_index, ...(title !== undefined && { title }), ...ranges };
  return {
    source: 'doc',
    doc,
    ...titled(node.document_title, node.cited_text),
    ...(typeof node.file_id === 'string' && { fileId: node.file_id }),
  };
}

function titled(title: string | null | undefined, cited: string | null | undefined): Partial<Citation> {
  return { ...(typeof title === 'string' && { title }), ...(typeof cited === 'string' && { citedText: cited }) };
}

/** A citation of this dialect's own, as it came. */
export function encodeOwnCitation(citation: Citation): JsonObject {
  const form = remembered(citation);
  if (form !== undefined) return form;
  const { doc } = citation;
  const out: Mutable<JsonObject> = {};
  if (citation.source === 'web') {
    Object.assign(out, { type: 'web_search_result_location', url: citation.url });
    addTitle(out, 'title', citation);
  } else if (citation.source === 'search') {
    Object.assign(out, { type: 'search_result_location', search_result_index: doc?.index, source: citation.url });
    addRange(out, 'block_index', doc?.blockRange);
    addTitle(out, 'title', citation);
  } else {
    Object.assign(out, documentLocation(doc));
    addTitle(out, 'document_title', citation);
    if (citation.fileId !== undefined) out.file_id = citation.fileId;
  }
  return restore(out, citation);
}

function documentLocation(doc: Citation['doc']): JsonObject {
  const out: JsonObject = { type: 'content_block_location', document_index: doc?.index };
  if (doc?.charRange !== undefined) {
    out.type = 'char_location';
    addRange(out, 'char_index', doc.charRange);
  } else if (doc?.pageRange !== undefined) {
    out.type = 'page_location';
    addRange(out, 'page_number', doc.pageRange);
  } else {
    addRange(out, 'block_index', doc?.blockRange);
  }
  return out;
}

function addRange(out: JsonObject, unit: string, range: readonly [number, number] | undefined): void {
  if (range === undefined) return;
  out[`start_${unit}`] = range[0];
  out[`end_${unit}`] = range[1];
}

function addTitle(out: JsonObject, key: string, citation: Citation): void {
  if (citation.title !== undefined) out[key] = citation.title;
  if (citation.citedText !== undefined) out.cited_text = citation.citedText;
}

/** Whether a citation may go back to the service: only the service's own words are proof to it (translation.md 2.6). */
export function isReturnable(citation: Citation): boolean {
  if (citation.source !== 'web') return citation.source === 'doc' || citation.source === 'search';
  const index = bagOf(citation)?.encrypted_index;
  return typeof index === 'string' && index !== '';
}

/** What decides how a foreign citation is encoded for a client. */
export interface CitationView {
  /** How many documents the client's request holds. */
  readonly documents: number;
}

/**
 * A foreign citation for a client of this dialect (translation.md 5.5), `cited` being the words it covers. Undefined when
 * it names neither a document of the request nor an address.
 */
export function encodeForeignCitation(citation: Citation, cited: string, view: CitationView): JsonObject | undefined {
  const { doc } = citation;
  const ranged = doc?.charRange ?? doc?.pageRange ?? doc?.blockRange;
  if (citation.source === 'doc' && doc !== undefined && ranged !== undefined && doc.index < view.documents) {
    return {
      ...documentLocation(doc),
      document_title: doc.title ?? citation.title ?? null,
      cited_text: citation.citedText ?? cited,
      file_id: null,
    };
  }
  if (citation.url === undefined || citation.source === 'license') return undefined;
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title ?? null,
    cited_text: cut(citation.citedText ?? cited),
    encrypted_index: '',
  };
}

/** Characters that one citation repeats: many citations of a long text would repeat it each. */
const MAX_CITED = 1000;

function cut(words: string): string {
  if (words.length <= MAX_CITED) return words;
  const last = words.charCodeAt(MAX_CITED - 1);
  return words.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CITED - 1 : MAX_CITED);
}

/** The wire list of a part's own citations; undefined when the part has none. */
export function encodeOwnCitations(part: TextPart): JsonObject[] | undefined {
  return part.citations?.map(encodeOwnCitation);
}

/** What of the client's request decides how citations are encoded. */
export function citationView(request: CanonicalRequest | undefined): CitationView {
  let documents = 0;
  for (const turn of request?.turns ?? []) for (const part of turn.parts) if (isDocument(part)) documents += 1;
  return { documents };
}

function isDocument(part: Part): boolean {
  return part.kind === 'textdoc' || (part.kind === 'media' && part.class === 'document');
}

/** Reports sources of other kinds that read as pages, and words of a source that are cut. */
export function reportSource(citation: Citation, node: JsonObject, losses: Losses): void {
  const { source, citedText } = citation;
  if (citedText !== undefined && citedText !== node.cited_text)
    losses.add(citation, 'part.citation', 'approximated', 'the words of the source are cut');
  if (source === 'web' || node.type !== 'web_search_result_location') return;
  losses.add(citation, 'part.citation', 'approximated', `a ${source} source is sent as a web page`);
}

/** A citation with a span that covers no stretch of the text that could be a block of its own. */
export const WIDENED = 'the citation covers the whole text block';

interface Segment {
  readonly text: string;
  readonly citations: JsonObject[];
}

/**
 * A text as blocks, cut where citations begin and end, each block with the citations that cover it (translation.md 5.5).
 * White space joins the block before it, cited or not, for blocks of white space are refused on replay.
 */
export function encodeCitedText(part: TextPart, view: CitationView, losses: Losses): JsonObject[] {
  const { text } = part;
  const cited = (part.citations ?? []).flatMap((citation) => {
    const { span } = citation;
    const words = span === undefined ? '' : text.slice(span.start, span.end);
    const node = encodeForeignCitation(citation, words, view);
    if (node === undefined) {
      losses.add(citation, 'part.citation', 'dropped', 'the citation has no URL and no document of the request');
      return [];
    }
    reportSource(citation, node, losses);
    if (span !== undefined && !isBlank(words)) return [{ ...span, node }];
    const exact = span === undefined || (span.start === 0 && span.end === text.length);
    if (!exact) losses.add(citation, 'part.citation', 'approximated', WIDENED);
    return [{ start: 0, end: text.length, node }];
  });
  if (cited.length === 0) return [textBlock(text)];
  const borders = [...new Set([0, text.length, ...cited.flatMap(({ start, end }) => [start, end])])]
    .filter((at) => at >= 0 && at <= text.length)
    .sort((a, b) => a - b);
  const pieces = borders.slice(1).map((to, index) => ({ text: text.slice(borders[index], to), citations: [] }));
  coverPieces(pieces, borders, cited, () =>
    losses.add(part, 'part.citation', 'approximated', 'overlapping citations are placed where they start'),
  );
  const segments: Segment[] = [];
  for (const piece of pieces) addSegment(segments, piece);
  return segments.map(({ text: words, citations }) => textBlock(words, citations.length === 0 ? null : citations));
}

/** Copies of citations that overlap, in all: one more per piece of text, beyond which each is given once. */
const MAX_COPIES = 4096;

/** Puts each citation on the pieces of text that it covers. `crowded` reports that the later pieces go without. */
function coverPieces(
  pieces: readonly Segment[],
  borders: readonly number[],
  cited: readonly { readonly start: number; readonly end: number; readonly node: JsonObject }[],
  crowded: () => void,
): void {
  const indices = new Map(borders.map((border, index) => [border, index]));
  const ranges = cited.flatMap(({ start, end, node }) => {
    const from = indices.get(Math.max(start, 0));
    const to = indices.get(Math.min(end, borders.at(-1) ?? 0));
    return from === undefined || to === undefined || to <= from ? [] : [{ from, to, node }];
  });
  const copies = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const once = copies > ranges.length + MAX_COPIES;
  if (once) crowded();
  for (const { from, to, node } of ranges) {
    for (let index = from; index < (once ? from + 1 : to); index += 1) pieces[index]?.citations.push(node);
  }
}

function addSegment(segments: Segment[], next: Segment): void {
  const last = segments.at(-1);
  const blank = isBlank(next.text);
  const led = last !== undefined && isBlank(last.text);
  if (last === undefined || !(blank || led)) segments.push(next);
  else
    segments[segments.length - 1] = { text: last.text + next.text, citations: led ? next.citations : last.citations };
}
