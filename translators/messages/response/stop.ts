import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse, Finish, FinishKind } from '../../canonical/response.js';
import { isObject } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';

/** Words of the wire and what they mean [M §4.2]; others are `other`. */
const KINDS: Readonly<Record<string, FinishKind>> = {
  end_turn: 'end',
  tool_use: 'tool_use',
  stop_sequence: 'stop_sequence',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'context_window',
  refusal: 'refusal',
  pause_turn: 'pause',
  compaction: 'compaction',
};

/** Why an answer ended. `holds` is what came before: calls for the client, or anything at all. */
export function decodeFinish(
  reason: string,
  delta: { readonly stop_sequence?: unknown; readonly stop_details?: unknown },
  holds: { readonly calls: boolean; readonly anything: boolean },
): Finish {
  const { stop_sequence: sequence, stop_details: details } = delta;
  const { explanation, category } = isObject(details) ? details : {};
  return {
    kind: kindOf(reason, holds),
    raw: reason,
    dialect: DIALECT,
    ...(typeof sequence === 'string' && { stopSequence: sequence }),
    ...(typeof explanation === 'string' && { detail: explanation }),
    ...(typeof category === 'string' && { category }),
  };
}

/** A stop for calls without a call is the end of a text, or a broken answer (translation.md 5.2 rule 3). */
function kindOf(reason: string, holds: { readonly calls: boolean; readonly anything: boolean }): FinishKind {
  const kind = Object.hasOwn(KINDS, reason) ? (KINDS[reason] ?? 'other') : 'other';
  if (kind !== 'tool_use' || holds.calls) return kind;
  return holds.anything ? 'end' : 'malformed_call';
}

/** Whether the answer was cut, so that a call at its end is not whole. */
export function isCut(kind: FinishKind): boolean {
  return kind === 'max_tokens' || kind === 'context_window' || kind === 'refusal';
}

/** Whether a client takes a last call for cut in an answer that ends so. */
export function cutsCalls({ stop_reason: reason }: Stop): boolean {
  return isCut(KINDS[reason] ?? 'other');
}

/** How an answer ends, on the wire. */
export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly stop_details?: JsonObject | null;
}

/** An end of this dialect as it came. */
export function encodeOwnFinish(finish: Finish): Stop {
  const stop: Stop = { stop_reason: finish.raw, stop_sequence: finish.stopSequence ?? null };
  const detailed = finish.detail !== undefined || finish.category !== undefined;
  return detailed ? { ...stop, stop_details: details(finish, null) } : stop;
}

/** Whether the model holds all there is to the details of an end. */
export function isPlainDetails(node: JsonObject): boolean {
  return node.type === 'refusal' && Object.keys(node).sort().join() === 'category,explanation,type';
}

function details(finish: Finish, words: string | null): JsonObject {
  return { type: 'refusal', category: finish.category ?? null, explanation: finish.detail ?? words };
}

/** What of an answer decides how its end reads. */
interface AnswerSoFar {
  /** The words of a refusal part, where there was one. */
  readonly refused: string | undefined;
  /** Whether anything came that the client asked for. */
  readonly answered: boolean;
}

/** An end of another service's answer (translation.md 5.2). Throws TranslationError for ends that have no word here. */
export function encodeForeignFinish(finish: Finish, { refused, answered }: AnswerSoFar, losses: Losses): Stop {
  const plain = (stop_reason: string): Stop => ({ stop_reason, stop_sequence: null, stop_details: null });
  const weaker = (detail: string): void => losses.add('', 'finish', 'approximated', detail);
  /** Ends without a field for an explanation. */
  const silent = (stop_reason: string): Stop => {
    if (finish.detail !== undefined)
      losses.add('', 'finish', 'dropped', 'the target cannot report the explanation of the end');
    return plain(stop_reason);
  };
  switch (finish.kind) {
    case 'end':
      return refused === undefined ? silent('end_turn') : refusal(finish, refused);
    case 'tool_use':
      return silent('tool_use');
    case 'stop_sequence':
      return { ...plain('stop_sequence'), stop_sequence: finish.stopSequence ?? null };
    case 'max_tokens':
      return silent('max_tokens');
    case 'context_window':
      return silent('model_context_window_exceeded');
    case 'refusal':
      return refusal(finish, refused);
    case 'filter':
    case 'prompt_blocked':
      weaker(
        finish.kind === 'filter'
          ? 'a content filter ended the answer; reported as a refusal'
          : 'the prompt was blocked; reported as a refusal',
      );
      return refusal({ ...finish, detail: finish.detail ?? finish.raw }, refused);
    case 'pause':
      weaker('the answer paused and was not resumed');
      return plain('max_tokens');
    case 'compaction':
      // A client that reads this dialect's own word asks for the rest of the answer.
      weaker('the answer is a summary only; reported as a normal end');
      return silent('end_turn');
    case 'malformed_call':
    case 'no_image':
    case 'cancelled':
    case 'failed':
      throw finishError(finish);
    case 'other':
      if (!answered) throw finishError(finish);
      weaker('the reason for the end is unknown and the answer may be incomplete; reported as a refusal');
      return refusal({ ...finish, detail: finish.detail ?? finish.raw }, refused);
  }
}

function refusal(finish: Finish, refused: string | undefined): Stop {
  return { stop_reason: 'refusal', stop_sequence: null, stop_details: details(finish, refused ?? null) };
}

/** The failure that an end without a word amounts to. */
export function finishError(finish: Finish, error?: CanonicalResponse['error']): TranslationError {
  if (error !== undefined) return new TranslationError(error.kind, error.message, { code: error.code });
  const detail = finish.detail === undefined ? '' : `: ${finish.detail}`;
  switch (finish.kind) {
    case 'malformed_call':
      return new TranslationError('upstream', `the model made a tool call that cannot be read${detail}`, {
        code: finish.kind,
      });
    case 'no_image':
      return new TranslationError('internal', `the model generated no image${detail}`, { code: finish.kind });
    case 'cancelled':
      return new TranslationError('cancelled', 'the answer was cancelled');
    default:
      return new TranslationError('internal', `the backend ended the answer for an unknown reason${detail}`);
  }
}
