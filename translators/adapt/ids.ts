import type { CallPart, ResultPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import type { CallIdRule } from '../dialect.js';
import { hash32 } from '../wire/hash.js';

/** Marks ids that were made up because the source gave none; they are left out again where a dialect has no need of ids. */
export const MINTED = 'call_ilg_';

/** The id of a call of a request to which the source gave none (translation.md 2.7 rule 5). */
export function mintCallId(turn: number, part: number, name: string): string {
  return MINTED + hash32(`${turn}:${part}:${name}`, 22);
}

/** The id of a call of an answer to which the backend gave none. */
export function mintAnswerCallId(responseId: string, ordinal: number, name: string): string {
  return MINTED + hash32(`${responseId}:${ordinal}:${name}`, 22);
}

/** The ids under which the calls and results of a request go out. */
export interface CallIds {
  call(part: CallPart): string;
  /** '' when no call answers to this result. */
  result(part: ResultPart): string;
}

/**
 * Gives every call one legal id, unique in the request, and every result the id of its call (translation.md 2.7 rules
 * 4, 5, 7, 10). Throws `unsupported` for a result without id that fits no call.
 */
export function assignCallIds(request: CanonicalRequest, rule: CallIdRule, losses: Losses): CallIds {
  const calls = new Map<CallPart, string>();
  const results = new Map<ResultPart, string>();
  const seen = new Set<string>();
  /** Source id to the id its latest call goes out under. */
  const current = new Map<string, string>();
  /** Calls without result so far, in order, that carried no id in the source. */
  let open: { readonly id: string; readonly name: string }[] = [];

  request.turns.forEach((turn, t) => {
    turn.parts.forEach((part, p) => {
      if (part.kind === 'call') {
        const id = idOf(part, t, p, seen, rule, losses);
        seen.add(id);
        calls.set(part, id);
        if (part.callId === '') open.push({ id, name: part.name });
        else current.set(part.callId, id);
      } else if (part.kind === 'result') {
        const id = part.callId === '' ? pairByName(part, open) : current.get(part.callId);
        if (part.callId === '') open = open.filter((call) => call.id !== id);
        results.set(part, id ?? '');
      }
    });
  });
  return {
    call: (part) => calls.get(part) ?? part.callId,
    result: (part) => results.get(part) ?? '',
  };
}

function idOf(
  part: CallPart,
  turn: number,
  index: number,
  seen: ReadonlySet<string>,
  rule: CallIdRule,
  losses: Losses,
): string {
  if (part.callId === '') return mintCallId(turn, index, part.name);
  const legal = rule.pattern.test(part.callId) ? part.callId : `call_ila_${hash32(part.callId, 24)}`;
  if (!seen.has(legal)) return legal;
  losses.add(part.src?.ptr ?? '', 'call.id', 'approximated', 'the id occurs twice, the second call got another one');
  return mintCallId(turn, index, part.name);
}

function pairByName(part: ResultPart, open: readonly { readonly id: string; readonly name: string }[]): string {
  const found = open.find((call) => call.name === part.name) ?? (open.length === 1 ? open[0] : undefined);
  if (found !== undefined) return found.id;
  throw new TranslationError('unsupported', 'a tool result names no call and fits none by its name', {
    path: part.src?.ptr ?? '',
  });
}

/** Turns that hold nothing else than results. */
export function holdsOnlyResults(turn: Turn): boolean {
  return turn.parts.length > 0 && turn.parts.every((part) => part.kind === 'result');
}
