import type {
  Citation,
  HostedCallPart,
  HostedResultPart,
  Part,
  TextPart,
} from '../../../translators/canonical/content.js';
import type { StateEntry } from '../../../translators/canonical/state.js';
import type { DialectId } from '../../../translators/index.js';
import { decodeCarrier } from '../../../translators/wire/carrier.js';
import { isObject, parseJson } from '../../../translators/wire/json.js';
import { changedNumber } from '../../../translators/wire/json-numbers.js';
import { has } from '../dialects/index.js';
import { phaseOf } from '../phase.js';
import { gathered } from './gathered.js';

/** A part that a client sees, as facts that can be compared one by one. */
export interface Item {
  readonly type: 'item';
  readonly kind: string;
  /** Where it stands in the answer it comes from: of a pair that shows as one, both places. */
  readonly ptrs: readonly string[];
  /** The parts behind it, as they are. */
  readonly parts: readonly Part[];
  /** undefined counts as absent. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What a reasoning part shows. */
export interface Thought {
  readonly type: 'thought';
  readonly ptr: string;
  readonly text: string;
}

/** One state entry at its place. */
export interface Held {
  readonly type: 'state';
  readonly ptr: string;
  readonly entry: StateEntry;
}

export type Token = Item | Thought | Held;

/** An answer as what its client gets, one after the other, and what it gets beside that (searches in metadata). */
export interface View {
  readonly tokens: readonly Token[];
  readonly aside: readonly Item[];
}

/** What decides how an answer is read: the client's dialect, and whether its refusals are texts (translation.md 5.1). */
export interface Reading {
  readonly client: DialectId;
}

/** The view of an answer before it was encoded for a client. */
export function sourceView(parts: readonly Part[], reading: Reading): View {
  return gathered(viewOf(arranged(parts, reading), reading, true, statesOf), reading);
}

/** The view of what the client decodes; state is taken out of the carriers it rides in (translation.md 4.3). */
export function clientView(parts: readonly Part[], reading: Reading): View {
  const view = viewOf(unfinished(parts, reading), reading, false, (part) =>
    carriersOf(part).flatMap((carrier) => decodeCarrier(carrier)?.entries ?? [DAMAGED]),
  );
  return gathered(view, reading);
}

const DAMAGED: StateEntry = { dialect: '', domain: '', kind: 'note', payload: 'damaged' };

function statesOf(part: Part): readonly StateEntry[] {
  return part.state ?? [];
}

/** An item is call and result in one, so that the result stands right behind its call (translation.md 5.1). */
function arranged(parts: readonly Part[], { client }: Reading): readonly Part[] {
  if (!has(client, 'hostedItems')) return parts;
  const results = new Map<string, HostedResultPart>();
  const calls = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'hostedResult' && calls.has(part.callId)) results.set(part.callId, part);
    if (part.kind === 'hostedCall') calls.add(part.callId);
  }
  return parts.flatMap((part) => {
    if (part.kind === 'hostedResult') return results.has(part.callId) ? [] : [part];
    const result = part.kind === 'hostedCall' ? results.get(part.callId) : undefined;
    return result === undefined ? [part] : [part, result];
  });
}

/** An item that has no result yet reads as one with nothing in it (translation.md 5.1). */
function unfinished(parts: readonly Part[], { client }: Reading): readonly Part[] {
  if (!has(client, 'hostedItems')) return parts;
  return parts.filter((part, index) => {
    const call = parts[index - 1];
    const alone = part.kind === 'hostedResult' && call?.kind === 'hostedCall' && call.status === 'incomplete';
    return !alone;
  });
}

/** Carrier texts that a decoded part holds, in whatever field its dialect has for them. */
function carriersOf(part: Part): string[] {
  const hosted = part.kind === 'hostedCall' || part.kind === 'hostedResult';
  const raw = hosted && isObject(part.src?.raw) ? part.src.raw : undefined;
  if (raw !== undefined) return typeof raw.thoughtSignature === 'string' ? [raw.thoughtSignature] : [];
  if (part.carrier !== undefined) return [part.carrier];
  return (part.state ?? []).flatMap(({ payload }) => {
    if (payload === '') return [];
    if (payload.startsWith('ilingua1')) return [payload];
    const parsed = parseJson(payload);
    const nodes = !parsed.ok ? [] : Array.isArray(parsed.value) ? parsed.value : [parsed.value];
    return nodes.flatMap((node) => {
      if (!isObject(node)) return [];
      const details = Array.isArray(node.reasoning_details) ? node.reasoning_details.filter(isObject) : [];
      const values = [
        node.encrypted_content ?? node.signature ?? node.thoughtSignature,
        ...details.map(({ data }) => data),
      ];
      return values.filter((value): value is string => typeof value === 'string' && value !== '');
    });
  });
}

/** A carrier of the very domain is not wrapped again (translation.md 4.2.7). */
function unwrapped(entry: StateEntry): readonly StateEntry[] {
  const inner = entry.kind === 'signature' ? decodeCarrier(entry.payload) : undefined;
  return inner?.domain === entry.domain ? inner.entries : [entry];
}

type StateOf = (part: Part) => readonly StateEntry[];

/** `behind`: state of hosted calls is known behind them; what a client reads rides on the part itself. */
function viewOf(parts: readonly Part[], reading: Reading, behind: boolean, stateOf: StateOf): View {
  const tokens: Token[] = [];
  const aside: Item[] = [];
  const pictures = picturesIn(parts);
  const answered = new Set(parts.flatMap((part) => (part.kind === 'hostedResult' ? [part.callId] : [])));
  parts.forEach((part) => {
    const ptr = part.src?.ptr ?? '';
    const states = stateOf(part)
      .flatMap(unwrapped)
      .filter((entry) => entry.kind !== 'none')
      .map((entry): Held => ({ type: 'state', ptr, entry }));
    if (part.kind === 'reasoning') {
      const text = shownText(part.text, part.raw);
      if (text !== '') tokens.push({ type: 'thought', ptr, text });
      tokens.push(...states);
      return;
    }
    const hosted = part.kind === 'hostedCall' || part.kind === 'hostedResult';
    const item = itemOf(part, pictures, reading, answered);
    const late = hosted && behind;
    if (!late) tokens.push(...states);
    // Empty texts say nothing (translation.md 2.5); searches and fetches stand in metadata (5.1).
    if (item === undefined || ((part.kind === 'text' || part.kind === 'refusal') && part.text === '')) {
      if (late) tokens.push(...states);
      return;
    }
    if (has(reading.client, 'searchesAside') && hosted && (part.family === 'webSearch' || part.family === 'urlFetch')) {
      aside.push(item);
    } else tokens.push(item);
    if (late) tokens.push(...states);
  });
  return { tokens, aside };
}

/** The summary, else the full text; paragraphs are one text with blank lines between (translation.md 4.3). */
export function shownText(text: readonly string[], raw: readonly string[] | undefined): string {
  const summary = text.filter((paragraph) => paragraph !== '');
  const shown = summary.length > 0 ? summary : (raw ?? []).filter((paragraph) => paragraph !== '');
  return shown.join('\n\n');
}

/** Calls that made a picture: they show as the picture (translation.md 5.1 "media image"). */
function picturesIn(parts: readonly Part[]): ReadonlyMap<string, HostedCallPart | undefined> {
  const found = new Map<string, HostedCallPart | undefined>();
  for (const part of parts) {
    if (part.kind !== 'hostedResult' || part.family !== 'imageGen' || typeof part.output.base64 !== 'string') continue;
    const call = parts.find((other) => other.kind === 'hostedCall' && other.callId === part.callId);
    found.set(part.callId, call?.kind === 'hostedCall' ? call : undefined);
  }
  return found;
}

function itemOf(
  part: Part,
  pictures: ReturnType<typeof picturesIn>,
  { client }: Reading,
  answered: ReadonlySet<string>,
): Item | undefined {
  const ptr = part.src?.ptr ?? '';
  const item = (kind: string, facts: Item['facts'], parts: readonly Part[] = [part]): Item => ({
    type: 'item',
    kind,
    ptrs: [ptr],
    parts,
    facts,
  });
  switch (part.kind) {
    case 'text':
      return item('text', textFacts(part));
    case 'refusal':
      return item('refusal', { text: part.text, phase: phaseOf(part) });
    case 'media':
      return item('media', { class: part.class, mime: part.mime, ...part.data, filename: part.filename });
    case 'call':
      return item('call', callFacts(part, client));
    case 'hostedCall': {
      if (pictures.has(part.callId)) return undefined;
      return item('hostedCall', {
        family: part.family,
        status: answered.has(part.callId) ? statusFact(part.status) : undefined,
        ...inputFacts(part),
      });
    }
    case 'hostedResult': {
      if (!pictures.has(part.callId)) return item('hostedResult', { family: part.family, ...outputFacts(part) });
      const call = pictures.get(part.callId);
      const prompt = part.output.revisedPrompt ?? call?.input.prompt;
      const { base64, mime } = part.output;
      return {
        ...item('media', {
          class: 'image',
          mime,
          from: 'base64',
          base64,
          prompt,
          isError: part.isError,
          status: statusFact(call?.status),
        }),
        ptrs: call?.src === undefined ? [ptr] : [ptr, call.src.ptr],
        parts: call === undefined ? [part] : [call, part],
      };
    }
    case 'opaque':
      return item('opaque', { raw: part.raw });
    default:
      return item(part.kind, {});
  }
}

function statusFact(status: string | undefined): string | undefined {
  return status === 'incomplete' ? status : undefined;
}

function textFacts(part: TextPart): Item['facts'] {
  const logprobs = part.logprobs?.map(({ token, logprob, bytes, top }) => ({
    ...withBytes({ token, logprob, bytes }),
    top: top.map(withBytes),
  }));
  return { text: part.text, phase: phaseOf(part), logprobs: logprobs?.length === 0 ? undefined : logprobs };
}

/** The bytes of a token are those of its text unless it says otherwise (translation.md 5.6). */
function withBytes<T extends { readonly token: string; readonly bytes?: readonly number[] }>(token: T): T {
  return { ...token, bytes: token.bytes ?? [...new TextEncoder().encode(token.token)] };
}

/** Ids that stand for none (translation.md 2.7 rule 5; translation.md 2.7). */
const MINTED = /^call_ilg_|_ilg$/;

/** Blank and null arguments are no arguments (translation.md 2.5); free text is the one property `input` (2.6). */
function callFacts(part: Extract<Part, { kind: 'call' }>, client: DialectId): Item['facts'] {
  const { text, value } = part.args;
  const parsed = text === undefined || text.trim() === '' ? undefined : parseJson(text);
  const given = parsed === undefined ? (value ?? {}) : parsed.ok ? (parsed.value ?? {}) : { broken: text };
  const exact = text !== undefined && parsed?.ok === true && changedNumber(text) !== undefined ? text : undefined;
  return {
    // Ids that we mint stand for none (translation.md 2.7 rule 5).
    callId: MINTED.test(part.callId) ? '' : part.callId,
    name: part.name,
    namespace: part.namespace,
    args: part.freeform === undefined ? given : { input: part.freeform },
    // Arguments that stay text keep every digit (translation.md 1).
    digits: has(client, 'textArguments') ? undefined : exact,
    truncated: part.truncated,
  };
}

/** What was asked. Ids of containers are the service's own (translation.md 5.4). */
function inputFacts({ family, input }: HostedCallPart): Item['facts'] {
  switch (family) {
    case 'webSearch': {
      const listed = Array.isArray(input.queries) && input.queries.length > 0 ? input.queries : [input.query];
      const queries = listed.filter((query) => query !== undefined && query !== '');
      return { action: input.action, queries, url: input.url === '' ? undefined : input.url, pattern: input.pattern };
    }
    case 'codeExec':
      return { code: input.code, language: input.language ?? 'python' };
    case 'mcp': {
      const { arguments: text } = input;
      const parsed = typeof text === 'string' && text !== '' ? parseJson(text) : undefined;
      const args = parsed === undefined ? {} : parsed.ok ? parsed.value : { broken: text };
      const digits =
        typeof text === 'string' && parsed?.ok === true && changedNumber(text) !== undefined ? text : undefined;
      return { server: input.server, name: input.name, args, digits };
    }
    default:
      return { input };
  }
}

/** What it brought; empty words and an exit that went well say nothing. */
function outputFacts({ family, output, isError, errorCode }: HostedResultPart): Item['facts'] {
  const word = (value: unknown): unknown => (value === '' ? undefined : value);
  const failed = { isError: isError === true ? true : undefined, errorCode };
  switch (family) {
    case 'webSearch': {
      const sources = Array.isArray(output.sources) ? output.sources.filter(isObject) : [];
      return {
        sources: sources.map(({ url, title, pageAge }) => ({ url, title: word(title), pageAge: word(pageAge) })),
        ...failed,
      };
    }
    case 'urlFetch': {
      const { url, title, text, status } = output;
      return {
        url: word(url),
        title: word(title),
        text: word(text),
        status: status === 'success' ? undefined : status,
        ...failed,
      };
    }
    case 'codeExec': {
      const { stdout, stderr, exitCode, timedOut, files } = output;
      const late = timedOut === true && errorCode === 'execution_time_exceeded';
      return {
        stdout,
        stderr: word(stderr),
        exitCode: exitCode === 0 ? undefined : exitCode,
        timedOut,
        files,
        ...(!late && failed),
      };
    }
    default:
      return { output, ...failed };
  }
}

/** A citation as a fact: `absent` spans cover the whole text. */
export function citationFact(citation: Citation, text: string): Readonly<Record<string, unknown>> {
  const { span, source, url, title, citedText, doc, fileId, filename, score, ext } = citation;
  return {
    span: span ?? { start: 0, end: text.length },
    source,
    url,
    title: title === '' ? undefined : title,
    citedText,
    doc,
    fileId: fileId === '' ? undefined : fileId,
    filename,
    score,
    license: ext?.generateContent?.license,
  };
}
