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
  redactorFor,
  saidText,
  WORDS_CHARACTERS,
} from '../http/index.js';
import type { LiveDetail, LiveText } from './plain/index.js';

/**
 * What is kept of an exchange: what its record knew, as it is. Texts of it are made when somebody looks. Nothing in it holds the
 * connection, a credential or what was said, but where bodies are kept.
 */
export class Entry
  implements Pick<CallRecord, 'tried' | 'restrictions' | 'learned' | 'headers' | 'words' | 'lastTokenMs' | 'error'>
{
  /** Unix milliseconds. */
  at = 0;
  id = '';
  key: string | undefined = undefined;
  client: string | undefined = undefined;
  method = '';
  path = '';
  dialect: DialectId = 'messages';
  status: number | undefined = undefined;
  outcome = '';
  /** The model, as the client names it, whether or not that leads anywhere. */
  asked: string | undefined = undefined;
  stream: boolean | undefined = undefined;
  backend: string | undefined = undefined;
  backendDialect: DialectId | undefined = undefined;
  endpoints: Facts['endpoints'] = undefined;
  target: string | undefined = undefined;
  answeredBy: string | undefined = undefined;
  passed: number | undefined = undefined;
  inputTokens: number | undefined = undefined;
  outputTokens: number | undefined = undefined;
  cacheRead: number | undefined = undefined;
  cacheWrite: number | undefined = undefined;
  reasoning: number | undefined = undefined;
  cost: number | undefined = undefined;
  costPartial: true | undefined = undefined;
  finish: string | undefined = undefined;
  error: string | undefined = undefined;
  words: string | undefined = undefined;
  /** Tenths of a millisecond, as whole numbers take no memory of their own: of all, in the row, and at the backend. */
  tenths = 0;
  waitedTenths = 0;
  backendTenths = 0;
  firstByteMs: number | undefined = undefined;
  firstTokenMs: number | undefined = undefined;
  lastTokenMs: number | undefined = undefined;
  tried: CallRecord['tried'] = undefined;
  restrictions: CallRecord['restrictions'] = undefined;
  learned: CallRecord['learned'] = undefined;
  headers: CallRecord['headers'] = undefined;
  /** The first ones, and how many there were. */
  losses: readonly Loss[] | undefined = undefined;
  lossCount = 0;
  bodies: Bodies | undefined = undefined;
}

/** What was said, as far as it is kept. */
export type Bodies = { readonly [part in keyof Omit<LiveDetail, 'exchange'>]: LiveText | undefined };

/** So many losses are kept of one exchange. */
const MOST_LOSSES = 100;
/** What an entry takes without its losses, attempts and bodies, in bytes, and what a loss or an attempt takes beside its texts. */
const ENTRY_BYTES = 2048;
const LOSS_BYTES = 200;

/** Writes what is known of a call that is over. */
export function writeEntry(
  entry: Entry,
  { id, key, request, path, dialect, record }: ClientCall,
  facts: Facts,
  bodies: Bodies | undefined,
): void {
  const { usage, finish } = record.reported ?? {};
  const { losses } = record;
  entry.at = Date.now();
  entry.id = id;
  entry.key = key?.name;
  entry.client = kept(entry.client, request.headers['user-agent']);
  entry.method = request.method ?? '';
  entry.path = kept(entry.path, path);
  entry.dialect = dialect;
  entry.status = record.status;
  entry.outcome = record.outcome ?? '';
  entry.asked = kept(entry.asked, facts.model ?? record.asked);
  entry.stream = facts.stream;
  entry.backend = facts.backend;
  entry.backendDialect = facts.dialect;
  entry.endpoints = facts.endpoints;
  entry.target = kept(entry.target, facts.target);
  entry.answeredBy = kept(entry.answeredBy, facts.answeredBy);
  entry.passed = facts.passed;
  entry.inputTokens = facts.inputTokens;
  entry.outputTokens = facts.outputTokens;
  entry.cacheRead = usage?.cacheRead;
  entry.cacheWrite = usage?.cacheWrite;
  entry.reasoning = usage?.reasoning;
  entry.cost = facts.cost;
  entry.costPartial = facts.costPartial;
  entry.finish = kept(entry.finish, finish);
  entry.error = record.error;
  entry.words = cutText(record.words, WORDS_CHARACTERS);
  entry.tenths = tenthsOf(record.ms);
  entry.waitedTenths = tenthsOf(record.waitedMs);
  entry.backendTenths = tenthsOf(record.backendMs);
  entry.firstByteMs = facts.firstByteMs;
  entry.firstTokenMs = facts.firstTokenMs;
  entry.lastTokenMs = record.lastTokenMs;
  entry.tried = record.tried;
  entry.restrictions = record.restrictions;
  entry.learned = record.learned;
  entry.headers = record.headers;
  entry.losses = losses !== undefined && losses.length > MOST_LOSSES ? losses.slice(0, MOST_LOSSES) : losses;
  entry.lossCount = Math.max(facts.losses ?? 0, losses?.length ?? 0);
  entry.bodies = bodies;
}

/** A text, cut; the one that was there before where it is the same, so that most exchanges keep no text of their own. */
function kept<T extends string | undefined>(before: T, text: T): T {
  return before === text ? before : (cutText(text) as T);
}

function tenthsOf(ms = 0): number {
  return Math.round(ms * 10);
}

/** About how many bytes an entry takes. */
export function bytesOf({ losses, headers, bodies, tried }: Entry): number {
  let bytes = ENTRY_BYTES + (headers?.['x-interlingua-loss']?.length ?? 0);
  if (losses !== undefined) for (const { path } of losses) bytes += LOSS_BYTES + path.length;
  if (tried !== undefined) {
    for (const { code = '', path = '', words = '' } of tried) {
      bytes += LOSS_BYTES + code.length + path.length + words.length;
    }
  }
  if (bodies !== undefined) for (const said of Object.values(bodies)) bytes += 2 * (said?.text.length ?? 0);
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
