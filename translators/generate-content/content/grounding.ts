import type { Citation } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex, utf8Length } from '../../wire/utf8.js';
import type { Span } from './citations.js';

/** Collects what an answer of another service says about its sources, for the metadata of the candidate. */
export interface SourceCollector {
  /** A text of the answer; `ix` is the number of its part. */
  text(ix: number, text: string, citations: readonly Citation[] | undefined): void;
  /** A citation that came after its text; false when no such text was given. */
  late(ix: number, citation: Citation): boolean;
  /** What a search asked for, and what it found. */
  addQueries(queries: readonly string[]): void;
  addPages(pages: readonly FoundPage[]): void;
  /** An address that was read, as an entry of `urlMetadata`. */
  addRetrieval(entry: JsonObject): void;
  /** `groundingMetadata` and `urlContextMetadata`, where there is something to say. */
  encode(): JsonObject;
}

/** A page that a search found. */
export interface FoundPage {
  readonly url: string;
  readonly title?: string;
}

/** An empty collection. */
export function createSources(): SourceCollector {
  const texts = new Map<number, { readonly text: string; readonly citations: Citation[] }>();
  const queries: string[] = [];
  const found: FoundPage[] = [];
  const urls: JsonObject[] = [];
  return {
    text(ix, text, citations = []) {
      texts.set(ix, { text, citations: [...citations] });
    },
    late(ix, citation) {
      const text = texts.get(ix);
      text?.citations.push(citation);
      return text !== undefined;
    },
    addQueries(more) {
      queries.push(...more);
    },
    addPages(pages) {
      found.push(...pages);
    },
    addRetrieval(entry) {
      urls.push(entry);
    },
    encode() {
      const grounding = encodeGrounding([...texts.values()], queries, found);
      return {
        ...(grounding !== undefined && { groundingMetadata: grounding }),
        ...(urls.length > 0 && { urlContextMetadata: { urlMetadata: urls } }),
      };
    },
  };
}

function encodeGrounding(
  texts: readonly { readonly text: string; readonly citations: readonly Citation[] }[],
  queries: readonly string[],
  found: readonly FoundPage[],
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
