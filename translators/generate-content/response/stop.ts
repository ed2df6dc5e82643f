import type { Losses } from '../../canonical/loss.js';
import type { Finish, FinishKind } from '../../canonical/response.js';
import { DIALECT } from '../nodes.js';

/** What the reasons of the service mean (translation.md 5.2); any other word is `other`. */
const KINDS: Readonly<Record<string, FinishKind>> = {
  STOP: 'end',
  MAX_TOKENS: 'max_tokens',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  MODEL_ARMOR: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MALFORMED_FUNCTION_CALL: 'malformed_call',
  UNEXPECTED_TOOL_CALL: 'malformed_call',
  TOO_MANY_TOOL_CALLS: 'malformed_call',
  MALFORMED_RESPONSE: 'malformed_call',
  MISSING_THOUGHT_SIGNATURE: 'malformed_call',
  NO_IMAGE: 'no_image',
  IMAGE_OTHER: 'no_image',
  CONTINUATION: 'pause',
};

/** Reads a finish reason. A natural end after a call of the client's tools is `tool_use`. */
export function decodeFinish(raw: string, calls: boolean, message: string | undefined): Finish {
  const kind = Object.hasOwn(KINDS, raw) ? KINDS[raw] : undefined;
  return {
    kind: kind === 'end' && calls ? 'tool_use' : (kind ?? 'other'),
    raw,
    dialect: DIALECT,
    ...(message !== undefined && { detail: message }),
  };
}

/** Reads the reason for which a prompt was not answered at all. */
export function decodeBlock(raw: string, message: string | undefined): Finish {
  return {
    kind: 'prompt_blocked',
    raw,
    dialect: DIALECT,
    ...(message !== undefined && { detail: message }),
  };
}

/** Words for the kinds; `~` marks those that say less than they should. */
const WORDS: Readonly<Record<FinishKind, string>> = {
  end: 'STOP',
  tool_use: 'STOP',
  stop_sequence: 'STOP',
  max_tokens: 'MAX_TOKENS',
  context_window: '~MAX_TOKENS',
  refusal: '~SAFETY',
  filter: 'SAFETY',
  prompt_blocked: 'OTHER',
  pause: '~MAX_TOKENS',
  malformed_call: '~OTHER',
  no_image: '~OTHER',
  compaction: '~OTHER',
  cancelled: 'OTHER',
  failed: 'OTHER',
  other: 'OTHER',
};

/** What a candidate says about its end. */
interface EncodedFinish {
  readonly finishReason: string;
  readonly finishMessage?: string;
}

/** Encodes the end of an answer; the words of this dialect come back as they were. */
export function encodeFinish(finish: Finish, losses: Losses): EncodedFinish {
  if (finish.dialect === DIALECT) {
    return { finishReason: finish.raw, ...(finish.detail !== undefined && { finishMessage: finish.detail }) };
  }
  const word = WORDS[finish.kind];
  if (word.startsWith('~'))
    losses.add('', 'finish', 'approximated', `the finish reason ${finish.kind} has no equivalent`);
  if (finish.stopSequence !== undefined) {
    losses.add('', 'finish', 'dropped', 'the target cannot report which stop sequence matched');
  }
  const message = finish.kind === 'refusal' || finish.kind === 'filter' ? finish.detail : undefined;
  if (finish.detail !== message && !word.startsWith('~')) {
    losses.add('', 'finish', 'dropped', 'the target cannot report the explanation of the end');
  }
  return { finishReason: word.replace('~', ''), ...(message !== undefined && { finishMessage: message }) };
}

/** Reports refusals that read as plain text, because the answer ends in another way; `paths` say where they stood. */
export function reportRefusals(paths: readonly string[], finish: Finish, losses: Losses): void {
  if (finish.kind === 'refusal' || finish.kind === 'filter') return;
  for (const path of paths) losses.add(path, 'part.refusal', 'moved', 'the explanation of the refusal is sent as text');
}

/** The block reasons of the service; others become OTHER ([G §5.2]). */
const BLOCKS: ReadonlySet<string> = new Set([
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
  'JAILBREAK',
]);

/** Encodes why a prompt was not answered. */
export function encodeBlock(finish: Finish): { blockReason: string; blockReasonMessage?: string } {
  const own = finish.dialect === DIALECT || BLOCKS.has(finish.raw);
  return {
    blockReason: own ? finish.raw : 'OTHER',
    ...(finish.detail !== undefined && { blockReasonMessage: finish.detail }),
  };
}
