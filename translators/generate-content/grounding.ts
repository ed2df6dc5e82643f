import type { Citation, HostedCallPart, HostedResultPart, TextPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { createOffsetIndex, type OffsetIndex, utf8Length } from '../wire/utf8.js';
import * as wire from './wire.js';

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
export interface PlacedCitation {
  readonly ix: number;
  readonly citation: Citation;
}

/**
 * Citations of an answer (translation.md 5.5). Offsets are UTF-8 bytes into the joined visible text ([G §5.3] note 1);
 * where the quoted segment does not stand there, offsets into the named part and then the segment's words are tried.
 */
export function decodeCitations(sources: Sources, texts: readonly PlacedText[]): PlacedCitation[] {
  const grounding = wire.groundingMetadata.safeParse(sources.groundingMetadata ?? {});
  const { groundingChunks = [], groundingSupports = [] } = grounding.success ? grounding.data : {};
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

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of a segment in the joined text, in UTF-16; undefined when it cannot be found. */
function locate(value: unknown, joined: Joined): Span | undefined {
  const segment = wire.segment.safeParse(value ?? {});
  if (!segment.success || segment.data.endIndex <= segment.data.startIndex) return undefined;
  const { startIndex, endIndex, partIndex, text } = segment.data;
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

function citationOf(chunk: JsonObject | undefined): Citation | undefined {
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

function string<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [key]: value } as { [P in K]: string }) : {};
}

/** The mark of parts that were read out of metadata and are printed there again. */
export const DERIVED = 'derived';

/**
 * A search or fetch that only metadata tells of, as a hosted call with its result (translation.md 5.5). No search when
 * one was `searched` among the parts.
 */
export function derivedPairs(sources: Sources, searched: boolean): readonly (HostedCallPart | HostedResultPart)[] {
  const out: (HostedCallPart | HostedResultPart)[] = [];
  const grounding = wire.groundingMetadata.safeParse(sources.groundingMetadata ?? {});
  const queries = (grounding.success ? (grounding.data.webSearchQueries ?? []) : []).filter((query) => query !== '');
  const src = { ptr: '/candidates/0/groundingMetadata', shape: [DERIVED] };
  if (queries.length > 0 && !searched) {
    const chunks = grounding.success ? (grounding.data.groundingChunks ?? []) : [];
    const found = chunks.flatMap((chunk) => {
      const citation = isObject(chunk.web) ? citationOf(chunk) : undefined;
      return citation?.url === undefined ? [] : [{ url: citation.url, ...string('title', citation.title) }];
    });
    const input = { action: 'search', query: queries[0], queries };
    out.push({ kind: 'hostedCall', callId: 'grounding', family: 'webSearch', input, status: 'completed', src });
    out.push({ kind: 'hostedResult', callId: 'grounding', family: 'webSearch', output: { sources: found }, src });
  }
  retrievals(sources).forEach(({ url, status }, index) => {
    const failed = status !== undefined && status !== 'success';
    const at = { ptr: '/candidates/0/urlContextMetadata', shape: [DERIVED] };
    const callId = `url_context_${index}`;
    out.push({ kind: 'hostedCall', callId, family: 'urlFetch', input: { url }, status: 'completed', src: at });
    out.push({
      kind: 'hostedResult',
      callId,
      family: 'urlFetch',
      output: { url, ...(status !== undefined && { status }) },
      ...(failed && { isError: true, errorCode: status }),
      src: at,
    });
  });
  return out;
}

/** The addresses that the service read, in either of the two forms ([G §8]). */
function retrievals(sources: Sources): { url: string; status?: string }[] {
  const current = isObject(sources.urlContextMetadata) ? sources.urlContextMetadata.urlMetadata : undefined;
  const older = isObject(sources.urlRetrievalMetadata) ? sources.urlRetrievalMetadata.urlRetrievalContexts : undefined;
  const list = Array.isArray(current) ? current : Array.isArray(older) ? older : [];
  return list.filter(isObject).flatMap((entry) => {
    const { retrievedUrl, urlRetrievalStatus } = entry;
    if (typeof retrievedUrl !== 'string') return [];
    const status =
      typeof urlRetrievalStatus === 'string'
        ? urlRetrievalStatus.replace('URL_RETRIEVAL_STATUS_', '').toLowerCase()
        : undefined;
    return [{ url: retrievedUrl, ...(status !== undefined && { status }) }];
  });
}

/** Collects what an answer of another service says about its sources, and prints it as metadata of the candidate. */
export interface SourceCollector {
  text(part: TextPart | { readonly text: string; readonly citations?: readonly Citation[] }): void;
  /** A citation that came after its text; `text` counts the texts given so far. */
  late(text: number, citation: Citation): void;
  hosted(part: HostedCallPart | HostedResultPart): void;
  /** `groundingMetadata` and `urlContextMetadata`, where there is something to say. */
  print(): JsonObject;
}

/** An empty collection. */
export function createSources(): SourceCollector {
  const texts: { readonly text: string; readonly citations: Citation[] }[] = [];
  const queries: string[] = [];
  const found: { url: string; title?: string }[] = [];
  const urls: JsonObject[] = [];
  /** The addresses that were asked for, by call: what failed often does not repeat them. */
  const asked = new Map<string, unknown>();
  return {
    text({ text, citations }) {
      texts.push({ text, citations: [...(citations ?? [])] });
    },
    late(index, citation) {
      texts[index]?.citations.push(citation);
    },
    hosted(part) {
      if (part.family === 'urlFetch') {
        if (part.kind === 'hostedResult') urls.push(urlOf(part, asked.get(part.callId)));
        else asked.set(part.callId, part.input.url);
      } else if (part.kind === 'hostedCall') {
        queries.push(...queriesOf(part.input));
      } else {
        found.push(...foundOf(part.output));
      }
    },
    print() {
      const grounding = printGrounding(texts, queries, found);
      return {
        ...(grounding !== undefined && { groundingMetadata: grounding }),
        ...(urls.length > 0 && { urlContextMetadata: { urlMetadata: urls } }),
      };
    },
  };
}

/** What a search asked for, empty words left out. */
export function queriesOf(input: JsonObject): string[] {
  const list: unknown[] = Array.isArray(input.queries) && input.queries.length > 0 ? input.queries : [input.query];
  return list.filter((query) => typeof query === 'string').filter((query) => query !== '');
}

function foundOf(output: JsonObject): { url: string; title?: string }[] {
  const list = Array.isArray(output.sources) ? output.sources.filter(isObject) : [];
  return list.flatMap((source) =>
    typeof source.url === 'string' ? [{ url: source.url, ...string('title', source.title) }] : [],
  );
}

function urlOf(part: HostedResultPart, asked: unknown): JsonObject {
  const url = part.output.url ?? asked;
  const status = part.isError === true ? 'ERROR' : 'SUCCESS';
  return { retrievedUrl: typeof url === 'string' ? url : '', urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${status}` };
}

function printGrounding(
  texts: readonly { readonly text: string; readonly citations: readonly Citation[] }[],
  queries: readonly string[],
  found: readonly { url: string; title?: string }[],
): JsonObject | undefined {
  const chunks: JsonObject[] = [];
  const places = new Map<string, number>();
  const known = new Set<unknown>();
  const chunkOf = (key: string, chunk: JsonObject): number => {
    const place = places.get(key);
    if (place !== undefined) return place;
    places.set(key, chunks.length);
    if (isObject(chunk.web)) known.add(chunk.web.uri);
    return chunks.push(chunk) - 1;
  };
  const supports: JsonObject[] = [];
  let base = 0;
  for (const { text, citations } of texts) {
    const bytes = citations.length === 0 ? undefined : createOffsetIndex(text, 'byte');
    for (const citation of citations) {
      const span = coveredBy(citation, text);
      const startIndex = base + (bytes?.fromUtf16(span.start) ?? 0);
      const endIndex = base + (bytes?.fromUtf16(span.end) ?? 0);
      const index = chunkOf(...chunkFor(citation));
      const segment = {
        ...(startIndex > 0 && { startIndex }),
        endIndex,
        text: text.slice(span.start, span.end),
      };
      supports.push({ segment, groundingChunkIndices: [index] });
    }
    base += utf8Length(text);
  }
  for (const { url, title } of found) {
    if (title === undefined && known.has(url)) continue;
    chunkOf(...webChunk(url, title));
  }
  if (chunks.length === 0 && queries.length === 0) return undefined;
  return {
    ...(queries.length > 0 && { webSearchQueries: queries }),
    ...(chunks.length > 0 && { groundingChunks: chunks }),
    ...(supports.length > 0 && { groundingSupports: supports }),
  };
}

/** The words that a citation covers; one that only names a place covers all up to it, because empty segments do not count. */
function coveredBy({ span }: Citation, text: string): Span {
  if (span === undefined) return { start: 0, end: text.length };
  if (span.start < span.end) return span;
  return { start: 0, end: span.end > 0 ? span.end : text.length };
}

function webChunk(url: string, title: string | undefined): [string, JsonObject] {
  return [`web:${JSON.stringify([url, title])}`, { web: { uri: url, ...(title !== undefined && { title }) } }];
}

/** The chunk that stands for a source, and the key under which the same source is found again. */
function chunkFor(citation: Citation): [string, JsonObject] {
  const { url, title, source } = citation;
  if (url !== undefined && (source === 'web' || source === 'search' || source === 'license')) {
    return webChunk(url, title);
  }
  const name = title ?? citation.doc?.title ?? citation.filename;
  const chunk = {
    ...(url !== undefined && { uri: url }),
    ...(name !== undefined && { title: name }),
    ...(citation.citedText !== undefined && { text: citation.citedText }),
  };
  return [`doc:${JSON.stringify(chunk)}`, { retrievedContext: chunk }];
}
