import { type Exchange, understand } from '../../../src/migrate/plain/index.js';
import { isObject } from '../detect.js';
import type { Call } from './call.js';

/** What a JSON text is that holds a call and is no body itself. */
export type RecordedKind = 'har' | 'batch' | 'record';

/** A call as it was recorded or put into a batch. */
export interface Recorded extends Call {
  readonly kind: RecordedKind;
  /** What the client got, where that was recorded too. */
  readonly answer?: { readonly text: string; readonly kind: 'response' | 'stream' | 'error'; readonly status: number };
}

/** How many calls a text holds of which each is an entry; the first that is a conversation is read. */
export interface Traffic {
  readonly first: Recorded | undefined;
  readonly entries: number;
}

/** Whether a JSON value holds calls; undefined where it is no such thing. */
export function readRecorded(value: unknown): Traffic | undefined {
  const entries = entriesIn(value);
  if (entries === undefined) return undefined;
  for (const entry of entries) {
    const first = recordedIn(entry);
    if (first !== undefined) return { first, entries: entries.length };
  }
  return { first: undefined, entries: entries.length };
}

/** Lines of JSON, of which the first that is a conversation is read; undefined where the text is none. */
export function readLines(text: string): Traffic | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [head = ''] = lines;
  if (lines.length < 2 || !head.trimStart().startsWith('{')) return undefined;
  for (const line of lines) {
    const understood = understand(line, undefined);
    if (understood.kind === 'unreadable') return undefined;
    if (understood.kind === 'exchange')
      return { first: recordOf(understood.exchange, kindOf(JSON.parse(line))), entries: lines.length };
  }
  return { first: undefined, entries: lines.length };
}

function entriesIn(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value.log) && Array.isArray(value.log.entries)) return value.log.entries;
  if (Array.isArray(value.requests) && value.requests.some((one) => isObject(one) && 'custom_id' in one))
    return value.requests;
  return kindOf(value) === undefined ? undefined : [value];
}

function kindOf(value: unknown): RecordedKind | undefined {
  if (!isObject(value)) return undefined;
  const { request, custom_id: id, key, body, params, url } = value;
  if (isObject(request) && typeof request.url === 'string' && typeof request.method === 'string') return 'har';
  if (isObject(body) && typeof url === 'string') return 'batch';
  if (isObject(params) && id !== undefined) return 'batch';
  if (!isObject(request)) return undefined;
  return typeof key === 'string' ? 'batch' : 'record';
}

function recordedIn(entry: unknown): Recorded | undefined {
  const understood = understand(JSON.stringify(entry), undefined);
  if (understood.kind !== 'exchange') return undefined;
  const headers = isObject(entry) && isObject(entry.request) ? headersIn(entry.request.headers) : undefined;
  return recordOf(understood.exchange, kindOf(entry), headers);
}

function recordOf(
  { from, request, model, stream, response, streamed, status = 200 }: Exchange,
  kind: RecordedKind = 'record',
  headers: ReadonlyMap<string, string> = new Map(),
): Recorded {
  const text = streamed ?? (response === undefined ? undefined : laidOut(response));
  const answered = status >= 400 ? 'error' : streamed === undefined ? 'response' : 'stream';
  return {
    kind,
    text: laidOut(request),
    headers,
    dialect: from,
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(text !== undefined && { answer: { text, kind: answered, status } }),
  };
}

const laidOut = (value: unknown): string => JSON.stringify(value, null, 2);

/** The headers of a HAR request: `[{ name, value }]`. */
function headersIn(list: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const one of Array.isArray(list) ? list : [])
    if (isObject(one) && typeof one.name === 'string' && typeof one.value === 'string')
      headers.set(one.name.toLowerCase(), one.value);
  return headers;
}
