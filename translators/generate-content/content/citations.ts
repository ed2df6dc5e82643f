import type { Citation } from '../../canonical/content.js';
import type { Losses, LossSubject } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import * as wire from '../wire/index.js';

/** The metadata of a candidate that speaks about sources, as it came. */
export interface Sources {
  readonly groundingMetadata?: unknown;
  readonly citationMetadata?: unknown;
  readonly urlContextMetadata?: unknown;
  readonly urlRetrievalMetadata?: unknown;
}

/** A text part of an answer by its place, with its text. */
export interface PlacedText {
  readonly ix: number;
  readonly text: string;
}

/** A citation and the text part it belongs to. */
interface PlacedCitation {
  readonly ix: number;
  readonly citation: Citation;
}

/**
 * Citations of an answer (translation.md 5.5). Offsets are UTF-8 bytes into the joined visible text ([G §5.3] note 1);
 * where the quoted segment does not stand there, offsets into the named part and then the segment's words are tried.
 */
export function decodeCitations(sources: Sources, texts: readonly PlacedText[]): PlacedCitation[] {
  const { groundingChunks = [], groundingSupports = [] } =
    taken(wire.groundingMetadata, sources.groundingMetadata ?? {}) ?? {};
  if (texts.length === 0 || (groundingSupports.length === 0 && sources.citationMetadata === undefined)) return [];
  const joined = createJoined(texts);
  const out: PlacedCitation[] = [];
  for (const support of groundingSupports) {
    const span = locate(support.segment, joined);
    const indices = Array.isArray(support.groundingChunkIndices) ? support.groundingChunkIndices : [];
    for (const index of indices) {
      const citation = typeof index === 'number' ? citationOf(groundingChunks[index]) : undefined;
      if (citation !== undefined) out.push(place(citation, span, joined));
    }
  }
  for (const source of licenses(sources.citationMetadata)) {
    out.push(place(licenseOf(source), locate(source, joined), joined));
  }
  return out;
}

interface Joined {
  readonly texts: readonly PlacedText[];
  readonly text: string;
  /** UTF-16 starts of the texts in the joined text. */
  readonly starts: readonly number[];
  /** Those of them, in order, whose text is not empty, by index. */
  readonly filled: readonly number[];
  readonly bytes: OffsetIndex;
  /** The bytes of one text, read when a segment first needs them. */
  bytesOf(index: number): OffsetIndex;
  /** How many characters may still be searched for words that stand elsewhere than their segment says. */
  search: number;
}

/** Searching is for services that count in another unit, not for answers made to be searched again and again. */
const SEARCHED_CHARACTERS = 32 * 1024 * 1024;

function createJoined(texts: readonly PlacedText[]): Joined {
  let text = '';
  const starts = texts.map((placed) => {
    const start = text.length;
    text += placed.text;
    return start;
  });
  const filled = texts.flatMap((placed, index) => (placed.text === '' ? [] : [index]));
  const parts = new Map<number, OffsetIndex>();
  return {
    texts,
    text,
    starts,
    filled,
    bytes: createOffsetIndex(text, 'byte'),
    bytesOf(index) {
      const known = parts.get(index) ?? createOffsetIndex(texts[index]?.text ?? '', 'byte');
      parts.set(index, known);
      return known;
    },
    search: SEARCHED_CHARACTERS,
  };
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of a segment in the joined text, in UTF-16; undefined when it cannot be found. */
function locate(value: unknown, joined: Joined): Span | undefined {
  const segment = taken(wire.segment, value ?? {});
  if (segment === undefined || segment.endIndex <= segment.startIndex) return undefined;
  const { startIndex, endIndex, partIndex, text } = segment;
  const whole = { start: joined.bytes.toUtf16(startIndex), end: joined.bytes.toUtf16(endIndex, 'up') };
  if (text === undefined || joined.text.slice(whole.start, whole.end) === text) return whole;
  const part = joined.texts[partIndex];
  const base = joined.starts[partIndex] ?? 0;
  if (part !== undefined) {
    const bytes = joined.bytesOf(partIndex);
    const span = { start: base + bytes.toUtf16(startIndex), end: base + bytes.toUtf16(endIndex, 'up') };
    if (joined.text.slice(span.start, span.end) === text) return span;
  }
  joined.search -= joined.text.length;
  return joined.search < 0 ? undefined : nearest(joined.text, text, whole.start);
}

function nearest(text: string, words: string, near: number): Span | undefined {
  if (words === '') return undefined;
  const after = text.indexOf(words, near);
  const before = text.lastIndexOf(words, near);
  if (after === -1 && before === -1) return undefined;
  const start = before === -1 || (after !== -1 && after - near < near - before) ? after : before;
  return { start, end: start + words.length };
}

/** Puts a citation on the text it points into; one across a border goes to the text where it begins. */
function place(citation: Citation, span: Span | undefined, joined: Joined): PlacedCitation {
  if (span === undefined) return { ix: joined.texts.at(-1)?.ix ?? 0, citation };
  const at = hostOf(span.start, joined);
  const host = joined.texts[at];
  const base = joined.starts[at] ?? 0;
  const start = span.start - base;
  const end = Math.min(span.end - base, host?.text.length ?? 0);
  return { ix: host?.ix ?? 0, citation: { ...citation, span: { start, end } } };
}

/** The last text that is not empty and starts at `place` or before it. */
function hostOf(place: number, { filled, starts }: Joined): number {
  let low = 0;
  let high = filled.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[filled[middle] ?? 0] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return filled[low] ?? 0;
}

export function citationOf(chunk: JsonObject | undefined): Citation | undefined {
  if (chunk === undefined) return undefined;
  const { web, maps, image, retrievedContext } = chunk;
  if (isObject(retrievedContext)) {
    return {
      source: 'file',
      ...string('url', retrievedContext.uri),
      ...string('title', retrievedContext.title),
      ...string('filename', retrievedContext.title),
      ...string('citedText', retrievedContext.text),
    };
  }
  const source = isObject(web) ? web : isObject(maps) ? maps : isObject(image) ? image : undefined;
  if (source === undefined) return undefined;
  return { source: 'web', ...string('url', source.uri ?? source.sourceUri), ...string('title', source.title) };
}

function licenses(metadata: unknown): JsonObject[] {
  if (!isObject(metadata)) return [];
  const list = metadata.citationSources ?? metadata.citations;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function licenseOf(source: JsonObject): Citation {
  const bag: JsonObject = { ...string('license', source.license) };
  return {
    source: 'license',
    ...string('url', source.uri),
    ...string('title', source.title),
    ...(Object.keys(bag).length > 0 && { ext: { generateContent: bag } }),
  };
}

export function string<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [key]: value } as { [P in K]: string }) : {};
}

/** Reports what a source says about its place or words that has no field here; once per text. */
export function reportCitations(
  citations: readonly Citation[] | undefined,
  subject: LossSubject,
  losses: Losses,
): void {
  const poorer = citations?.some(
    (citation) =>
      (citation.citedText !== undefined && citation.url !== undefined) ||
      citation.fileId !== undefined ||
      citation.score !== undefined ||
      citation.doc !== undefined ||
      citation.ext !== undefined ||
      (citation.span !== undefined && citation.span.start >= citation.span.end),
  );
  if (poorer === true) {
    losses.add(subject, 'part.citation', 'approximated', 'only the address, the title and the covered text are sent');
  }
}
