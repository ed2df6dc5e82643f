import type { Part } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish, FinishKind } from '../../canonical/response.js';
import { shownMessage } from '../../wire/error-object.js';
import { isObject } from '../../wire/json.js';
import { decodeInBandError, inBandCode, isPolicyCode } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';

/** How an answer ended, and the failure when it failed. */
interface Ending {
  readonly finish: Finish;
  readonly error?: CanonicalError;
}

/**
 * The end of an answer (translation.md 5.2); undefined while it is still being made. `announced` is the status in the last event of a
 * stream says, for a body without a status.
 */
export function decodeFinish(body: JsonObject, parts: readonly Part[], announced?: string): Ending | undefined {
  switch (body.status ?? announced ?? (isWhole(body) ? 'completed' : undefined)) {
    case 'completed':
      return { finish: completedFinish(parts) };
    case 'incomplete':
      return { finish: incompleteFinish(Reflect.get(Object(body.incomplete_details), 'reason')) };
    case 'cancelled':
      return { finish: finishOf('cancelled', 'cancelled') };
    case 'failed':
      return failedEnding(body.error, parts);
    default:
      return undefined;
  }
}

/** Whether a body without a status, which the vendor's schema does not require, shows by itself that nothing is missing. */
function isWhole({ error, incomplete_details: details, output }: JsonObject): boolean {
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const open = items.some(({ status }) => status === 'in_progress' || status === 'incomplete');
  const said = items.some(({ type }) => type === 'message' || type === 'function_call' || type === 'custom_tool_call');
  return (error ?? details ?? null) === null && said && !open;
}

function finishOf(kind: FinishKind, raw: string, detail?: string): Finish {
  return detail === undefined ? { kind, raw, dialect: DIALECT } : { kind, raw, dialect: DIALECT, detail };
}

/** Hosted calls and cut calls ask nothing of the client (translation.md 5.2 rule 3). */
function completedFinish(parts: readonly Part[]): Finish {
  const refusals = parts.filter((part) => part.kind === 'refusal');
  if (refusals.length > 0) return finishOf('refusal', 'completed', refusals.map(({ text }) => text).join(''));
  if (parts.some((part) => part.kind === 'call' && part.truncated !== true)) return finishOf('tool_use', 'completed');
  // Next to an answer a summary is only enclosed.
  const compacted = parts.length > 0 && parts.every((part) => part.kind === 'compaction');
  return finishOf(compacted ? 'compaction' : 'end', 'completed');
}

function incompleteFinish(reason: unknown): Finish {
  if (reason === 'max_output_tokens') return finishOf('max_tokens', reason);
  if (reason === 'content_filter') return finishOf('filter', reason);
  return finishOf('other', typeof reason === 'string' ? reason : 'incomplete');
}

function failedEnding(node: unknown, parts: readonly Part[]): Ending {
  const error = decodeInBandError(node);
  const code = error.code ?? '';
  if (code === 'context_length_exceeded' && parts.length > 0)
    return { finish: finishOf('context_window', code, error.message) };
  if (isPolicyCode(code) && parts.length === 0) return { finish: finishOf('prompt_blocked', code, error.message) };
  return { finish: finishOf('failed', code === '' ? 'failed' : code, error.message), error };
}

/** How an answer's end is encoded. */
export interface WireEnding {
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled';
  readonly incompleteReason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What of the output belongs to the end. */
interface OutputSummary {
  /** The words of the refusal. */
  readonly refused: boolean;
  /** A summary. */
  readonly compacted: boolean;
}

/** The end of another service's answer. */
export function encodeFinish(
  finish: Finish,
  error: CanonicalError | undefined,
  { refused, compacted }: OutputSummary,
  losses: Losses,
): WireEnding {
  const foreign = finish.dialect !== DIALECT;
  const weaker = (detail: string): void => {
    if (foreign) losses.add('', 'finish', 'approximated', detail);
  };
  const silent = (): void => {
    if (foreign && finish.detail !== undefined)
      losses.add('', 'finish', 'dropped', 'the target cannot report the explanation of the end');
  };
  switch (finish.kind) {
    case 'stop_sequence':
      losses.add('', 'finish', 'dropped', 'the target cannot report which stop sequence matched');
      return { status: 'completed' };
    case 'end':
    case 'tool_use':
      silent();
      return { status: 'completed' };
    case 'compaction':
      if (!compacted) weaker('without its summary, reported as a normal end');
      silent();
      return { status: 'completed' };
    case 'max_tokens':
      silent();
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'context_window':
    case 'pause':
      weaker(`the target has no finish reason for ${finish.kind}`);
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'refusal':
      if (refused && finish.category === undefined) return { status: 'completed' };
      weaker(
        refused
          ? 'the target cannot report the category of a refusal'
          : 'a refusal without text is reported as filtered',
      );
      return refused ? { status: 'completed' } : { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'filter':
      silent();
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'prompt_blocked':
      weaker('the prompt was blocked; reported as filtered');
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'cancelled':
      return { status: 'cancelled' };
    case 'failed':
      return { status: 'failed', error: failure(error, finish) };
    case 'other':
      if (finish.dialect === DIALECT) return { status: 'incomplete', incompleteReason: finish.raw };
      weaker('the finish reason has no equivalent; reported as a failure');
      return { status: 'failed', error: failure(undefined, finish) };
    case 'malformed_call':
    case 'no_image':
      weaker('the finish reason has no equivalent; reported as a failure');
      return { status: 'failed', error: failure(undefined, finish) };
  }
}

function failure(error: CanonicalError | undefined, finish: Finish): { code: string; message: string } {
  if (error !== undefined) return { code: inBandCode(error), message: shownMessage(error) };
  return { code: 'server_error', message: finish.detail ?? `the model ended its answer with ${finish.raw}` };
}
