import type { Citation, HostedCallPart, HostedResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex, utf8Length } from '../../wire/utf8.js';
import { type Span, string } from './citations.js';

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
      const grounding = encodeGrounding(texts, queries, found);
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

function encodeGrounding(
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
