import type { CallPart, Part, ResultPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import type { CallIdRule } from '../target/target.js';
import { hash32, hash62 } from '../wire/hash.js';
import { refusePart } from './fit.js';
import { createOpenCalls, type OpenCalls } from './open-calls.js';

/** Marks ids that were made up because the source gave none; they are left out again where a dialect has no need of ids. */
const MINTED = 'call_ilg_';

/** The id of a call of a request to which the source gave none (translation.md 2.7 rule 5). */
function mintCallId(turn: number, part: number, name: string): string {
  return MINTED + hash32(`${turn}:${part}:${name}`, 22);
}

/** The id of a call of an answer to which the backend gave none. */
export function mintAnswerCallId(responseId: string, ordinal: number, name: string): string {
  return MINTED + hash32(`${responseId}:${ordinal}:${name}`, 22);
}

const TAIL = '_ilg';

/** The same for clients that cut ids behind their first characters: those differ (translation.md 2.7). */
export function mintTailedCallId(responseId: string, ordinal: number, name: string): string {
  return hash32(`${responseId}:${ordinal}:${name}`, 22) + TAIL;
}

/** Whether an id was made up because the source gave none. */
export function isMinted(id: string): boolean {
  return id.startsWith(MINTED) || id.endsWith(TAIL);
}

/** An id that fits the rule: itself, or its substitute (translation.md 2.7 rule 4). */
export function legalCallId(id: string, rule: CallIdRule): string {
  if (rule.pattern.test(id)) return id;
  return rule.alphanumerics === undefined ? `call_ila_${hash32(id, 24)}` : hash62(id).slice(0, rule.alphanumerics);
}

/**
 * The same beside ids that other sources have taken: substitutes as short as some servers want them may meet by chance
 * (translation.md 2.7). An id that its own source has taken is given again.
 */
function freeCallId(id: string, rule: CallIdRule, taken: ReadonlyMap<string, string>): string {
  const isFree = (legal: string): boolean => (taken.get(legal) ?? id) === id;
  const legal = legalCallId(id, rule);
  const length = rule.alphanumerics;
  if (length === undefined || isFree(legal)) return legal;
  const digits = hash62(id);
  for (let from = length; from + length <= digits.length; from += length) {
    const next = digits.slice(from, from + length);
    if (isFree(next)) return next;
  }
  return legal;
}

/** The ids under which the calls and results of a request go out. */
export interface CallIds {
  /** The parts of a turn of the request under those ids; the same list when none changes. */
  apply(parts: readonly Part[]): readonly Part[];
}

/**
 * Gives every call one legal id, unique in the request, and every result the id of its call (translation.md 2.7 rules
 * 4, 5, 7, 10). Throws `unsupported` for a result without id that fits no call. Most ids are legal and unique as they
 * are: only those that change are kept.
 */
export function assignCallIds(request: CanonicalRequest, rule: CallIdRule, losses: Losses): CallIds {
  return areInOrder(request, rule) ? AS_THEY_ARE : changedCallIds(request, rule, losses);
}

const AS_THEY_ARE: CallIds = { apply: (parts) => parts };

/** Whether every call has a legal id of its own, and every result that of a call where it says which: nothing changes then. */
function areInOrder({ turns }: CanonicalRequest, { pattern }: CallIdRule): boolean {
  let called: Set<string> | undefined;
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.kind === 'call') {
        called ??= new Set();
        const before = called.size;
        called.add(part.callId);
        if (part.callId === '' || called.size === before || !pattern.test(part.callId)) return false;
      } else if (part.kind === 'result') {
        if (part.callId === '' || (part.name !== undefined && called?.has(part.callId) !== true)) return false;
      }
    }
  }
  return true;
}

function changedCallIds(request: CanonicalRequest, rule: CallIdRule, losses: Losses): CallIds {
  const changed = new Map<CallPart | ResultPart, string>();
  /** The ids under which calls go out, with what they stand for. */
  const taken = new Map<string, string>();
  /** Source id to the id its latest call goes out under, where they differ. */
  const current = new Map<string, string>();
  /** Source ids that have a result. */
  const answered = new Set<string>();
  /** For source ids that several calls have: the ids of those without result so far. */
  const waiting = new Map<string, OpenCalls>();
  /** Calls without result so far that carried no id in the source. */
  const open = createOpenCalls();
  /** Calls of earlier turns that carried an id which no result names. */
  const unanswered = createOpenCalls();
  const { strays, named } = oddResults(request);

  const visitCall = (part: CallPart, turn: number, index: number): void => {
    const earlier = current.get(part.callId) ?? part.callId;
    const again = part.callId !== '' && taken.get(earlier) === part.callId;
    const id = idOf(part, turn, index, taken, rule, losses);
    taken.set(id, part.callId);
    if (again) {
      const row = waiting.get(part.callId) ?? createOpenCalls();
      if (!waiting.has(part.callId)) {
        waiting.set(part.callId, row);
        if (!answered.has(part.callId)) row.add(earlier, part.name);
      }
      row.add(id, part.name);
    }
    if (id === part.callId) {
      if (current.size > 0) current.delete(id);
      return;
    }
    changed.set(part, id);
    if (part.callId === '') open.add(id, part.name);
    else current.set(part.callId, id);
  };
  const pair = (part: ResultPart, id: string): void => {
    open.close(id);
    unanswered.close(id);
    answered.add(id);
    changed.set(part, current.get(id) ?? id);
  };
  const visitResult = (part: ResultPart): void => {
    const found = strays.has(part) ? sameName(part, open, unanswered) : undefined;
    if (found !== undefined) {
      losses.add(part, 'call.id', 'approximated', 'no call has this id; the result was matched by its name');
      pair(part, found);
    } else if (part.callId !== '') {
      answered.add(part.callId);
      const row = waiting.get(part.callId);
      const first = row?.any();
      if (first !== undefined) row?.close(first);
      const id = first ?? (current.size > 0 ? current.get(part.callId) : undefined);
      if (id !== undefined) changed.set(part, id);
    } else {
      pair(part, pairByName(part, open, unanswered));
    }
  };
  const noteUnanswered = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (part.kind !== 'call' || part.callId === '' || named?.has(part.callId) || answered.has(part.callId)) continue;
      unanswered.add(part.callId, part.name);
    }
  };
  for (let turn = 0; turn < request.turns.length; turn += 1) {
    const parts = request.turns[turn]?.parts ?? [];
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index];
      if (part?.kind === 'call') visitCall(part, turn, index);
      else if (part?.kind === 'result') visitResult(part);
    }
    if (named !== undefined) noteUnanswered(parts);
  }
  const renamed = (part: Part): Part => {
    if (part.kind !== 'call' && part.kind !== 'result') return part;
    const callId = changed.get(part);
    return callId === undefined ? part : { ...part, callId };
  };
  return { apply: (parts) => (changed.size === 0 ? parts : parts.map(renamed)) };
}

function idOf(
  part: CallPart,
  turn: number,
  index: number,
  taken: ReadonlyMap<string, string>,
  rule: CallIdRule,
  losses: Losses,
): string {
  const minted = (): string => freeCallId(mintCallId(turn, index, part.name), rule, taken);
  if (part.callId === '') return minted();
  const legal = freeCallId(part.callId, rule, taken);
  if (!taken.has(legal)) return legal;
  losses.add(part, 'call.id', 'approximated', 'the id occurs twice; the second call got a new one');
  return minted();
}

/** Results that do not name the call that they answer. */
interface OddResults {
  /** Those whose ids are the client's own: no call has them. Only a name shows which call such a result answers. */
  readonly strays: ReadonlySet<ResultPart>;
  /** The ids that results name; absent where every result names its call. */
  readonly named?: ReadonlySet<string>;
}

function oddResults({ turns }: CanonicalRequest): OddResults {
  const strays = new Set<ResultPart>();
  let called: ReadonlySet<string> | undefined;
  let isBare = false;
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.kind !== 'result') continue;
      if (part.callId === '') isBare = true;
      else if (part.name !== undefined) {
        called ??= idsOf(turns, 'call');
        if (!called.has(part.callId)) strays.add(part);
      }
    }
  }
  return isBare || strays.size > 0 ? { strays, named: idsOf(turns, 'result') } : { strays };
}

/** The ids of all calls, or those that results name. */
function idsOf(turns: readonly Turn[], kind: 'call' | 'result'): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { parts } of turns) {
    for (const part of parts)
      if ((part.kind === 'call' || part.kind === 'result') && part.kind === kind) ids.add(part.callId);
  }
  return ids;
}

/** The first call of the result's name. */
function sameName({ name }: ResultPart, open: OpenCalls, unanswered: OpenCalls): string | undefined {
  return name === undefined ? undefined : (open.named(name) ?? unanswered.named(name));
}

/** The first call of the result's name; without one, the only call that waits. */
function pairByName(part: ResultPart, open: OpenCalls, unanswered: OpenCalls): string {
  const only = open.size() + unanswered.size() === 1 ? (open.any() ?? unanswered.any()) : undefined;
  const found = sameName(part, open, unanswered) ?? only;
  if (found !== undefined) return found;
  return refusePart(part, 'a tool result without call_id, the id of its call, fits no call that waits for one');
}
