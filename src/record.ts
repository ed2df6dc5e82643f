import type { DialectId, Loss, Usage } from '../translators/index.js';

/** What is known of one exchange, for log, metrics and traces. It grows while the exchange goes on. */
export interface CallRecord {
  /** Set when an exchange began; requests for anything else have no line. */
  facts?: Facts;
  /** Kind of the error that was answered. */
  error?: string;
}

/** No keys and no content: every fact may be logged. */
export interface Facts {
  /** As the client names it. */
  model?: string;
  stream?: boolean;
  backend?: string;
  /** The backend's. */
  dialect?: DialectId;
  /** The backend's name for the model. */
  target?: string;
  /** The model that the answer names. */
  answeredBy?: string;
  /** Id of a stored answer. */
  answer?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** How many targets were tried before the one that is told. */
  passed?: number;
  /** Number of losses, and the first features. */
  losses?: number;
  lost?: string;
  /** Milliseconds from the request to the first byte of the answer. */
  firstByteMs?: number;
}

/** The part of a call in which its facts are gathered. */
export interface Recorded {
  readonly record: CallRecord;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
}

/** Notes who answered, and for how many tokens. What is unknown stays unknown and is no zero. */
export function noteAnswer(call: Recorded, model: string | undefined, usage: Usage | undefined): void {
  const { facts } = call.record;
  if (facts === undefined) return;
  if (model !== undefined) facts.answeredBy = model;
  if (usage?.input !== undefined) facts.inputTokens = usage.input;
  if (usage?.output !== undefined) facts.outputTokens = usage.output;
}

/** Notes the losses: how many, and the first features, in at most so many characters. */
export function noteLosses({ record: { facts } }: Recorded, losses: readonly Loss[]): void {
  if (facts === undefined) return;
  facts.losses = losses.length;
  if (losses.length === 0) return;
  facts.lost = [...new Set(losses.map(({ feature }) => feature))].slice(0, 20).join(' ').slice(0, LOST_CHARACTERS);
}

const LOST_CHARACTERS = 1000;

/** Notes when the first byte of the answer left. */
export function noteFirstByte({ record: { facts }, startedAt }: Recorded): void {
  if (facts !== undefined) facts.firstByteMs = Math.round(performance.now() - startedAt);
}
