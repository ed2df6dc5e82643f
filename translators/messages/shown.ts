import { legalCallId, mintAnswerCallId } from '../adapt/ids.js';
import { pictureLink } from '../adapt/picture-link.js';
import type {
  CallPart,
  Citation,
  HostedCallPart,
  HostedResultPart,
  MediaPart,
  Part,
  TextPart,
} from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeResponseContext } from '../dialect.js';
import { hash32, hashHex } from '../wire/hash.js';
import { hasUnsafeInteger, isObject, type Json, parseJson } from '../wire/json.js';
import { parseArguments, RAW_ARGUMENTS } from './calls.js';
import { type CitationView, encodeForeignCitation } from './citations.js';
import { isFetchError, isSearchError } from './hosted-errors.js';
import { CALL_IDS } from './wire.js';
import { SHOWN_HOSTED, SHOWN_MCP } from './withhold.js';

/** The id of an answer of another service, as a client sees it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return `msg_il${hashHex(`${id}:${nonce}`, 32)}`;
}

/** What of the client's request decides how an answer is shown. */
export function citationView(request: CanonicalRequest | undefined): CitationView {
  let documents = 0;
  for (const turn of request?.turns ?? []) for (const part of turn.parts) if (isDocument(part)) documents += 1;
  return { documents };
}

function isDocument(part: Part): boolean {
  return part.kind === 'textdoc' || (part.kind === 'media' && part.class === 'document');
}

/** Who called a tool: the model itself [M §2.3]. The vendor's schema requires it of calls and their results. */
export const DIRECT: JsonObject = { type: 'direct' };

/** A block of text. The vendor's schema requires its `citations`. */
export function textBlock(text: string, citations: JsonObject[] | null = null): JsonObject {
  return { type: 'text', text, citations };
}

/** The block of a call; `ordinal` counts the parts of the answer. Arguments that are no object are wrapped whole. */
export function showCall(part: CallPart, ordinal: number, responseId: string, losses: Losses): JsonObject {
  const id = callId(part, ordinal, responseId, losses);
  return { type: 'tool_use', id, name: callName(part), input: inputOf(part, losses), caller: DIRECT };
}

/** The name of a call; tools here stand in no namespaces (translation.md 2.7 rule 1). */
export function callName({ name, namespace }: CallPart): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** Reports a namespace that became part of the name. */
export function reportName({ namespace, src }: CallPart, losses: Losses): void {
  if (namespace !== undefined) losses.add(src?.ptr ?? '', 'call.name', 'moved', 'the namespace stands in the name');
}

/** Reports a call that was cut where its client takes it for whole: only a last call can be cut here. */
export function reportCut({ truncated, src }: CallPart, losses: Losses): void {
  if (truncated === true) losses.add(src?.ptr ?? '', 'call.truncated', 'approximated', 'the call reads as whole');
}

/**
 * The id of a call; one that the backend gave none gets one (translation.md 2.7 rule 5), and one that this dialect could
 * not send back ([M §2.3]) another.
 */
export function callId(part: CallPart, ordinal: number, responseId: string, losses: Losses): string {
  if (part.callId === '') return mintAnswerCallId(responseId, ordinal, part.name);
  const id = legalCallId(part.callId, CALL_IDS);
  if (id !== part.callId) losses.add(part.src?.ptr ?? '', 'call.id', 'approximated', 'the id is not legal here');
  return id;
}

function inputOf(part: CallPart, losses: Losses): JsonObject {
  if (part.freeform !== undefined) return { input: part.freeform };
  const { text } = part.args;
  if (text === undefined) return part.args.value ?? {};
  const value = parseArguments(text);
  if (value !== undefined) {
    if (hasUnsafeInteger(value as Json))
      losses.add(part.src?.ptr ?? '', 'call.args', 'approximated', 'an integer beyond 2^53 lost its last digits');
    return value;
  }
  losses.add(
    part.src?.ptr ?? '',
    'call.args',
    'approximated',
    'the arguments are no JSON object; they stand as text in one key',
  );
  return { [RAW_ARGUMENTS]: text };
}

/** Reports the arguments of a streamed call that are no object: they were shown piece by piece, as they came. */
export function reportArguments({ args, src }: CallPart, losses: Losses): void {
  if (args.text === undefined || args.value !== undefined || parseArguments(args.text) !== undefined) return;
  losses.add(src?.ptr ?? '', 'call.args', 'approximated', 'the arguments are no JSON object; they stand as they came');
}

/** The argument text of a call that came whole: `''` when it has none. */
export function argumentText(part: CallPart): string {
  if (part.freeform !== undefined) return JSON.stringify({ input: part.freeform });
  const text = part.args.text ?? JSON.stringify(part.args.value ?? {});
  return text === '{}' ? '' : text;
}

/** Hosted calls of another service as pairs of this dialect (translation.md 5.1). Undefined: the family has no pair here. */
export function showHosted(part: HostedCallPart | HostedResultPart, responseId: string): JsonObject | undefined {
  const hash = hash32(`${responseId}:${part.callId}`, 20);
  const id = part.family === 'mcp' ? SHOWN_MCP + hash : SHOWN_HOSTED + hash;
  return part.kind === 'hostedCall' ? showHostedCall(part, id) : showHostedResult(part, id);
}

function showHostedCall({ family, input }: HostedCallPart, id: string): JsonObject | undefined {
  switch (family) {
    case 'webSearch':
      return { type: 'server_tool_use', id, name: 'web_search', input: { query: queryOf(input) }, caller: DIRECT };
    case 'urlFetch':
      return { type: 'server_tool_use', id, name: 'web_fetch', input: { url: word(input.url) }, caller: DIRECT };
    case 'codeExec':
      return { type: 'server_tool_use', id, name: 'code_execution', input: { code: word(input.code) }, caller: DIRECT };
    case 'mcp': {
      const parsed = parseJson(typeof input.arguments === 'string' ? input.arguments : '{}');
      const args = parsed.ok && isObject(parsed.value) ? parsed.value : {};
      return { type: 'mcp_tool_use', id, name: word(input.name), server_name: word(input.server), input: args };
    }
    default:
      return undefined;
  }
}

/** The one query that a search tells here. */
export function queryOf(input: JsonObject): string {
  const [first] = Array.isArray(input.queries) ? input.queries : [];
  return word(input.query) || word(first) || word(input.url) || word(input.pattern);
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function showHostedResult(part: HostedResultPart, id: string): JsonObject | undefined {
  const { output } = part;
  switch (part.family) {
    case 'webSearch':
      return { type: 'web_search_tool_result', tool_use_id: id, content: searchContent(part), caller: DIRECT };
    case 'urlFetch':
      return { type: 'web_fetch_tool_result', tool_use_id: id, content: fetchContent(part), caller: DIRECT };
    case 'codeExec':
      return { type: 'code_execution_tool_result', tool_use_id: id, content: executionContent(part) };
    case 'mcp': {
      const content = [textBlock(word(output.text))];
      return { type: 'mcp_tool_result', tool_use_id: id, is_error: part.isError === true, content };
    }
    default:
      return undefined;
  }
}

/** Encrypted fields are empty: by that such a pair is known when it comes back (decision 29). */
function searchContent(part: HostedResultPart): unknown {
  if (part.isError === true)
    return {
      type: 'web_search_tool_result_error',
      error_code: isSearchError(part.errorCode) ? part.errorCode : 'unavailable',
    };
  const sources = Array.isArray(part.output.sources) ? part.output.sources.filter(isObject) : [];
  return sources.map((source) => ({
    type: 'web_search_result',
    url: word(source.url),
    title: word(source.title),
    encrypted_content: '',
    page_age: typeof source.pageAge === 'string' ? source.pageAge : null,
  }));
}

function fetchContent({ isError, errorCode, output }: HostedResultPart): JsonObject {
  if (isError === true)
    return {
      type: 'web_fetch_tool_result_error',
      error_code: isFetchError(errorCode) ? errorCode : 'url_not_accessible',
    };
  const source = { type: 'text', media_type: 'text/plain', data: word(output.text) };
  const title = typeof output.title === 'string' ? output.title : null;
  // The vendor's schema has `citations` here, as null; its service leaves it out, and some clients refuse the null.
  const content = { type: 'document', source, title };
  return { type: 'web_fetch_result', url: word(output.url), retrieved_at: null, content };
}

function executionContent({ output, isError }: HostedResultPart): JsonObject {
  if (output.timedOut === true) {
    return { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' };
  }
  return {
    type: 'code_execution_result',
    stdout: word(output.stdout),
    stderr: word(output.stderr),
    return_code: typeof output.exitCode === 'number' ? output.exitCode : isError === true ? 1 : 0,
    content: [],
  };
}

/**
 * A picture the model made: a link to it where the host keeps pictures, else an image block, an extension that is accepted
 * back. Other media is told as text.
 */
export function showMedia(
  part: MediaPart,
  { losses, keepPicture }: Pick<EncodeResponseContext, 'losses' | 'keepPicture'>,
): JsonObject | undefined {
  const path = part.src?.ptr ?? '';
  if (part.thought === true) {
    losses.add(path, 'part.media', 'dropped', 'pictures of the thinking are not shown');
    return undefined;
  }
  if (part.class !== 'image' || part.data.from === 'file') {
    losses.add(path, 'part.media', 'approximated', `an answer here cannot hold ${part.class}; a text says so`);
    return textBlock(`[${part.class} omitted: ${part.mime ?? 'unknown type'}]`);
  }
  const { data, mime = 'image/png' } = part;
  const url = data.from === 'url' ? data.url : keepPicture?.(mime, data.base64);
  if (url !== undefined && keepPicture !== undefined) {
    losses.add(path, 'part.media', 'approximated', 'a picture in an answer is told as a link to it');
    return textBlock(pictureLink(url));
  }
  losses.add(path, 'part.media', 'approximated', 'a picture in an answer is an extension of the dialect');
  const source =
    data.from === 'url' ? { type: 'url', url: data.url } : { type: 'base64', media_type: mime, data: data.base64 };
  return { type: 'image', source };
}

/** The picture that a hosted result of the image family brought. */
export function pictureOf(part: HostedResultPart): MediaPart | undefined {
  const { base64, mime } = part.output;
  if (part.family !== 'imageGen' || typeof base64 !== 'string') return undefined;
  const type = typeof mime === 'string' ? mime : 'image/png';
  return { kind: 'media', class: 'image', mime: type, data: { from: 'base64', base64 }, src: part.src };
}

/** Reports what a text loses on its way to a client of this dialect. */
export function reportText(part: TextPart, losses: Losses): void {
  if (part.text === '') return;
  const path = part.src?.ptr ?? '';
  reportTokens(path, part.logprobs, losses);
  reportPhase(part, losses);
}

/** Reports log probabilities. */
export function reportTokens(path: string, tokens: TextPart['logprobs'], losses: Losses): void {
  if (tokens !== undefined && tokens.length > 0)
    losses.add(path, 'logprobs', 'dropped', 'texts carry no log probabilities');
}

/** Reports the phase of a message. */
export function reportPhase({ phase, src }: Part, losses: Losses): void {
  if (phase !== undefined) losses.add(src?.ptr ?? '', 'part.phase', 'dropped', 'texts have no phase');
}

/** Reports refusals that read as plain text, because the answer ends in another way. */
export function reportRefusal(path: string, losses: Losses): void {
  losses.add(path, 'part.refusal', 'moved', 'the words of the refusal stand as text');
}

/** Reports a part that has no form for clients of this dialect. */
export function reportLost(part: Part, losses: Losses): void {
  const path = part.src?.ptr ?? '';
  switch (part.kind) {
    case 'hostedCall':
      losses.add(path, 'hosted.call', 'dropped', `a ${part.family} call has no form here`);
      return;
    case 'hostedResult':
      return;
    case 'compaction':
      losses.add(path, 'part.compaction', 'dropped', 'the summary of another service');
      return;
    case 'approval':
      losses.add(path, 'part.approval', 'dropped', 'clients of this dialect are not asked for consent');
      return;
    case 'handover':
      losses.add(path, 'part.handover', 'dropped', 'only its own dialect knows it');
      return;
    default:
      losses.add(path, 'part.opaque', 'dropped', 'only its own dialect knows it');
  }
}

/** Reports sources of other kinds that read as pages, and words of a source that are cut. */
export function reportSource({ source, src, citedText }: Citation, node: JsonObject, losses: Losses): void {
  if (citedText !== undefined && citedText !== node.cited_text)
    losses.add(src?.ptr ?? '', 'part.citation', 'approximated', 'the words of the source are cut');
  if (source === 'web' || node.type !== 'web_search_result_location') return;
  losses.add(src?.ptr ?? '', 'part.citation', 'approximated', `a ${source} source reads as a page`);
}

/** A citation that says where, but covers no stretch of the text that could be a block of its own. */
export const WIDENED = 'it covers the whole block of the text';

interface Segment {
  readonly text: string;
  readonly citations: JsonObject[];
}

/**
 * A text as blocks, cut where citations begin and end, each block with the citations that cover it (translation.md 5.5).
 * White space joins the block before it, cited or not, for blocks of white space are refused on replay.
 */
export function showCited(part: TextPart, view: CitationView, losses: Losses): JsonObject[] {
  const { text } = part;
  const cited = (part.citations ?? []).flatMap((citation) => {
    const { span } = citation;
    const words = span === undefined ? '' : text.slice(span.start, span.end);
    const node = encodeForeignCitation(citation, words, view);
    if (node === undefined) {
      losses.add(
        citation.src?.ptr ?? '',
        'part.citation',
        'dropped',
        'it names no address and no document of the request',
      );
      return [];
    }
    reportSource(citation, node, losses);
    if (span !== undefined && words.trim() !== '') return [{ ...span, node }];
    const exact = span === undefined || (span.start === 0 && span.end === text.length);
    if (!exact) losses.add(citation.src?.ptr ?? '', 'part.citation', 'approximated', WIDENED);
    return [{ start: 0, end: text.length, node }];
  });
  if (cited.length === 0) return [textBlock(text)];
  const borders = [...new Set([0, text.length, ...cited.flatMap(({ start, end }) => [start, end])])]
    .filter((at) => at >= 0 && at <= text.length)
    .sort((a, b) => a - b);
  const pieces = borders.slice(1).map((to, index) => ({ text: text.slice(borders[index], to), citations: [] }));
  coverPieces(pieces, borders, cited, () =>
    losses.add(part.src?.ptr ?? '', 'part.citation', 'approximated', 'citations that overlap stand where they begin'),
  );
  const segments: Segment[] = [];
  for (const piece of pieces) addSegment(segments, piece);
  return segments.map(({ text: words, citations }) => textBlock(words, citations.length === 0 ? null : citations));
}

/** Copies of citations that overlap, in all: one more per piece of text, beyond which each stands once. */
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
  const blank = next.text.trim() === '';
  const led = last !== undefined && last.text.trim() === '';
  if (last === undefined || !(blank || led)) segments.push(next);
  else
    segments[segments.length - 1] = { text: last.text + next.text, citations: led ? next.citations : last.citations };
}
