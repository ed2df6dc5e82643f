import type { DialectId, Loss } from '../../translators/index.js';
import type { Redact } from '../ground/index.js';
import {
  type Called,
  type CallRecord,
  type ClientCall,
  type Content,
  cutText,
  type Facts,
  isText,
  outcomeOf,
  redactorFor,
  saidText,
  WORDS_CHARACTERS,
} from '../http/index.js';
import type { LiveDetail, LiveText } from './plain/index.js';

/**
 * What is kept of an exchange: what its report knew, as it is. Texts of it are made when somebody looks. Nothing in it holds the
 * connection, a credential or what was said, but where bodies are kept.
 */
export interface Entry
  extends Pick<
    CallRecord,
    'error' | 'waitedMs' | 'backendMs' | 'lastTokenMs' | 'tried' | 'restrictions' | 'learned' | 'headers' | 'words'
  > {
  /** Unix milliseconds. */
  readonly at: number;
  readonly ms: number;
  readonly id: string;
  readonly key: string | undefined;
  readonly client: string | undefined;
  readonly method: string | undefined;
  readonly path: string;
  readonly dialect: DialectId;
  readonly status: number | undefined;
  readonly outcome: string;
  /** The model, as the client names it, whether or not that leads anywhere. */
  readonly asked: string | undefined;
  readonly facts: Facts;
  readonly finish: string | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly reasoning: number | undefined;
  /** The first ones. */
  readonly losses: readonly Loss[] | undefined;
  readonly bodies: Bodies | undefined;
}

/** What was said, as far as it is kept. */
export type Bodies = { readonly [part in keyof Omit<LiveDetail, 'exchange'>]: LiveText | undefined };

/** So many losses are kept of one exchange. */
const MOST_LOSSES = 100;
/** What an entry takes without its losses, attempts and bodies, in bytes, and what a loss or an attempt takes beside its texts. */
const ENTRY_BYTES = 2048;
const LOSS_BYTES = 200;

/** The entry of a call that is over; `outcome` where it ended otherwise than its connection tells. */
export function entryOf(call: ClientCall, facts: Facts, bodies: Bodies | undefined, outcome?: string): Entry {
  const { request, response, record, startedAt } = call;
  const { usage, finish } = record.reported ?? {};
  const { losses } = record;
  return {
    at: Date.now(),
    ms: performance.now() - startedAt,
    id: call.id,
    key: call.key?.name,
    client: cutText(request.headers['user-agent']),
    method: request.method,
    path: cutText(call.path),
    dialect: call.dialect,
    // Without a head the client got nothing.
    status: response.headersSent ? response.statusCode : undefined,
    outcome: outcome ?? outcomeOf(call),
    asked: cutText(facts.model ?? record.asked),
    facts: facts.model === cutText(facts.model) && facts.target === cutText(facts.target) ? facts : cutFacts(facts),
    finish: cutText(finish),
    cacheRead: usage?.cacheRead,
    cacheWrite: usage?.cacheWrite,
    reasoning: usage?.reasoning,
    error: record.error,
    waitedMs: record.waitedMs,
    backendMs: record.backendMs,
    lastTokenMs: record.lastTokenMs,
    tried: record.tried,
    restrictions: record.restrictions,
    learned: record.learned,
    headers: record.headers,
    words: cutText(record.words, WORDS_CHARACTERS),
    losses: losses !== undefined && losses.length > MOST_LOSSES ? losses.slice(0, MOST_LOSSES) : losses,
    bodies,
  };
}

/** Names of models come from clients. */
function cutFacts(facts: Facts): Facts {
  return { ...facts, model: cutText(facts.model), target: cutText(facts.target) };
}

/** About how many bytes an entry takes. */
export function bytesOf({ losses, headers, bodies, tried }: Entry): number {
  let bytes = ENTRY_BYTES + (headers?.['x-interlingua-loss']?.length ?? 0);
  for (const { path } of losses ?? []) bytes += LOSS_BYTES + path.length;
  for (const { code = '', path = '', words = '' } of tried ?? []) {
    bytes += LOSS_BYTES + code.length + path.length + words.length;
  }
  for (const said of Object.values(bodies ?? {})) bytes += 2 * (said?.text.length ?? 0);
  return bytes;
}

/** What was said in an exchange, cut and without secrets, as the log has it. Other content than text is left out. */
export function bodiesOf(call: ClientCall, content: Content, hide: Redact): Bodies {
  const redact = redactorFor(call, hide);
  const answerOf = ({ answer, type }: Called) => (isText(type) ? saidText(answer, redact) : undefined);
  const { called } = content;
  return {
    request: saidText(content.request, redact),
    answer: answerOf(content),
    ...(called !== undefined && { backendRequest: saidText(called.request, redact), backendAnswer: answerOf(called) }),
  };
}
