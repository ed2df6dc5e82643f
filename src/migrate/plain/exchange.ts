import {
  type DialectId,
  detectDialect,
  isDialectId,
  type JsonObject,
  toStandardBase64,
} from '../../../translators/index.js';
import { isObject, readBatchLine } from '../../ground/plain/index.js';
import { calledBy } from './called.js';

/** A request that was recorded, with its answer where that was recorded too. */
export interface Exchange {
  /** What its client speaks. */
  readonly from: DialectId;
  readonly request: unknown;
  /** The model and the choice of a stream, where the dialect has them in the URL. */
  readonly model?: string;
  readonly stream?: boolean;
  /** The answer in one piece, or the body of an error. */
  readonly response?: unknown;
  /** The text of a streamed answer. */
  readonly streamed?: string;
  readonly status?: number;
}

/** What an entry holds: an exchange, other traffic, or nothing that can be understood, for a reason. */
export type Understood =
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable'; readonly reason: string };

const OTHER = { kind: 'other' } as const;

/** Reads an entry. `from` = the dialect of all of them; undefined = it is recognised from each. */
export function understand(text: string, from: DialectId | undefined): Understood {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', reason: 'it is not valid JSON' };
  }
  if (!isObject(value)) return { kind: 'unreadable', reason: 'it is not a JSON object' };
  const { request } = value;
  if (isObject(request) && typeof request.url === 'string' && typeof request.method === 'string')
    return ofHar(value, request, from);
  const line = readBatchLine(value);
  if (line?.kind === 'request')
    return line.url === undefined ? ofBody(line.body, from, {}) : ofCall(line.url, line.body, from, {});
  if (!isObject(request)) return ofBody(value, from, {});
  const { dialect } = value;
  const recorded = isDialectId(dialect) ? dialect : from;
  return from === undefined || recorded === from ? ofBody(request, recorded, ofRecord(value)) : OTHER;
}

type Rest = Omit<Exchange, 'from' | 'request'>;

function ofBody(request: JsonObject, given: DialectId | undefined, rest: Rest): Understood {
  const from = given ?? detectDialect(request);
  if (from === undefined) return { kind: 'unreadable', reason: 'no dialect has such a request' };
  return { kind: 'exchange', exchange: { from, request, ...rest } };
}

/** What stands next to the request in a line of the gateway's own record, or of anybody who writes the same. */
function ofRecord({ model, response, stream, status }: JsonObject): Rest {
  return {
    ...(typeof model === 'string' && { model: plain(model) }),
    ...(response !== undefined && response !== null && { response }),
    ...(typeof stream === 'string' && { stream: true, streamed: stream }),
    ...(typeof status === 'number' && { status }),
  };
}

/** A name of a model without the collection that it is in. */
function plain(model: string): string {
  return model.replace(/^models\//, '');
}

function ofCall(url: string, request: JsonObject, given: DialectId | undefined, rest: Rest): Understood {
  const called = calledBy(url);
  if (called === undefined || (given !== undefined && called.from !== given)) return OTHER;
  const { from, ...more } = called;
  return { kind: 'exchange', exchange: { from, request, ...more, ...rest } };
}

/** An entry of a HAR 1.2 file. */
function ofHar(entry: JsonObject, { url, method, postData }: JsonObject, given: DialectId | undefined): Understood {
  const text = isObject(postData) ? postData.text : undefined;
  if (method !== 'POST' || typeof url !== 'string' || typeof text !== 'string') return OTHER;
  const called = calledBy(url);
  if (called === undefined || (given !== undefined && called.from !== given)) return OTHER;
  const request = parsed(text);
  if (!isObject(request)) return { kind: 'unreadable', reason: 'its request is not a JSON object' };
  return ofCall(url, request, given, answerIn(entry.response));
}

function answerIn(response: unknown): Rest {
  if (!isObject(response) || !isObject(response.content)) return {};
  const { text: given, encoding, mimeType } = response.content;
  if (typeof given !== 'string' || given === '') return {};
  const text = encoding === 'base64' ? unpacked(given) : given;
  if (text === undefined) return {};
  const status = typeof response.status === 'number' ? { status: response.status } : {};
  if (/^text\/event-stream\b/i.test(String(mimeType))) return { ...status, streamed: text };
  const body = parsed(text);
  return body === undefined ? {} : { ...status, response: body };
}

/** The text that base64 holds, line breaks aside; undefined where it is none. */
function unpacked(base64: string): string | undefined {
  try {
    const binary = atob(toStandardBase64(base64.replace(/\s+/g, '')));
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
