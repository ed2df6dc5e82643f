import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import type { CanonicalResponse, Finish, FinishKind } from '../../canonical/response.js';
import { lookUp } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';

/** Words of servers and what they mean (translation.md 5.2) [H §6.2]; others are `other`. */
const KINDS: Readonly<Record<string, FinishKind>> = {
  stop: 'end',
  eos: 'end',
  end: 'end',
  end_turn: 'end',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  model_length: 'context_window',
  content_filter: 'filter',
  sensitive: 'filter',
  abort: 'cancelled',
  error: 'failed',
  network_error: 'failed',
  insufficient_system_resource: 'failed',
};

/** Ends after which an answer is as its model wanted it. */
const CLEAN: ReadonlySet<FinishKind | undefined> = new Set(['end', 'tool_use', 'stop_sequence']);

/** What a server says about the end of a choice. */
export interface SaidEnd {
  /** Absent where no word came, or an empty one. */
  readonly word?: string;
  /** The word of the host behind a router. */
  readonly native?: string;
  /** The stop string that was hit, where the server tells it. */
  readonly stopString?: string;
}

/** What an answer held before its end. */
export interface AnswerHolds {
  /** A call of the client's tools that is whole. */
  readonly calls: boolean;
  readonly text: boolean;
  /** The words of a refusal. */
  readonly refusal: string | undefined;
}

/** Whether a word is one behind which nothing is missing, so that only a failure can replace it. */
export function isCleanWord(word: string): boolean {
  return CLEAN.has(lookUp(KINDS, word));
}

/** Ends after which a call may be incomplete. */
const CUT: ReadonlySet<FinishKind | undefined> = new Set(['max_tokens', 'context_window', 'filter']);

/** Whether a word says that the answer was cut, so that a call in it may be incomplete. */
export function isCutWord(word: string | undefined): boolean {
  return CUT.has(lookUp(KINDS, word));
}

/** Why an answer ended: by the word and by what came. Throws TranslationError for ends that are failures. */
export function decodeFinish(said: SaidEnd, holds: AnswerHolds, losses: Losses): Finish {
  const { word = '' } = said;
  const kind = word === '' ? undefined : (lookUp(KINDS, word) ?? 'other');
  if (kind === undefined || kind === 'other') return derivedFinish(word, holds, losses);
  if (word === 'insufficient_system_resource') {
    throw new TranslationError('overloaded', 'the backend has no resources for the answer', { code: word });
  }
  if (kind === 'failed' && said.native === 'MALFORMED_FUNCTION_CALL') return finishOf('malformed_call', word);
  if (!CLEAN.has(kind)) return finishOf(kind, word);
  // A refusal counts before calls (translation.md 5.2 rule 2).
  if (holds.refusal !== undefined) return { ...finishOf('refusal', word), detail: holds.refusal };
  if (holds.calls) return finishOf('tool_use', word);
  if (said.stopString !== undefined) return { ...finishOf('stop_sequence', word), stopSequence: said.stopString };
  // A client that is told of calls and finds none asks again and again.
  if (kind === 'tool_use') return finishOf(holds.text ? 'end' : 'malformed_call', word);
  return finishOf(kind, word);
}

/** An end without a word that is known. */
function derivedFinish(word: string, holds: AnswerHolds, losses: Losses): Finish {
  if (!holds.calls && !holds.text && holds.refusal === undefined) {
    throw new TranslationError('upstream', 'the backend ended an empty answer without a reason', {
      code: 'upstream_incomplete',
    });
  }
  const detail = 'the backend gave no known finish reason; derived from the content of the answer';
  losses.add('/choices/0/finish_reason', 'finish', 'approximated', detail);
  if (holds.refusal !== undefined) return { ...finishOf('refusal', word), detail: holds.refusal };
  return finishOf(holds.calls ? 'tool_use' : 'end', word);
}

function finishOf(kind: FinishKind, raw: string): Finish {
  return { kind, raw, dialect: DIALECT };
}

/** The words of the schema: some clients throw on others [H §7.4]. */
export type FinishWord = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** How an answer ends, on the wire. */
export interface Stop {
  readonly word: FinishWord;
  /** Words of a refusal that are in no part. */
  readonly refusal?: string;
}

/** What of an answer decides how its end reads. */
export interface AnswerSoFar {
  readonly refused: boolean;
  readonly calls: boolean;
  readonly text: boolean;
}

/** An end of another service's answer (translation.md 5.2). Throws TranslationError for ends that are failures here. */
export function encodeForeignFinish(finish: Finish, so: AnswerSoFar, losses: Losses): Stop {
  const weaker = (detail: string): void => losses.add('', 'finish', 'approximated', detail);
  const silent = (word: FinishWord): Stop => {
    if (finish.detail !== undefined)
      losses.add('', 'finish', 'dropped', 'the explanation of the finish reason cannot be reported');
    return { word };
  };
  switch (finish.kind) {
    case 'end':
      if (so.calls) weaker('an answer with tool calls is reported as waiting for their results');
      return silent('stop');
    case 'compaction':
      weaker('the answer is a summary only; reported as a normal end');
      return silent('stop');
    case 'tool_use':
      return silent('tool_calls');
    case 'stop_sequence':
      losses.add('', 'finish', 'dropped', 'the matched stop sequence cannot be reported');
      return { word: 'stop' };
    case 'max_tokens':
      return silent('length');
    case 'context_window':
    case 'pause':
      weaker(`the finish reason ${finish.kind} has no equivalent`);
      return { word: 'length' };
    case 'refusal':
      if (finish.category !== undefined) weaker('the category of a refusal cannot be reported');
      if (so.refused) return { word: 'stop' };
      if (finish.detail && !so.text) return { word: 'stop', refusal: finish.detail };
      weaker('a refusal without text is reported as filtered');
      return { word: 'content_filter' };
    case 'filter':
      return silent('content_filter');
    case 'prompt_blocked':
      weaker('the prompt was blocked; reported as filtered');
      return { word: 'content_filter' };
    case 'other':
      if (!so.calls && !so.text && !so.refused) throw finishError(finish);
      weaker('unknown finish reason; derived from the content of the answer');
      return { word: so.calls ? 'tool_calls' : 'stop' };
    case 'malformed_call':
    case 'no_image':
    case 'cancelled':
    case 'failed':
      throw finishError(finish);
  }
}

/** The failure that an end without a word amounts to. */
export function finishError({ kind, raw, detail }: Finish, error?: CanonicalResponse['error']): TranslationError {
  if (error !== undefined) return new TranslationError(error.kind, error.message, { code: error.code });
  if (kind === 'cancelled') return new TranslationError('cancelled', 'the answer was cancelled');
  const why = detail ?? `the model ended its answer with ${raw}`;
  return new TranslationError(kind === 'malformed_call' ? 'upstream' : 'internal', why, { code: kind });
}
