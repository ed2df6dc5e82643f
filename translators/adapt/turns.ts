import type { CallPart, CompactionPart, MediaPart, Part, ResultPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import { ptrOf } from '../canonical/node.js';
import { resultOf } from '../canonical/parts.js';
import type { Turn } from '../canonical/request.js';
import type { Fitted, Speaker } from '../target/target.js';
import type { Adaptation } from './adaptation.js';
import { addFitted, fitEach, refusePart } from './fit.js';
import { type HostedRewrite, isAnswered, rewriteHosted } from './hosted.js';
import { dropForeign } from './losses.js';
import { aliasPart } from './names.js';
import { noteParts } from './notes.js';
import { joinSplitPairs } from './split-pairs.js';
import { restoreState, withoutTrailingReasoning } from './state.js';
import { renderSummary, unpackSummary } from './summary.js';
import { adaptEach } from './tools.js';

/** A turn whose parts the target can encode, with what belongs to it but is elsewhere. */
export interface Draft {
  readonly role: Turn['role'];
  readonly turn: Turn;
  readonly parts: readonly Part[];
  /** Results of the client, not fitted yet: pairing decides where they go. */
  readonly results: readonly ResultPart[];
  /** Those of the results that come behind other content of their turn. */
  readonly late?: ReadonlySet<ResultPart>;
  /** Media of an assistant turn that must be in the next user turn. */
  readonly media: readonly MediaPart[];
  /** Calls of the source that the target cannot take; their results go with them. */
  readonly lostCalls: readonly string[];
  /** Something of the hosted kind was left unanswered at the end. */
  readonly dangling: boolean;
  /** Its calls have their results with them, so that what follows comes behind those. */
  readonly closed?: boolean;
  /** The turns that it was joined of, because their calls are answered together. */
  readonly run?: readonly Draft[];
}

const NONE: readonly never[] = [];

/** Makes the parts of every turn encodable for the target, one turn at a time and without regrouping. */
export function draftTurns(adaptation: Adaptation): readonly Draft[] {
  const { request, contents, rules } = adaptation;
  for (const turn of request.turns) dropForeign(turn, rules.dialect, adaptation.context.losses);
  const drafts: Draft[] = [];
  for (const turn of contents.hosted ? joinSplitPairs(request.turns) : request.turns) {
    if (rules.textState === true) adaptation.seen.clear();
    if (turn.role === 'instruction') drafts.push(draftInstruction(turn, adaptation));
    else if (turn.role === 'user') drafts.push(draftUser(turn, adaptation));
    else draftAssistant(turn, adaptation, drafts);
  }
  // The cloud host refuses an empty text ([G §4.5]).
  const keeps = rules.emptyUser && adaptation.context.target.cloud !== true;
  return keeps ? withEmptyUser(drafts) : drafts;
}

/**
 * A user's empty text stays where it opens the conversation: clients send it when the instructions hold all ([R §2]), and
 * the services answer. It stays when more turns follow, so that the same turn always leads (translation.md 0.12).
 */
function withEmptyUser(drafts: readonly Draft[]): readonly Draft[] {
  const first = drafts.findIndex(
    (draft) =>
      draft.role !== 'instruction' &&
      (hasContent(draft) || (draft.role === 'user' && draft.turn.parts.some(isEmptyText))),
  );
  const draft = drafts[first];
  if (draft === undefined || hasContent(draft)) return drafts;
  return drafts.with(first, { ...draft, parts: draft.turn.parts.filter(isEmptyText).slice(0, 1) });
}

/** Whether anything of a turn is left. */
export function hasContent({ parts, results, media }: Draft): boolean {
  return parts.length > 0 || results.length > 0 || media.length > 0;
}

function isEmptyText(part: Part): boolean {
  return part.kind === 'text' && part.text === '';
}

function draftInstruction(turn: Turn, adaptation: Adaptation): Draft {
  const { rules, context } = adaptation;
  const native = rules.midInstructions === 'keep' || (rules.midInstructions === 'profile' && context.target.midSystem);
  const parts = fitAll(turn.parts, 'user', adaptation);
  const rest = { turn, results: NONE, media: NONE, lostCalls: NONE, dangling: false };
  if (native || parts.length === 0) return { role: turn.role, parts, ...rest };
  return { role: 'user', parts: noteParts(turn, parts, context.losses), ...rest };
}

function draftUser(turn: Turn, adaptation: Adaptation): Draft {
  const given = adaptation.ids.apply(turn.parts);
  let [results, parts]: [readonly ResultPart[], readonly Part[]] = [NONE, NONE];
  let late: Set<ResultPart> | undefined;
  // Most turns of the user hold results alone, or none.
  if (given.every(isResult)) results = given;
  else if (!given.some(isResult)) parts = fitAll(given, 'user', adaptation);
  else {
    const answers: ResultPart[] = [];
    const others: Part[] = [];
    for (const part of given) {
      if (part.kind !== 'result') {
        addFitted(others, fitOne(part, 'user', adaptation));
        continue;
      }
      answers.push(part);
      if (others.length > 0) {
        late ??= new Set();
        late.add(part);
      }
    }
    [results, parts] = [answers, others];
  }
  return { role: 'user', turn, parts, results, late, media: NONE, lostCalls: NONE, dangling: false, closed: false };
}

function isResult(part: Part): part is ResultPart {
  return part.kind === 'result';
}

function draftAssistant(turn: Turn, adaptation: Adaptation, drafts: Draft[]): void {
  const { contents, rules, context } = adaptation;
  const restored = restoreState(adaptation.ids.apply(turn.parts), adaptation);
  if (contents.hosted || (contents.media && !rules.assistantMedia)) {
    const stretches = contents.hosted
      ? rewriteHosted(restored, rules, context.losses)
      : [{ parts: restored, results: NONE, media: NONE }];
    for (const stretch of stretches) drafts.push(draftStretch(turn, stretch, adaptation));
    return;
  }
  const fitted = fitAll(restored, 'assistant', adaptation);
  drafts.push({
    role: 'assistant',
    turn,
    parts: withoutTrailingReasoning(fitted, rules, context.losses),
    results: NONE,
    late: undefined,
    media: NONE,
    lostCalls: lostCalls(restored, fitted),
    dangling: false,
    closed: false,
  });
}

/** The ids of the calls that are not among what became of them. */
function lostCalls(parts: readonly Part[], fitted: readonly Part[]): readonly string[] {
  if (fitted === parts || countCalls(fitted) === countCalls(parts)) return NONE;
  const kept = new Set(fitted.map((part) => (part.kind === 'call' ? part.callId : undefined)));
  return parts.flatMap((part) => (part.kind === 'call' && !kept.has(part.callId) ? [part.callId] : []));
}

function countCalls(parts: readonly Part[]): number {
  let count = 0;
  for (const { kind } of parts) if (kind === 'call') count += 1;
  return count;
}

/** A turn with hosted calls, or with media that may not stay in it. */
function draftStretch(turn: Turn, hosted: HostedRewrite, adaptation: Adaptation): Draft {
  const { rules, context } = adaptation;
  let media: MediaPart[] | undefined;
  let lostCalls: string[] | undefined;
  const kept: Part[] = [];
  for (const part of hosted.parts) {
    if (part.kind === 'media' && !rules.assistantMedia) {
      context.losses.add(part, 'part.media', 'moved', 'the image is moved to the next user turn');
      kept.push({ kind: 'text', text: '[generated image below]', src: part.src });
      media ??= [...hosted.media];
      media.push(part);
      continue;
    }
    const before = kept.length;
    addFitted(kept, fitOne(part, 'assistant', adaptation));
    if (part.kind === 'call' && kept.length === before) {
      lostCalls ??= [];
      lostCalls.push(part.callId);
    }
  }
  return {
    role: 'assistant',
    turn,
    parts: withoutTrailingReasoning(kept, rules, context.losses),
    results: hosted.results,
    late: undefined,
    media: media ?? hosted.media,
    lostCalls: lostCalls ?? NONE,
    dangling: turn.parts.at(-1)?.kind === 'hostedCall',
    closed: isAnswered(hosted),
  };
}

/** What became of each part, in one list: the very list where all stayed what they are. */
function fitAll(parts: readonly Part[], speaker: Speaker, adaptation: Adaptation): readonly Part[] {
  return fitEach(parts, (part) => fitOne(part, speaker, adaptation));
}

function fitOne(part: Part, speaker: Speaker, adaptation: Adaptation): Fitted {
  const ready = settle(part, adaptation);
  return ready === undefined ? undefined : adaptation.rules.fitPart(ready, speaker, adaptation.context);
}

/** Fits the result of a call; what moved out of it comes after it. */
export function fitResult(part: ResultPart, call: CallPart, adaptation: Adaptation): Fitted {
  const { rules, context } = adaptation;
  dropForeign(part, rules.dialect, context.losses);
  for (const child of part.parts) dropForeign(child, rules.dialect, context.losses);
  const isNamed = part.callId === call.callId && part.name === call.name && part.namespace === undefined;
  const fits = isNamed && (part.custom === true) === (call.freeform !== undefined);
  return rules.fitPart(fits ? part : resultOf(part, call), 'user', context);
}

/** Handles the kinds of part that no dialect but their own can encode; others pass under the target's names and ids. */
function settle(part: Part, adaptation: Adaptation): Part | undefined {
  const { rules, context } = adaptation;
  dropForeign(part, rules.dialect, context.losses);
  if (part.kind === 'textdoc' || part.kind === 'searchResult') {
    for (const child of part.parts) dropForeign(child, rules.dialect, context.losses);
  }
  switch (part.kind) {
    case 'call':
      if (part.fixedName === true) return part;
      return wrapped(aliased(part, adaptation), adaptation);
    case 'ref':
      throw new TranslationError('not_found', `item "${part.id}" is not stored here`, { path: ptrOf(part) });
    case 'compaction':
      return settleCompaction(part, adaptation);
    case 'approval':
      if (rules.approvals) return part;
      context.losses.add(part, 'part.approval', 'dropped', 'the target cannot ask for consent');
      return undefined;
    case 'toolChange':
      if (!rules.toolChanges) return undefined;
      return { ...part, added: adaptEach(part.added, rules, adaptation.names, context) };
    case 'handover':
      context.losses.add(part, 'part.handover', 'dropped', 'only supported by its own dialect');
      return undefined;
    case 'opaque':
      if (part.dialect === rules.dialect) return part;
      context.losses.add(part, 'part.opaque', 'dropped', `a ${part.type} part of the ${part.dialect} dialect`);
      return undefined;
    default:
      return part;
  }
}

/** A call under the target's name. The entry for a new name is at the tool, if it is declared (translation.md 2.7). */
function aliased(part: CallPart, { names, contents, rules, context }: Adaptation): CallPart {
  // Only calls that took the place of hosted ones have names that `names` has not learned.
  if (!names.changed && !contents.hosted) return part;
  const named = aliasPart(part, names, rules.namespaces);
  if (named.name === part.name) return named;
  if (!names.isDeclared(part.name, part.namespace))
    context.losses.add(part, 'call.name', 'moved', 'the tool is sent under another name');
  return named;
}

/** Earlier arguments are where the tool's schema, as it goes out, has them (translation.md 3.4). */
function wrapped(part: CallPart, adaptation: Adaptation): CallPart {
  if (!adaptation.wrapped.has(part.name)) return part;
  const { text, value } = part.args;
  return { ...part, args: { text: `{"value":${text ?? JSON.stringify(value ?? {})}}` } };
}

/** Our own summaries become a user's words; another vendor's ciphertext cannot be read by anyone else. */
function settleCompaction(part: CompactionPart, { rules, context, budget }: Adaptation): Part {
  const ptr = ptrOf(part);
  const summary = part.summary ?? (part.carrier === undefined ? undefined : unpackSummary(part.carrier, budget));
  if (summary !== undefined) {
    context.losses.add(part, 'part.compaction', 'moved', 'the summary is moved to a user turn');
    return { kind: 'text', text: renderSummary(summary), src: { ptr } };
  }
  if (part.state?.some((entry) => entry.dialect === rules.dialect)) return part;
  return refusePart(part, 'a compacted conversation can be read only by the service that created it');
}
