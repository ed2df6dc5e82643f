import type { Part, TextPart } from '../../canonical/content.js';
import type { Losses, LossSubject } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import { finish, remembered } from '../nodes.js';
import { encodeOwnToolUse, encodeResult } from '../tools/calls.js';
import { encodeOwnHostedCall, encodeOwnHostedResult } from '../tools/hosted/encode.js';
import { encodeOwnCitations } from './citations.js';
import { encodeMedia, encodeSearchResult, encodeTextDoc } from './media.js';
import { encodeCompaction, encodeOwnReasoning } from './reasoning.js';

/**
 * A part as a block. `own` parts are encoded as they came; others have passed fitPart. Parts of an answer of another
 * dialect are encoded by the writer of answers.
 */
export function encodePart(part: Part, own: boolean): JsonObject {
  const form = own ? remembered(part) : undefined;
  if (form !== undefined) return form;
  switch (part.kind) {
    case 'text':
      return encodeText(part, own);
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'media':
      return encodeMedia(part, own);
    case 'textdoc':
      return encodeTextDoc(part, own, (child) => encodePart(child, own));
    case 'searchResult':
      return encodeSearchResult(part, own, (child) => encodePart(child, own));
    case 'call':
      return finish(encodeOwnToolUse(part), part, own);
    case 'result':
      return finish(encodeResult(part, own, encodePart), part, own);
    case 'hostedCall':
      return finish(encodeOwnHostedCall(part), part, own);
    case 'hostedResult':
      return finish(encodeOwnHostedResult(part), part, own);
    case 'reasoning':
      return encodeOwnReasoning(part);
    case 'compaction':
      return encodeCompaction(part);
    case 'handover':
      return part.fields;
    case 'opaque':
      return part.raw;
    case 'toolChange':
      return finish({ type: part.removed.length > 0 ? 'tool_removal' : 'tool_addition' }, part, own);
    case 'ref':
    case 'approval':
      throw new TypeError(`a ${part.kind} part has no block in this dialect`);
    default:
      return part satisfies never;
  }
}

function encodeText(part: TextPart, own: boolean): JsonObject {
  const out: JsonObject = { type: 'text', text: part.text };
  const citations = encodeOwnCitations(part);
  if (citations !== undefined && (own || citations.length > 0)) out.citations = citations;
  return finish(out, part, own);
}

/** Reports what a text loses on its way to a client of this dialect. */
export function reportText(part: TextPart, losses: Losses): void {
  if (part.text === '') return;
  reportTokens(part, part.logprobs, losses);
  reportPhase(part, losses);
}

/** Reports log probabilities. */
export function reportTokens(subject: LossSubject, tokens: TextPart['logprobs'], losses: Losses): void {
  if (tokens !== undefined && tokens.length > 0)
    losses.add(subject, 'logprobs', 'dropped', 'log probabilities are not supported');
}

/** Reports the phase of a message. */
export function reportPhase(part: Part, losses: Losses): void {
  if (hasPhase(part)) losses.add(part, 'part.phase', 'dropped', 'text has no phase in the target');
}

/** Reports refusals that read as plain text, because the answer ends in another way. */
export function reportRefusal(subject: LossSubject, losses: Losses): void {
  losses.add(subject, 'part.refusal', 'moved', 'the explanation of the refusal is sent as text');
}

/** Reports a part that has no form for clients of this dialect. */
export function reportLost(part: Part, losses: Losses): void {
  switch (part.kind) {
    case 'hostedCall':
      losses.add(part, 'hosted.call', 'dropped', `a ${part.family} call has no form here`);
      return;
    case 'hostedResult':
      return;
    case 'compaction':
      losses.add(part, 'part.compaction', 'dropped', 'a summary of another service');
      return;
    case 'approval':
      losses.add(part, 'part.approval', 'dropped', 'clients of this dialect cannot be asked for consent');
      return;
    case 'handover':
      losses.add(part, 'part.handover', 'dropped', 'only supported by its own dialect');
      return;
    default:
      losses.add(part, 'part.opaque', 'dropped', 'only supported by its own dialect');
  }
}
