import type { AnswerFacts, CanonicalError, DialectId, Loss } from '../../translators/index.js';
import type { Prices } from '../config/index.js';
import { costOf } from './cost.js';

/**
 * What is known of one exchange: the one view of it that log, metrics, traces, usage and `GET /live` read. It grows while the exchange goes
 * on, and has all of its members from the beginning, since each that comes later makes another kind of object of it
 * (docs/internals/decisions/0032-cost-of-the-gateway.md).
 */
export interface CallRecord {
  /** Set when an exchange began; requests for anything else have no line. */
  facts?: Facts;
  /** The model, as the client names it, whether or not that leads anywhere. */
  asked?: string;
  /** Kind of the error that was answered. */
  error?: string;
  /** The gateway broke the connection: its end says nothing about the client. */
  brokenOff?: boolean;
  /** How much of a stream was sent: bytes, and characters where it was text. */
  streamed?: number;
  /** What did not cross unchanged. */
  losses?: readonly Loss[];
  /** What the answer tells about itself. */
  reported?: AnswerFacts;
  /** What the tokens of the model cost that answers, where it is known. */
  prices?: Prices;
  /** Asks an answer that is on its way for what it has reported so far. */
  soFar?: () => AnswerFacts;
  /** Its answer is made in the background, and counted when that is over. */
  madeLater?: true;
  /** Milliseconds from the request to the end of a streamed answer. */
  lastTokenMs?: number;
  /** Milliseconds in the row before a backend, and before calls that were repeated. */
  waitedMs?: number;
  /** Milliseconds from a call's leaving to the end of its answer, of all calls that are over. */
  backendMs?: number;
  /** When the call left that is at its backend, of the clock of `performance`. */
  leftAt?: number;
  /** Calls that did not serve, the first ones. */
  tried?: Tried[];
  /** The learned restrictions that applied to the last call, and those that its refusals revealed, as the backend has them. */
  restrictions?: readonly LearnedFact[];
  learned?: readonly LearnedFact[];
  /** The headers of the answer that are about the exchange. */
  headers?: Readonly<Record<string, string>>;
  /** Why the gateway itself refused the request, in its own words, which hold nothing of what was said. */
  words?: string;
  /** Of an exchange that is over ({@link noteEnd}): milliseconds from the request; the status that the client got, absent = none; how it ended. */
  ms?: number;
  status?: number;
  outcome?: string;
}

/** The record of a call that begins. */
export function createRecord(facts?: Facts): CallRecord {
  return {
    facts,
    asked: undefined,
    error: undefined,
    brokenOff: undefined,
    streamed: undefined,
    losses: undefined,
    reported: undefined,
    prices: undefined,
    soFar: undefined,
    madeLater: undefined,
    lastTokenMs: undefined,
    waitedMs: undefined,
    backendMs: undefined,
    leftAt: undefined,
    tried: undefined,
    restrictions: undefined,
    learned: undefined,
    headers: undefined,
    words: undefined,
    ms: undefined,
    status: undefined,
    outcome: undefined,
  } satisfies Record<keyof CallRecord, unknown>;
}

/** What is known of a learned restriction here: which of the kinds of backend/restrictions.ts it is. */
interface LearnedFact {
  readonly kind: string;
}

/** A call that did not serve. */
export interface Tried {
  readonly backend: string;
  readonly dialect: DialectId;
  /** The backend's name for the model. */
  readonly target: string;
  /** Why another target was or would have been asked, or `failed`. */
  readonly reason: string;
  /** Of the answer; absent = there was none. */
  readonly status?: number;
  readonly kind?: string;
  readonly code?: string;
  readonly path?: string;
  /** What its error says, cut. */
  readonly words?: string;
  /** These are the backend's words, which may quote what was said. */
  readonly quotes?: true;
  /** Milliseconds from the request. */
  readonly ms: number;
  /** What followed: the same target again, or another one; absent = nothing. */
  next?: 'again' | 'elsewhere';
}

/** No keys and no content: every fact may be logged. */
export interface Facts {
  /** As the client names it. */
  model?: string;
  stream?: boolean;
  backend?: string;
  /** The backend's. */
  dialect?: DialectId;
  /** Where endpoints of the backend were compared: how many losses each would have, null = it cannot serve the request. */
  endpoints?: Readonly<Partial<Record<DialectId, number | null>>> | undefined;
  /** The backend's name for the model. */
  target?: string;
  /** The model that the answer names. */
  answeredBy?: string;
  /** Id of a stored answer. */
  answer?: string;
  /** The backend's own id of the request. */
  upstream?: string;
  /** Of the trace that the exchange belongs to. */
  traceId?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** What the answer cost, in USD; absent where that is unknown. */
  cost?: number;
  /** Tools of the service ran, whose fees are not in it. */
  costPartial?: true;
  /** How many targets were tried before the one that is reported. */
  passed?: number;
  /** It was told what would be sent, and nothing was called. */
  explained?: true;
  /** Number of losses, and the first features. */
  losses?: number;
  lost?: string;
  /** Milliseconds from the request to the first byte of the answer. */
  firstByteMs?: number;
  /** Milliseconds from the request to the first text, reasoning or call; of a whole answer its first byte. */
  firstTokenMs?: number;
}

/** The facts of an exchange that begins. */
export function createFacts(): Facts {
  return {
    model: undefined,
    stream: undefined,
    backend: undefined,
    dialect: undefined,
    endpoints: undefined,
    target: undefined,
    answeredBy: undefined,
    answer: undefined,
    upstream: undefined,
    traceId: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    cost: undefined,
    costPartial: undefined,
    passed: undefined,
    explained: undefined,
    losses: undefined,
    lost: undefined,
    firstByteMs: undefined,
    firstTokenMs: undefined,
  } satisfies Record<keyof Facts, unknown>;
}

/** The part of a call in which its facts are gathered. */
export interface Recorded {
  readonly record: CallRecord;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
}

/** Notes who answered, and for how many tokens. What is unknown stays unknown and is no zero (hardening.md row 48). */
export function noteAnswer({ record }: Recorded, reported: AnswerFacts): void {
  const { facts } = record;
  record.reported = reported;
  if (facts === undefined) return;
  const { model, input, output } = credible(reported);
  if (model !== undefined && model !== '') facts.answeredBy = model;
  if (input !== undefined) facts.inputTokens = input;
  if (output !== undefined) facts.outputTokens = output;
  const cost = record.prices && whole(facts, reported) ? costOf(record.prices, reported) : undefined;
  facts.cost = cost?.usd;
  facts.costPartial = cost?.partial === true ? true : undefined;
}

/** Of a stream that broke off nobody knows what will be billed. */
function whole({ stream }: Facts, { finish }: AnswerFacts): boolean {
  return stream !== true || finish !== undefined;
}

/** What may be noted of what an answer tells about itself. */
export interface CredibleFacts {
  readonly id?: string;
  readonly model?: string;
  readonly finish?: string;
  readonly input?: number;
  readonly output?: number;
}

/** Longest text that is noted of an answer, in characters. */
const TEXT_CHARACTERS = 256;

/** A backend may say anything: texts are cut, and what can be no number of tokens counts as not said. */
export function credible({ id, model, finish, usage }: AnswerFacts): CredibleFacts {
  return {
    id: id?.slice(0, TEXT_CHARACTERS),
    model: model?.slice(0, TEXT_CHARACTERS),
    finish: finish?.slice(0, TEXT_CHARACTERS),
    input: countOf(usage?.input),
    output: countOf(usage?.output),
  };
}

function countOf(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? tokens : undefined;
}

/** Notes what an answer that is still on its way has reported. */
export function settleAnswer(call: Recorded): void {
  const { soFar } = call.record;
  if (soFar === undefined) return;
  call.record.soFar = undefined;
  noteAnswer(call, soFar());
}

/** Notes the losses: how many, and the first features, in at most so many characters. */
export function noteLosses({ record }: Recorded, losses: readonly Loss[]): void {
  const { facts } = record;
  record.losses = losses;
  if (facts === undefined) return;
  facts.losses = losses.length;
  if (losses.length === 0) return;
  facts.lost = [...new Set(losses.map(({ feature }) => feature))].slice(0, 20).join(' ').slice(0, LOST_CHARACTERS);
}

const LOST_CHARACTERS = 1000;

/** Notes when the first byte of the answer left. */
export function noteFirstByte(call: Recorded): void {
  const { facts } = call.record;
  if (facts !== undefined) facts.firstByteMs = sinceStart(call);
}

/** Notes when the first text, reasoning or call left. */
export function noteFirstToken(call: Recorded): void {
  const { facts } = call.record;
  if (facts !== undefined) facts.firstTokenMs ??= sinceStart(call);
}

/** Notes that a streamed answer was sent to its end. */
export function noteLastToken(call: Recorded): void {
  call.record.lastTokenMs = sinceStart(call);
}

/** Notes under which id the backend knows the request. */
export function noteUpstream({ record: { facts } }: Recorded, id: string | undefined): void {
  if (facts !== undefined) facts.upstream = id;
}

/** So many calls that did not serve are noted of one request. */
const MOST_TRIED = 10;

/** So much is kept of the words of an error: more than is shown, so that a secret in them is whole when it is looked for. */
export const WORDS_CHARACTERS = 640;

/** Notes a call that did not serve, with what its error says. */
export function noteTried(
  { record, startedAt }: Recorded,
  tried: Omit<Tried, 'ms' | 'kind' | 'code' | 'path' | 'words'>,
  { kind, code, path, message }: CanonicalError,
): void {
  record.tried ??= [];
  if (record.tried.length >= MOST_TRIED) return;
  const ms = sinceStart({ startedAt });
  record.tried.push({
    ...tried,
    kind,
    code: cutText(code),
    path: cutText(path),
    words: cutText(message, WORDS_CHARACTERS),
    ms,
  });
}

/** The beginning of a text, as one that does not keep the rest. */
export function cutText<T extends string | undefined>(text: T, most = TEXT_CHARACTERS): T | string {
  return text === undefined || text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

/** Notes what follows on the call that was tried last. */
export function noteNext({ record: { tried } }: Recorded, next: NonNullable<Tried['next']>): void {
  const last = tried?.at(-1);
  if (last !== undefined) last.next = next;
}

/** Notes for a call what became of the exchange that was made in its place. */
export function noteInner(call: Recorded, inner: Recorded): void {
  settleAnswer(inner);
  const { facts, reported, losses, tried, restrictions, learned, waitedMs, backendMs } = inner.record;
  Object.assign(call.record, { reported, losses, tried, restrictions, learned, waitedMs, backendMs });
  const { firstByteMs, firstTokenMs } = call.record.facts ?? {};
  call.record.facts ??= createFacts();
  assignKnown(call.record.facts, { ...facts, firstByteMs, firstTokenMs });
}

/** Notes what is known elsewhere of the same call. */
export function noteElsewhere({ record }: Pick<Recorded, 'record'>, other: CallRecord): void {
  assignKnown(record, other);
}

/** Takes over the members that are known. */
function assignKnown<T extends object>(into: T, other: T): void {
  for (const name in other) if (other[name] !== undefined) into[name] = other[name];
}

/** Whole milliseconds: finer ones would not be true. */
function sinceStart({ startedAt }: Pick<Recorded, 'startedAt'>): number {
  return Math.round(performance.now() - startedAt);
}
