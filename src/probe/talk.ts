import { dialects, type JsonObject } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import { pathOf } from '../protocol/index.js';
import type { Ask, Extra } from './asks.js';
import { errorIn, eventsIn, objectOf, type ParsedAnswer, type ParsedStream, wholeEventsIn } from './parsed.js';
import { isAsked, type RowName } from './rows.js';
import type { Reply, Sender, Sent } from './sender.js';
import type { Speech } from './speech/index.js';
import type { Finding, Reported, Verdict } from './types.js';

/** One endpoint, and what is known of it so far. */
export interface Talk {
  readonly host: BackendConfig;
  readonly speech: Speech;
  readonly sender: Sender;
  readonly model: string;
  /** What the list of models says. */
  readonly window: number | undefined;
  readonly findings: Map<RowName, Finding>;
  /** The answer to a plain text, and how long it took. */
  base?: ParsedAnswer;
  baseMs?: number;
  /** Members that go with every further request. */
  always: JsonObject;
  /** Members that no request may have. */
  readonly without: Set<string>;
  /** Rows whose members went with a request that was answered. */
  readonly taken: Set<RowName>;
  /** Why it is not asked any more. */
  dead?: string;
  /** Calls in a row that brought nothing. */
  vain: number;
}

/** An endpoint does not answer any more. */
export class Gone extends Error {}

/** What became of a request. */
export type Outcome =
  | { readonly kind: 'answer'; readonly parsed: ParsedAnswer; readonly reply: Reply }
  | { readonly kind: 'refused'; readonly words: string; readonly reply: Reply; readonly body: JsonObject }
  /** Neither: nothing is known by it. */
  | { readonly kind: 'nothing'; readonly words: string; readonly reply: Reply };

/** A member that is tried besides, for the row that it is about. */
export interface Tried {
  readonly row: RowName;
  readonly extra: Extra;
}

/** So many calls in a row that bring nothing end the questions to an endpoint. */
const MOST_VAIN = 2;

/** Statuses that say nothing of what was asked. */
const ELSEWISE = new Set([401, 403, 407, 408, 409, 425, 429, 502, 503, 504, 529]);

/** Notes what was found of a row; the first word on it stays. */
export function note(talk: Talk, row: RowName, verdict: Verdict, words?: string, reported?: Reported): void {
  if (talk.findings.has(row) && talk.findings.get(row)?.verdict !== 'undecided') return;
  const said = words === undefined || words === '' ? {} : { words };
  talk.findings.set(row, {
    dialect: talk.host.dialect,
    row,
    verdict,
    ...said,
    ...(reported !== undefined && { reported }),
  });
}

/** Whether a row was found to hold. */
export function holds(talk: Talk, row: RowName): boolean {
  return talk.findings.get(row)?.verdict === 'holds';
}

/** Two bodies in one; members of the second win, objects are merged. */
export function merged(first: JsonObject, second: JsonObject): JsonObject {
  const out: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = out[key];
    const both = isPlainObject(before) && isPlainObject(value);
    out[key] = both ? merged(before, value) : value;
  }
  return out;
}

function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a request to an endpoint; undefined where its dialect has no words for it. */
export function bodyOf(talk: Talk, ask: Ask, extras: readonly Extra[] = []): JsonObject | undefined {
  const plain = talk.speech.body(ask, talk.model);
  if (plain === undefined) return undefined;
  const whole = [talk.always, ...extras.map(({ body }) => body)].reduce(merged, plain);
  const body = Object.fromEntries(Object.entries(whole).filter(([key]) => !talk.without.has(key)));
  // Who does not read the older name of the cap gets the newer one.
  const { max_tokens: cap } = whole;
  return talk.without.has('max_tokens') && cap !== undefined ? { max_completion_tokens: cap, ...body } : body;
}

/** Sends a request for a whole answer. */
export async function send(talk: Talk, body: JsonObject): Promise<Outcome> {
  const path = pathOf(talk.host, dialects[talk.host.dialect], 'create', { model: talk.model, stream: false });
  return outcomeOf(talk, body, await talk.sender.send(talk.host, { method: 'POST', path, body }));
}

/** The same for what the dialect may have no words for. */
export async function ask(talk: Talk, asked: Ask, extras: readonly Extra[] = []): Promise<Outcome | undefined> {
  const body = bodyOf(talk, asked, extras);
  return body === undefined ? undefined : send(talk, body);
}

/** Sends a request for a stream, of which at most `events` events are read. */
export async function listen(
  talk: Talk,
  body: JsonObject,
  events: number,
): Promise<{ readonly stream?: ParsedStream; readonly outcome: Outcome }> {
  const path = pathOf(talk.host, dialects[talk.host.dialect], 'create', { model: talk.model, stream: true });
  const until: Sent['until'] = (text) => wholeEventsIn(text) >= events;
  const reply = await talk.sender.send(talk.host, { method: 'POST', path, body, until });
  const found = reply.status === 200 ? eventsIn(reply.text) : [];
  const stream = found.length === 0 ? undefined : talk.speech.fold(found);
  if (stream?.parsed !== undefined && stream.error === undefined) {
    talk.vain = 0;
    return { stream, outcome: { kind: 'answer', parsed: stream.parsed, reply } };
  }
  if (stream?.error !== undefined) {
    const words = talk.sender.say(`200, and in the stream: ${stream.error}`);
    return { stream, outcome: { kind: 'refused', words, reply, body } };
  }
  return { outcome: outcomeOf(talk, body, reply) };
}

function outcomeOf(talk: Talk, body: JsonObject, reply: Reply): Outcome {
  const { status, json, failure, ending } = reply;
  const error = errorIn(json);
  const parsed = status === 200 && error === undefined ? talk.speech.read(json) : undefined;
  if (parsed !== undefined) {
    talk.vain = 0;
    if (parsed.cached !== undefined) note(talk, 'cached', 'holds');
    if (parsed.isBare) note(talk, 'emptyAnswer', 'ignored', 'content is null');
    return { kind: 'answer', parsed, reply };
  }
  if (status === 200 && error !== undefined) {
    talk.vain = 0;
    return { kind: 'refused', words: talk.sender.say(`200, and an error: ${error}`), reply, body };
  }
  if (status >= 400 && !ELSEWISE.has(status)) {
    talk.vain = 0;
    noteError(talk, reply);
    return { kind: 'refused', words: wordsOf(talk, reply), reply, body };
  }
  talk.vain += 1;
  const words =
    status === 0 || ending !== 'end'
      ? (failure ?? (ending === 'late' ? 'no answer in time' : 'an answer without end'))
      : wordsOf(talk, reply);
  if (status === 429 || talk.vain >= MOST_VAIN) {
    talk.dead = words;
    throw new Gone(words);
  }
  return { kind: 'nothing', words, reply };
}

/** How a server words a refusal. */
function noteError(talk: Talk, { status, json, text }: Reply): void {
  const isOwn = talk.speech.isError(json) && status < 500;
  if (isOwn) note(talk, 'errors', 'holds');
  else if (json === undefined || status >= 500 || objectOf(json).error === undefined || !talk.speech.isError(json))
    note(talk, 'errors', 'other', talk.sender.say(`${status} ${text}`, 120));
}

/** Status and words of an answer that is none. */
export function wordsOf({ sender }: Pick<Talk, 'sender'>, { status, json, text, headers }: Reply): string {
  if (status >= 300 && status < 400) {
    const { location } = headers;
    return sender.say(`${status}, a redirect${location === undefined ? '' : ` to ${location}`}; it is not followed`);
  }
  const said = errorIn(json) ?? (json === undefined ? text : JSON.stringify(json));
  return sender.say(status === 200 ? `200, but no answer: ${said}` : `${status} ${said}`);
}

/**
 * Asks with several members besides. Those that a refusal names are noted as refused, and it is asked again without them; where it names
 * none, halves are asked. Gives the members that were taken, with what was answered to them.
 */
export async function tryAll(
  talk: Talk,
  asked: Ask,
  tried: readonly Tried[],
): Promise<readonly { readonly tried: readonly Tried[]; readonly parsed: ParsedAnswer }[]> {
  const known = tried.filter(({ row }) => isAsked(row, talk.host.dialect));
  const outcome = await ask(
    talk,
    asked,
    known.map(({ extra }) => extra),
  );
  if (outcome === undefined) return [];
  if (outcome.kind === 'answer') {
    for (const { row } of known) talk.taken.add(row);
    return [{ tried: known, parsed: outcome.parsed }];
  }
  if (outcome.kind === 'nothing') {
    for (const { row } of known) note(talk, row, 'undecided', outcome.words);
    return [];
  }
  const { words } = outcome;
  const isMeant = known.map(({ extra }) => names(words, extra.names));
  const meant = known.filter((_one, index) => isMeant[index]);
  const others = known.filter((_one, index) => !isMeant[index]);
  if (meant.length > 0) {
    for (const { row } of meant) note(talk, row, 'refused', words);
    return others.length === 0 ? [] : tryAll(talk, asked, others);
  }
  if (known.length === 1) for (const { row } of known) note(talk, row, 'refused', words);
  if (known.length <= 1) return [];
  const half = Math.ceil(known.length / 2);
  return [...(await tryAll(talk, asked, known.slice(0, half))), ...(await tryAll(talk, asked, known.slice(half)))];
}

/** Whether a refusal names one of these. */
export function names(words: string, wanted: readonly string[]): boolean {
  const said = ` ${words.toLowerCase().replace(/[^\w`'"]+/g, ' ')} `;
  return wanted.some((name) =>
    /^[\w]{3,}$/.test(name) ? said.includes(name.toLowerCase()) : said.includes(` ${name.toLowerCase()} `),
  );
}
