import { deflateSync } from 'fflate/browser';
import type { StateEntry } from '../canonical/state.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { WireError } from './errors.js';
import { sha256 } from './hash.js';
import { type InflationBudget, inflateExactly } from './inflate.js';
import { isObject, type Json, parseJson } from './json.js';

export type { InflationBudget } from './inflate.js';

/** What the header of a carrier shows without opening it. Not verified: see {@link decodeCarrier}. */
export type CarrierHeader = {
  /** Dialect of the issuer. */
  dialect: string;
  /** State domain of the issuer. */
  domain: string;
  /** Kinds of the entries, in order. */
  kinds: StateEntry['kind'][];
};

/** An opened carrier. Every entry's dialect and domain are the carrier's. */
export type Carrier = { dialect: string; domain: string; entries: StateEntry[] };

/** A carrier that is whole: its bytes and its head. */
type Opened = { readonly bytes: Uint8Array; readonly head: Head };

/** What the carriers of one body are, by their text; undefined for damaged ones. What several steps look at is decoded and checked once. */
export type OpenedCarriers = Map<string, Opened | undefined>;

/** Options of {@link decodeCarrier} and {@link peelCarrier}. */
export type CarrierOptions = {
  /**
   * How many bytes may still be inflated; reduced by what was. Share one over all carriers of a body, beginning with
   * {@link INFLATION_LIMIT}. Without one every call has that limit for itself.
   */
  budget?: InflationBudget;
  /** The carriers of the body that were opened before. */
  opened?: OpenedCarriers;
  /** The dialect that the target's nodes are of: gateways of several dialects may share one domain. Only for peeling. */
  dialect?: string;
};

/** Most bytes the carriers of one body may inflate to: 16 MiB (translation.md 4.2.5). */
export const INFLATION_LIMIT = 16 * 1024 * 1024;

/** The text of magic bytes 8a 58 a7 82 e6 b5; the digit is the version (translation.md 4.2.2). */
export const CARRIER_MARK = 'ilingua1';

/** Finds a carrier, an id of one, or one of these words, none of which means anything in a pattern. */
export function stateMark(...words: readonly string[]): RegExp {
  return new RegExp([CARRIER_MARK, '_il', ...words].join('|'));
}

const MAGIC = decodeBase64(CARRIER_MARK);
/** Magic and header length. */
const FIXED = 8;
const CHECK = 4;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOOSE_UTF8 = new TextDecoder();
const MAX_HEADER = 0xffff;
const DEFLATE_ABOVE = 2048;
const KINDS: ReadonlySet<string> = new Set<StateEntry['kind']>([
  'reasoning',
  'signature',
  'hosted',
  'summary',
  'note',
  'none',
]);
const PLACES: ReadonlySet<string> = new Set<NonNullable<StateEntry['on']>>(['text', 'empty', 'call', 'image']);
/** Where a node of any dialect keeps its opaque value (translation.md 4.1). */
const OPAQUE_KEYS = new Set(['signature', 'encrypted_content', 'data', 'thoughtSignature', 'thought_signature']);

type EntryHead = Pick<StateEntry, 'kind' | 'on' | 'h'> & { stored: number; inflated: number | undefined };
type Head = { dialect: string; domain: string; entries: EntryHead[]; end: number };

/**
 * The text that carries state of one issuer through a client of another dialect (translation.md 4.2). `dialect` and
 * `domain` hold for all entries; the entries' own are not written. Payloads are kept byte-exact if they are
 * well-formed Unicode. What no reader would open is left out, and `leave` hears of it, the latest first: entries before
 * those whose heads fill the header (64 KiB, some thousand entries), and payloads that would not inflate within
 * {@link INFLATION_LIMIT} next to those behind them. Throws {@link WireError} `too_large` when `dialect` and `domain`
 * alone fill the header.
 */
export function encodeCarrier(
  dialect: string,
  domain: string,
  entries: readonly StateEntry[],
  leave: (entry: StateEntry) => void = () => {},
): string {
  const utf8 = new TextEncoder();
  const start = JSON.stringify({ d: dialect, b: domain, e: [] }).slice(0, -2);
  let room = MAX_HEADER - utf8.encode(start).length - 2;
  if (room < 0) throw new WireError('too_large', 'the name of a state domain is too long');
  let inflatable = INFLATION_LIMIT;
  const heads: string[] = [];
  const stored: Uint8Array[] = [];
  // State near the end of an answer matters most.
  for (const entry of [...entries].reverse()) {
    const bytes = room > 0 ? utf8.encode(entry.payload) : undefined;
    if (bytes === undefined || bytes.length > inflatable) {
      leave(entry);
      continue;
    }
    const deflated = bytes.length > DEFLATE_ABOVE ? deflateSync(bytes) : undefined;
    const { kind: k, on, h } = entry;
    const head = JSON.stringify({ k, on, h, n: (deflated ?? bytes).length, u: deflated && bytes.length });
    room -= utf8.encode(head).length + (heads.length > 0 ? 1 : 0);
    if (room < 0) {
      leave(entry);
      continue;
    }
    if (deflated !== undefined) inflatable -= bytes.length;
    heads.push(head);
    stored.push(deflated ?? bytes);
  }
  const header = utf8.encode(`${start}${heads.reverse().join()}]}`);
  const length = stored.reduce((sum, payload) => sum + payload.length, FIXED + header.length);
  const bytes = new Uint8Array(length + CHECK);
  bytes.set(MAGIC);
  bytes[6] = header.length >> 8;
  bytes[7] = header.length & 0xff;
  bytes.set(header, FIXED);
  let at = FIXED + header.length;
  for (const payload of stored.reverse()) {
    bytes.set(payload, at);
    at += payload.length;
  }
  bytes.set(sha256(bytes.subarray(0, length)).subarray(0, CHECK), length);
  return encodeBase64(bytes);
}

/** True for text that is, or pretends to be, a carrier. Cheap, and the test for "starts so but fails = damaged". */
export function isCarrier(text: string): boolean {
  return text.startsWith(CARRIER_MARK);
}

/** The header of a carrier, read without touching its payloads; `undefined` when it is none or the header is damaged. */
export function readCarrierHeader(text: string): CarrierHeader | undefined {
  if (!isCarrier(text)) return undefined;
  const lengths = decodeStart(text, FIXED);
  if (lengths === undefined) return undefined;
  const bytes = decodeStart(text, FIXED + headerLength(lengths));
  const head = bytes && readHead(bytes);
  return head && { dialect: head.dialect, domain: head.domain, kinds: head.entries.map(({ kind }) => kind) };
}

/**
 * Whether a carrier is of use to nobody: damaged, or with nothing in it but the word that there was no state. Its payloads
 * are not inflated.
 */
function isSpent(text: string, known?: OpenedCarriers): boolean {
  const carrier = open(text, known);
  return carrier === undefined || carrier.head.entries.every(isNone);
}

/** Whether a value is a carrier that a backend is not to see: one of another backend, or a spent one. */
export function isWithheld(
  value: unknown,
  { foreign, opened }: { foreign(carrier: string): boolean; readonly opened?: OpenedCarriers },
): value is string {
  return typeof value === 'string' && isCarrier(value) && (foreign(value) || isSpent(value, opened));
}

/** The bytes and the head of a carrier; undefined when it is damaged. */
function open(text: string, known?: OpenedCarriers): Opened | undefined {
  if (known?.has(text)) return known.get(text);
  const bytes = decodeStart(text, text.length);
  const head = bytes && readHead(bytes);
  const found = bytes !== undefined && head !== undefined && isWhole(bytes, head) ? { bytes, head } : undefined;
  known?.set(text, found);
  return found;
}

function isNone({ kind }: EntryHead): boolean {
  return kind === 'none';
}

/** Whether the bytes are as many as the header declares, and those that were written. */
function isWhole(bytes: Uint8Array, head: Head): boolean {
  const length = bytes.length - CHECK;
  return head.entries.reduce((sum, { stored }) => sum + stored, head.end) === length && checks(bytes, length);
}

/**
 * Opens a carrier. `undefined` when the text is none or is damaged: not base64 (either alphabet, padded or not), wrong
 * length, wrong checksum, or a payload that is not UTF-8 or does not inflate to exactly its declared size within
 * 16 MiB and the budget. Whether a payload is one node of its kind is for the dialect to check (translation.md 4.2.5).
 */
export function decodeCarrier(text: string, options: CarrierOptions = {}): Carrier | undefined {
  if (!isCarrier(text)) return undefined;
  const carrier = open(text, options.opened);
  if (carrier === undefined) return undefined;
  const { bytes, head } = carrier;
  const budget = options.budget ?? { left: INFLATION_LIMIT };
  const entries: StateEntry[] = [];
  let at = head.end;
  for (const { kind, on, h, stored, inflated } of head.entries) {
    const payload = readPayload(bytes.subarray(at, at + stored), inflated, budget);
    if (payload === undefined) return undefined;
    at += stored;
    entries.push({
      dialect: head.dialect,
      domain: head.domain,
      kind,
      payload,
      ...(on !== undefined && { on }),
      ...(h !== undefined && { h }),
    });
  }
  return { dialect: head.dialect, domain: head.domain, entries };
}

/**
 * The entries that `targetDomain` issued, from this carrier or from carriers inside it: the layers of a chain of
 * gateways are opened, at most `depth` of them, and the innermost match wins (translation.md 4.2.7). `undefined` when
 * the carrier is damaged or no layer is the target's.
 */
export function peelCarrier(
  text: string,
  targetDomain: string,
  depth = 4,
  options: CarrierOptions = {},
): StateEntry[] | undefined {
  if (depth < 1) return undefined;
  const shared = { ...options, budget: options.budget ?? { left: INFLATION_LIMIT } };
  const carrier = decodeCarrier(text, shared);
  if (carrier === undefined) return undefined;
  const own = carrier.domain === targetDomain && (options.dialect ?? carrier.dialect) === carrier.dialect;
  let found: StateEntry[] | undefined = own ? [] : undefined;
  for (const entry of carrier.entries) {
    const inner = nestedCarriers(entry).flatMap((nested) => peelCarrier(nested, targetDomain, depth - 1, shared) ?? []);
    if (inner.length > 0) found = [...(found ?? []), ...inner];
    else if (own) found?.push(entry);
  }
  return found;
}

/** Bytes of the first `count` bytes' worth of text, or of the whole text; `undefined` when it is not base64. */
function decodeStart(text: string, count: number): Uint8Array | undefined {
  const digits = Math.ceil(count / 3) * 4;
  try {
    return decodeBase64(digits < text.length ? text.slice(0, digits) : text);
  } catch {
    return undefined;
  }
}

function headerLength(bytes: Uint8Array): number {
  return ((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0);
}

function readHead(bytes: Uint8Array): Head | undefined {
  const end = FIXED + headerLength(bytes);
  if (bytes.length < end) return undefined;
  const parsed = parseJson(LOOSE_UTF8.decode(bytes.subarray(FIXED, end)));
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { d: dialect, b: domain, e } = parsed.value;
  if (typeof dialect !== 'string' || typeof domain !== 'string' || !Array.isArray(e)) return undefined;
  const entries: EntryHead[] = [];
  for (const value of e) {
    const entry = readEntryHead(value);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return { dialect, domain, entries, end };
}

function readEntryHead(value: unknown): EntryHead | undefined {
  if (!isObject(value)) return undefined;
  const { k: kind, on, h, n: stored, u: inflated } = value;
  if (!isKind(kind) || !isCount(stored)) return undefined;
  if (on !== undefined && !isPlace(on)) return undefined;
  if (h !== undefined && typeof h !== 'string') return undefined;
  if (inflated !== undefined && !isCount(inflated)) return undefined;
  return { kind, on, h, stored, inflated };
}

function isKind(value: unknown): value is StateEntry['kind'] {
  return typeof value === 'string' && KINDS.has(value);
}

function isPlace(value: unknown): value is NonNullable<StateEntry['on']> {
  return typeof value === 'string' && PLACES.has(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function checks(bytes: Uint8Array, length: number): boolean {
  const sum = sha256(bytes.subarray(0, length));
  for (let at = 0; at < CHECK; at += 1) {
    if (sum[at] !== bytes[length + at]) return false;
  }
  return true;
}

function readPayload(stored: Uint8Array, inflated: number | undefined, budget: InflationBudget): string | undefined {
  const bytes = inflated === undefined ? stored : inflateExactly(stored, inflated, budget);
  if (bytes === undefined) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The carriers that an entry's native value holds in place of another issuer's opaque value, each once. */
function nestedCarriers(entry: StateEntry): readonly string[] {
  if (isCarrier(entry.payload)) return [entry.payload];
  if (!entry.payload.includes(CARRIER_MARK)) return [];
  const parsed = parseJson(entry.payload);
  const found = new Set<string>();
  if (parsed.ok) collectCarriers('', parsed.value, NESTING, found);
  return [...found];
}

/** So deep are opaque values in the nodes of any dialect. */
const NESTING = 4;

function collectCarriers(key: string, value: Json, depth: number, found: Set<string>): void {
  if (typeof value === 'string' && OPAQUE_KEYS.has(key) && isCarrier(value)) found.add(value);
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [inner, child] of Object.entries(value)) collectCarriers(inner, child, depth - 1, found);
}
