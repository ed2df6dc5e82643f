import { legalCallId, mintTailedCallId } from '../../adapt/index.js';
import type { CallPart } from '../../canonical/content.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeResponseContext } from '../../dialect.js';

/** The ids under which a client of this dialect knows the calls of one answer. */
export interface AnswerIds {
  /** The id of the next call; `ordinal` counts the parts of the answer. */
  next(call: CallPart, ordinal: number): string;
  /** The one that was given last. */
  readonly last: string;
}

/** Ids that the vendor's clients take [H §3.4]. */
const LEGAL = { pattern: /^[A-Za-z0-9_-]{1,40}$/ };

/**
 * Ids for the answer that its service calls `responseId`: those of the backend where they are legal and new to the
 * conversation. Some models number their calls from 0 in every answer, and clients take state of the second for a repetition
 * of the first (translation.md 2.7).
 */
export function createAnswerIds(responseId: string, { request, losses }: EncodeResponseContext): AnswerIds {
  const known = callsOf(request);
  let last = '';
  return {
    next(call, ordinal) {
      const { callId, name } = call;
      const legal = callId === '' ? '' : legalCallId(callId, LEGAL);
      if (legal === '' || known.has(legal)) {
        last = mintTailedCallId(responseId, ordinal, name);
        if (legal !== '') losses.add(call, 'call.id', 'approximated', 'the conversation has a call of this id');
      } else {
        last = legal;
        if (legal !== callId) losses.add(call, 'call.id', 'approximated', 'the id is not valid in the target');
      }
      known.add(last);
      return last;
    },
    get last() {
      return last;
    },
  };
}

function callsOf(request: CanonicalRequest | undefined): Set<string> {
  const ids = new Set<string>();
  for (const { parts } of request?.turns ?? [])
    for (const part of parts) if (part.kind === 'call') ids.add(part.callId);
  return ids;
}
