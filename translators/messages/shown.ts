import { mintAnswerCallId } from '../adapt/ids.js';
import type { CallPart, HostedCallPart, HostedResultPart, MediaPart, Part, TextPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { hash32, hashHex } from '../wire/hash.js';
import { isObject, parseJson } from '../wire/json.js';
import { parseArguments, RAW_ARGUMENTS } from './calls.js';
import { type CitationView, encodeForeignCitation } from './citations.js';
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

/** The block of a call; `ordinal` counts the parts of the answer. Arguments that are no object are wrapped whole. */
export function showCall(part: CallPart, ordinal: number, responseId: string, losses: Losses): JsonObject {
  const id = callId(part, ordinal, responseId);
  return { type: 'tool_use', id, name: part.name, input: inputOf(part, losses) };
}

/** The id of a call; one that the backend gave none gets one (translation.md 2.7 rule 5). */
export function callId(part: CallPart, ordinal: number, responseId: string): string {
  return part.callId === '' ? mintAnswerCallId(responseId, ordinal, part.name) : part.callId;
}

function inputOf(part: CallPart, losses: Losses): JsonObject {
  if (part.freeform !== undefined) return { input: part.freeform };
  const { text } = part.args;
  if (text === undefined) return part.args.value ?? {};
  const value = parseArguments(text);
  if (value !== undefined) return value;
  losses.add(
    part.src?.ptr ?? '',
    'call.args',
    'approximated',
    'the arguments are no JSON object; they stand as text in one key',
  );
  return { [RAW_ARGUMENTS]: text };
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
      return { type: 'server_tool_use', id, name: 'web_search', input: { query: queryOf(input) } };
    case 'urlFetch':
      return { type: 'server_tool_use', id, name: 'web_fetch', input: { url: word(input.url) } };
    case 'codeExec':
      return { type: 'server_tool_use', id, name: 'code_execution', input: { code: word(input.code) } };
    case 'mcp': {
      const parsed = parseJson(typeof input.arguments === 'string' ? input.arguments : '{}');
      const args = parsed.ok && isObject(parsed.value) ? parsed.value : {};
      return { type: 'mcp_tool_use', id, name: word(input.name), server_name: word(input.server), input: args };
    }
    default:
      return undefined;
  }
}

function queryOf(input: JsonObject): string {
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
      return { type: 'web_search_tool_result', tool_use_id: id, content: searchContent(part) };
    case 'urlFetch':
      return { type: 'web_fetch_tool_result', tool_use_id: id, content: fetchContent(part) };
    case 'codeExec':
      return { type: 'code_execution_tool_result', tool_use_id: id, content: executionContent(output) };
    case 'mcp': {
      const content = [{ type: 'text', text: word(output.text) }];
      return { type: 'mcp_tool_result', tool_use_id: id, is_error: part.isError === true, content };
    }
    default:
      return undefined;
  }
}

/** Encrypted fields are empty: by that such a pair is known when it comes back (decision 29). */
function searchContent(part: HostedResultPart): unknown {
  if (part.isError === true)
    return { type: 'web_search_tool_result_error', error_code: part.errorCode ?? 'unavailable' };
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
  if (isError === true) return { type: 'web_fetch_tool_result_error', error_code: errorCode ?? 'url_not_accessible' };
  const source = { type: 'text', media_type: 'text/plain', data: word(output.text) };
  const title = typeof output.title === 'string' ? output.title : null;
  const content = { type: 'document', source, title, citations: null };
  return { type: 'web_fetch_result', url: word(output.url), retrieved_at: null, content };
}

function executionContent(output: JsonObject): JsonObject {
  if (output.timedOut === true) {
    return { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' };
  }
  return {
    type: 'code_execution_result',
    stdout: word(output.stdout),
    stderr: word(output.stderr),
    return_code: typeof output.exitCode === 'number' ? output.exitCode : 0,
    content: [],
  };
}

/** A picture the model made is an image block, an extension that is accepted back; other media is told as text. */
export function showMedia(part: MediaPart, losses: Losses): JsonObject | undefined {
  const path = part.src?.ptr ?? '';
  if (part.thought === true) {
    losses.add(path, 'part.media', 'dropped', 'pictures of the thinking are not shown');
    return undefined;
  }
  if (part.class !== 'image' || part.data.from === 'file') {
    losses.add(path, 'part.media', 'dropped', `an answer here cannot hold ${part.class}`);
    return { type: 'text', text: `[${part.class} omitted: ${part.mime ?? 'unknown type'}]` };
  }
  losses.add(path, 'part.media', 'approximated', 'a picture in an answer is an extension of the dialect');
  const source =
    part.data.from === 'url'
      ? { type: 'url', url: part.data.url }
      : { type: 'base64', media_type: part.mime ?? 'image/png', data: part.data.base64 };
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
  const path = part.src?.ptr ?? '';
  if (part.logprobs !== undefined && part.logprobs.length > 0) {
    losses.add(path, 'logprobs', 'dropped', 'texts carry no log probabilities');
  }
  if (part.phase !== undefined) losses.add(path, 'part.phase', 'dropped', 'texts have no phase');
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

interface Segment {
  readonly text: string;
  readonly citations: JsonObject[];
}

/**
 * A text as blocks, cut where citations begin and end, each block with the citations that cover it (translation.md 5.5).
 * White space between cited stretches joins the block before it, for blocks of white space are refused on replay.
 */
export function showCited(part: TextPart, view: CitationView, losses: Losses): JsonObject[] {
  const { text } = part;
  const cited = (part.citations ?? []).flatMap((citation) => {
    const { start, end } = citation.span ?? { start: 0, end: text.length };
    const node = encodeForeignCitation(citation, citation.span === undefined ? '' : text.slice(start, end), view);
    if (node === undefined) {
      losses.add(
        citation.src?.ptr ?? '',
        'part.citation',
        'dropped',
        'it names no address and no document of the request',
      );
      return [];
    }
    return [{ start, end, node }];
  });
  if (cited.length === 0) return [{ type: 'text', text }];
  const borders = [...new Set([0, text.length, ...cited.flatMap(({ start, end }) => [start, end])])]
    .filter((at) => at >= 0 && at <= text.length)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const from = borders[index] ?? 0;
    const to = borders[index + 1] ?? 0;
    const citations = cited.filter(({ start, end }) => start <= from && end >= to).map(({ node }) => node);
    addSegment(segments, { text: text.slice(from, to), citations });
  }
  return segments.map(({ text: words, citations }) =>
    citations.length === 0 ? { type: 'text', text: words } : { type: 'text', text: words, citations },
  );
}

function addSegment(segments: Segment[], next: Segment): void {
  const last = segments.at(-1);
  const blank = next.text.trim() === '' && next.citations.length === 0;
  const led = last !== undefined && last.text.trim() === '' && last.citations.length === 0;
  if (last === undefined || !(blank || led)) segments.push(next);
  else
    segments[segments.length - 1] = { text: last.text + next.text, citations: led ? next.citations : last.citations };
}
