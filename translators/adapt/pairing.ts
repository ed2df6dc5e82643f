import type { CallPart, Part, ResultPart } from '../canonical/content.js';
import { ptrOf } from '../canonical/node.js';
import type { Turn } from '../canonical/request.js';
import type { Adaptation } from './adaptation.js';
import { listFitted, refusePart } from './fit.js';
import { type Draft, fitResult, hasContent } from './turns.js';

/** A turn on its way out. `pure` turns hold results only and are never merged with others. */
export interface Arranged {
  readonly role: Turn['role'];
  readonly turn: Turn;
  readonly parts: readonly Part[];
  readonly pure: boolean;
}

/**
 * Puts every result right behind the turn that called, in the order of the calls; fills in what is missing, settles
 * orphans and duplicates (translation.md 2.4). Throws `unsupported` when the history ends in open calls.
 */
export function pairResults(drafts: readonly Draft[], adaptation: Adaptation): Arranged[] {
  const runs = joinAssistantRuns(drafts.filter(hasContent));
  const stock = collectResults(drafts);
  const out: Arranged[] = [];
  runs.forEach((draft, position) => {
    if (draft.role !== 'assistant') {
      out.push(...userTurns(draft, stock, adaptation));
      return;
    }
    out.push({ role: 'assistant', turn: draft.turn, parts: draft.parts, pure: false });
    const calls = draft.parts.filter((part): part is CallPart => part.kind === 'call');
    if (calls.length > 0) out.push(...answers(calls, runs, position, stock, adaptation));
    if (draft.media.length > 0) {
      out.push({ role: 'user', turn: draft.turn, parts: fitMedia(draft, adaptation), pure: false });
    }
  });
  return out;
}

/** Results by the id of their call, first come first. */
interface Stock {
  readonly byId: ReadonlyMap<string, { readonly result: ResultPart; readonly draft: Draft }>;
  readonly used: Set<ResultPart>;
  /** Ids of calls that the target cannot take. */
  readonly lost: ReadonlySet<string>;
}

function collectResults(drafts: readonly Draft[]): Stock {
  const byId = new Map<string, { result: ResultPart; draft: Draft }>();
  const lost = new Set<string>();
  for (const draft of drafts) {
    for (const id of draft.lostCalls) lost.add(id);
    for (const result of draft.results) {
      if (!byId.has(result.callId)) byId.set(result.callId, { result, draft });
    }
  }
  return { byId, used: new Set(), lost };
}

/** Calls that a client split over several assistant turns are answered together. */
function joinAssistantRuns(drafts: readonly Draft[]): Draft[] {
  const out: Draft[] = [];
  for (const draft of drafts) {
    const last = out.at(-1);
    const open = last?.role === 'assistant' && last.closed !== true && last.parts.some(({ kind }) => kind === 'call');
    if (!open || draft.role !== 'assistant') {
      out.push(draft);
      continue;
    }
    out[out.length - 1] = {
      ...last,
      parts: [...last.parts, ...draft.parts],
      results: [...last.results, ...draft.results],
      media: [...last.media, ...draft.media],
      lostCalls: [...last.lostCalls, ...draft.lostCalls],
      dangling: draft.dangling,
      closed: draft.closed === true,
    };
  }
  return out;
}

function answers(
  calls: readonly CallPart[],
  runs: readonly Draft[],
  position: number,
  stock: Stock,
  adaptation: Adaptation,
): Arranged[] {
  const { rules, context } = adaptation;
  const next = runs[position + 1];
  const results: Part[] = [];
  const extras: Part[] = [];
  let turn = next?.turn;
  const placed = resultsBehind(runs, position);
  let reached = -1;
  for (const call of calls) {
    const found = stock.byId.get(call.callId);
    if (found === undefined) {
      results.push(...missing(call, next, adaptation));
      continue;
    }
    stock.used.add(found.result);
    const index = placed.indexOf(found.result);
    if (found.draft.role !== 'assistant' && index <= reached) {
      const path = ptrOf(found.result);
      context.losses.add(
        path,
        'result.place',
        'moved',
        'results directly follow their calls, in the order of the calls',
      );
    }
    reached = Math.max(reached, index);
    turn ??= found.draft.turn;
    const [first, ...rest] = fitResult(found.result, call, adaptation);
    if (first !== undefined) results.push(first);
    extras.push(...rest);
  }
  if (results.length === 0) return [];
  const owner = turn ?? runs[position]?.turn;
  if (owner === undefined) return [];
  const arranged: Arranged = { role: 'user', turn: owner, parts: results, pure: rules.results !== 'nextUserTurn' };
  return extras.length === 0 ? [arranged] : [arranged, { role: 'user', turn: owner, parts: extras, pure: false }];
}

/** The results right behind an assistant's turn: no other content of the user comes before them. */
function resultsBehind(runs: readonly Draft[], position: number): readonly ResultPart[] {
  const next = runs[position + 1];
  if (next === undefined || next.parts.length > 0 || runs[position + 2]?.role !== 'user') return leadingResults(next);
  const found: ResultPart[] = [];
  for (let at = position + 1; runs[at]?.role === 'user'; at += 1) {
    found.push(...leadingResults(runs[at]));
    if ((runs[at]?.parts.length ?? 0) > 0) break;
  }
  return found;
}

function leadingResults(draft: Draft | undefined): readonly ResultPart[] {
  if (draft?.role !== 'user') return [];
  const { results, late } = draft;
  return late === undefined ? results : results.filter((result) => !late.has(result));
}

function missing(call: CallPart, next: Draft | undefined, adaptation: Adaptation): readonly Part[] {
  const { rules, context } = adaptation;
  const path = ptrOf(call);
  if (next === undefined) refusePart(call, `no tool output found for call "${call.callId}"`);
  context.losses.add(path, 'result.missing', 'invented', 'the call was interrupted; the target requires a result');
  const result: ResultPart = {
    kind: 'result',
    callId: call.callId,
    name: call.name,
    parts: [{ kind: 'text', text: rules.missingResult.text }],
    ...(rules.missingResult.isError && { isError: true }),
    src: { ptr: path },
  };
  return fitResult(result, call, adaptation);
}

/** What is left of a user's turn once its results have gone to their calls. */
function userTurns(draft: Draft, stock: Stock, adaptation: Adaptation): Arranged[] {
  const orphans: Part[] = [];
  for (const result of draft.results) {
    if (!stock.used.has(result)) orphans.push(...orphan(result, stock, adaptation));
  }
  const parts = orphans.length === 0 ? draft.parts : [...orphans, ...draft.parts];
  return parts.length === 0 ? [] : [{ role: draft.role, turn: draft.turn, parts, pure: false }];
}

function orphan(result: ResultPart, stock: Stock, { rules, context }: Adaptation): readonly Part[] {
  const path = ptrOf(result);
  const id = result.callId;
  if (stock.lost.has(id)) {
    context.losses.add(path, 'call.truncated', 'dropped', 'the result of a call that was cut');
    return [];
  }
  if (stock.byId.get(id)?.result !== result) {
    context.losses.add(path, 'result.duplicate', 'dropped', 'the call has a result already');
    return [];
  }
  if (rules.orphanResult === 'refuse' || context.strict === true) {
    refusePart(result, `no tool call found for the output with call_id "${result.callId}"`);
  }
  context.losses.add(path, 'result.orphan', 'approximated', 'its call is not in the conversation; sent as text');
  const text = result.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const told = result.json === undefined ? text : JSON.stringify(result.json);
  return [{ kind: 'text', text: `Result of tool ${result.name ?? result.callId}: ${told}`, src: { ptr: path } }];
}

function fitMedia(draft: Draft, { rules, context }: Adaptation): readonly Part[] {
  return draft.media.flatMap((part) => listFitted(rules.fitPart(part, 'user', context)));
}
