import type { CallPart, Part, ResultPart } from '../canonical/content.js';
import { ptrOf } from '../canonical/node.js';
import type { Turn } from '../canonical/request.js';
import { added } from '../wire/list.js';
import type { Adaptation } from './adaptation.js';
import { fitEach, listFitted, refusePart } from './fit.js';
import { type Draft, fitResult, hasContent } from './turns.js';

/** A turn on its way out. */
export interface Arranged extends Turn {
  /** The turn of the source that it is told to be of. */
  readonly turn: Turn;
  /** It holds results only, and is never merged with others. */
  readonly pure: boolean;
}

/** A turn as it goes out: of one of the source, with these parts. */
export function arrange(role: Turn['role'], turn: Turn, parts: readonly Part[], pure = false): Arranged {
  const authority = role === 'instruction' ? turn.authority : undefined;
  return { role, authority, parts, src: turn.src, turn, pure };
}

/**
 * Puts every result right behind the turn that called, in the order of the calls; fills in what is missing, settles
 * orphans and duplicates (translation.md 2.4). Throws `unsupported` when the history ends in open calls.
 */
export function pairResults(drafts: readonly Draft[], adaptation: Adaptation): Arranged[] {
  return areInPlace(drafts) ? fitInPlace(drafts, adaptation) : pairById(drafts, adaptation);
}

/**
 * Whether every turn with calls has their results right behind it, in their order and in front of all else, and there are no
 * others: so it is nearly always. Ids of calls are unique in a request (ids.ts).
 */
function areInPlace(drafts: readonly Draft[]): boolean {
  let before: Draft | undefined;
  for (const draft of drafts) {
    if (draft.late !== undefined || draft.media.length > 0 || draft.lostCalls.length > 0 || !hasContent(draft))
      return false;
    const results = draft.role === 'user' ? draft.results : draft.results.length === 0 ? draft.results : undefined;
    if (results === undefined || !answers(results, before?.role === 'assistant' ? before.parts : [])) return false;
    before = draft;
  }
  return before === undefined || answers([], before.role === 'assistant' ? before.parts : []);
}

/** Whether results are those of the calls among `parts`, in their order. */
function answers(results: readonly ResultPart[], parts: readonly Part[]): boolean {
  let found = 0;
  for (const part of parts) {
    if (part.kind !== 'call') continue;
    if (results[found]?.callId !== part.callId) return false;
    found += 1;
  }
  return found === results.length;
}

/** The turns of drafts whose results stay where they are: nothing has to be looked for. */
function fitInPlace(drafts: readonly Draft[], adaptation: Adaptation): Arranged[] {
  const out: Arranged[] = [];
  const pure = adaptation.rules.results !== 'nextUserTurn';
  let calls: readonly Part[] = [];
  for (const draft of drafts) {
    const { role, turn, results, parts } = draft;
    if (results.length > 0) addInPlace(out, draft, calls, pure, adaptation);
    if (parts.length > 0) out.push(arrange(role, turn, parts));
    calls = parts;
  }
  return out;
}

/** Adds the results of a turn, which are those of the calls among `parts`. */
function addInPlace(
  out: Arranged[],
  { turn, results }: Draft,
  parts: readonly Part[],
  pure: boolean,
  adaptation: Adaptation,
): void {
  const calls = parts.length === results.length ? parts : parts.filter(isCall);
  let extras: Part[] | undefined;
  const fitted = fitEach(results, (result, index) => {
    const call = calls[index];
    const became = call?.kind === 'call' ? fitResult(result, call, adaptation) : undefined;
    if (became === undefined || 'kind' in became) return became;
    const [first, ...rest] = became;
    for (const extra of rest) extras = added(extras, extra);
    return first;
  });
  if (fitted.length === 0) return;
  out.push(arrange('user', turn, fitted, pure));
  if (extras !== undefined) out.push(arrange('user', turn, extras));
}

/** The turns of drafts whose results are looked for by the ids of their calls. */
function pairById(drafts: readonly Draft[], adaptation: Adaptation): Arranged[] {
  const runs = joinAssistantRuns(drafts);
  const stock = collectResults(drafts);
  const out: Arranged[] = [];
  for (const [position, draft] of runs.entries()) {
    if (draft.role !== 'assistant') {
      addRest(out, draft, stock, adaptation);
      continue;
    }
    for (const { turn, parts } of (adaptation.rules.mergeTurns ? undefined : draft.run) ?? [draft]) {
      out.push(arrange('assistant', turn, parts));
    }
    const calls = draft.parts.filter(isCall);
    if (calls.length > 0) addAnswers(out, calls, runs, position, stock, adaptation);
    if (draft.media.length > 0) {
      out.push(arrange('user', draft.turn, fitMedia(draft, adaptation)));
    }
  }
  return out;
}

function isCall(part: Part): part is CallPart {
  return part.kind === 'call';
}

/** A result and the turn that it came in. */
interface Found {
  readonly result: ResultPart;
  readonly draft: Draft;
}

/** Results, and what became of them. What there is nothing of is absent. */
interface Stock {
  /** By the id of their call, first come first. */
  readonly byId: ReadonlyMap<string, Found> | undefined;
  /** Results that went to their calls. */
  used: Set<ResultPart> | undefined;
  /** Ids of calls that the target cannot take. */
  readonly lost: ReadonlySet<string> | undefined;
}

function collectResults(drafts: readonly Draft[]): Stock {
  let byId: Map<string, Found> | undefined;
  let lost: Set<string> | undefined;
  for (const draft of drafts) {
    for (const id of draft.lostCalls) {
      lost ??= new Set();
      lost.add(id);
    }
    for (const result of draft.results) {
      byId ??= new Map();
      if (!byId.has(result.callId)) byId.set(result.callId, { result, draft });
    }
  }
  return { byId, used: undefined, lost };
}

/** The drafts of which something is left. Calls that a client split over several assistant turns are answered together. */
function joinAssistantRuns(drafts: readonly Draft[]): Draft[] {
  const out: Draft[] = [];
  for (const draft of drafts) {
    if (!hasContent(draft)) continue;
    const last = draft.role === 'assistant' ? out.at(-1) : undefined;
    if (last?.role !== 'assistant' || last.closed === true || !last.parts.some(isCall)) {
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
      run: [...(last.run ?? [last]), draft],
    };
  }
  return out;
}

/** What answers the calls of one run. */
interface Answers {
  /** Whose turn the results are told to be of. */
  turn: Turn | undefined;
  readonly results: Part[];
  /** What moved out of the results. */
  readonly extras: Part[];
}

/** Adds the results of the calls of the run at `position`. */
function addAnswers(
  out: Arranged[],
  calls: readonly CallPart[],
  runs: readonly Draft[],
  position: number,
  stock: Stock,
  adaptation: Adaptation,
): void {
  const answers: Answers = { turn: runs[position + 1]?.turn, results: [], extras: [] };
  findAnswers(answers, calls, runs, position, stock, adaptation);
  const { turn = runs[position]?.turn, results, extras } = answers;
  if (results.length === 0 || turn === undefined) return;
  out.push(arrange('user', turn, results, adaptation.rules.results !== 'nextUserTurn'));
  if (extras.length > 0) out.push(arrange('user', turn, extras));
}

function addAnswer({ results, extras }: Answers, result: ResultPart, call: CallPart, adaptation: Adaptation): void {
  const fitted = fitResult(result, call, adaptation);
  if (fitted === undefined) return;
  if ('kind' in fitted) {
    results.push(fitted);
    return;
  }
  const [first, ...rest] = fitted;
  if (first !== undefined) results.push(first);
  extras.push(...rest);
}

/** Looks for the results wherever they are, and makes up what is missing. */
function findAnswers(
  answers: Answers,
  calls: readonly CallPart[],
  runs: readonly Draft[],
  position: number,
  stock: Stock,
  adaptation: Adaptation,
): void {
  const next = runs[position + 1];
  const placed = resultsBehind(runs, position);
  let reached = -1;
  for (const call of calls) {
    const found = stock.byId?.get(call.callId);
    if (found === undefined) {
      answers.results.push(...missing(call, next, adaptation));
      continue;
    }
    stock.used ??= new Set();
    stock.used.add(found.result);
    const index = placed.indexOf(found.result);
    if (found.draft.role !== 'assistant' && index <= reached) {
      adaptation.context.losses.add(
        found.result,
        'result.place',
        'moved',
        'results directly follow their calls, in the order of the calls',
      );
    }
    reached = Math.max(reached, index);
    answers.turn ??= found.draft.turn;
    addAnswer(answers, found.result, call, adaptation);
  }
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
  context.losses.add(call, 'result.missing', 'invented', 'the call was interrupted; the target requires a result');
  const result: ResultPart = {
    kind: 'result',
    callId: call.callId,
    name: call.name,
    parts: [{ kind: 'text', text: rules.missingResult.text }],
    ...(rules.missingResult.isError && { isError: true }),
    src: { ptr: path },
  };
  return listFitted(fitResult(result, call, adaptation));
}

/** Adds what is left of a user's turn once its results have gone to their calls. */
function addRest(out: Arranged[], draft: Draft, stock: Stock, adaptation: Adaptation): void {
  const orphans: Part[] = [];
  for (const result of draft.results) {
    if (stock.used?.has(result) !== true) orphans.push(...orphan(result, stock, adaptation));
  }
  const parts = orphans.length === 0 ? draft.parts : [...orphans, ...draft.parts];
  if (parts.length > 0) out.push(arrange(draft.role, draft.turn, parts));
}

function orphan(result: ResultPart, stock: Stock, { rules, context }: Adaptation): readonly Part[] {
  const path = ptrOf(result);
  const id = result.callId;
  if (stock.lost?.has(id) === true) {
    context.losses.add(result, 'call.truncated', 'dropped', 'the result of a call that was cut');
    return [];
  }
  if (stock.byId?.get(id)?.result !== result) {
    context.losses.add(result, 'result.duplicate', 'dropped', 'the call has a result already');
    return [];
  }
  if (rules.orphanResult === 'refuse' || context.strict === true) {
    refusePart(result, `no tool call found for the output with call_id "${result.callId}"`);
  }
  context.losses.add(result, 'result.orphan', 'approximated', 'its call is not in the conversation; sent as text');
  const text = result.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const told = result.json === undefined ? text : JSON.stringify(result.json);
  return [{ kind: 'text', text: `Result of tool ${result.name ?? result.callId}: ${told}`, src: { ptr: path } }];
}

function fitMedia(draft: Draft, { rules, context }: Adaptation): readonly Part[] {
  return draft.media.flatMap((part) => listFitted(rules.fitPart(part, 'user', context)));
}
