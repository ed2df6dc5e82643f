import type { Part } from '../canonical/content.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { INFLATION_LIMIT } from '../wire/carrier.js';
import type { Adaptation } from './adaptation.js';
import { mergeTurns, requireUser, settleEnds } from './ends.js';
import { assignCallIds, MINTED } from './ids.js';
import { seedTurn, splitInstructions } from './instructions.js';
import { dropForeign } from './losses.js';
import { createNames } from './names.js';
import { noteParts } from './notes.js';
import { type Arranged, pairResults } from './pairing.js';
import type { TargetRules } from './rules.js';
import { adaptToolChoice, adaptTools } from './tools.js';
import { draftTurns } from './turns.js';

export type { HostedHistory, Place, TargetRules } from './rules.js';

/**
 * Arranges a request of another dialect for a target: names, ids, opaque state, hosted history, pairing of calls and
 * results, order and ends of the turns (translation.md 2.3 to 2.8, 4.4). What it returns the target's printer can
 * print part by part. Requests of the target's own dialect are returned as they are. Losses go to the context; throws
 * TranslationError `unsupported` where the translation would be wrong rather than poorer.
 */
export function adaptRequest(
  request: CanonicalRequest,
  rules: TargetRules,
  context: EncodeRequestContext,
): CanonicalRequest {
  if (request.source === rules.dialect) return request;
  dropForeign(request, rules.dialect, context.losses);
  const names = createNames(request, rules);
  const ids = assignCallIds(request, rules.callIds, context.losses);
  const budget = { left: INFLATION_LIMIT };
  const adaptation: Adaptation = { request, rules, context, names, ids, budget };
  const tools = adaptTools(request, rules, names, context);
  const leading = splitInstructions(request, adaptation);
  const drafts = draftTurns(adaptation);
  const paired = withLeading(pairResults(drafts, adaptation), leading.moved, request, adaptation);
  requireUser(paired, request.at?.turns ?? '');
  const arranged = settleEnds(
    placeInstructions(mergeTurns(paired, adaptation), adaptation),
    drafts.at(-1)?.dangling === true,
    adaptation,
  );
  return {
    ...request,
    ext: undefined,
    instructions: leading.instructions,
    turns: arranged.map((turn) => finished(turn, rules, context)),
    tools,
    toolChoice: adaptToolChoice(request.toolChoice, tools, rules, names),
  };
}

function withLeading(
  turns: Arranged[],
  moved: readonly Part[],
  request: CanonicalRequest,
  adaptation: Adaptation,
): Arranged[] {
  if (!turns.some((turn) => turn.role !== 'instruction')) {
    const seed = seedTurn(request, adaptation);
    if (seed !== undefined) turns.push(seed);
  }
  if (moved.length === 0) return turns;
  const place = turns.findIndex((turn) => turn.role === 'user' && !turn.pure);
  const host = turns[place];
  if (host === undefined) {
    const first = turns[0]?.turn ?? { role: 'user', parts: [] };
    return [{ role: 'user', turn: first, parts: moved, pure: false }, ...turns];
  }
  turns[place] = { ...host, parts: [...moved, ...host.parts] };
  return turns;
}

/**
 * Keeps instruction turns where a target allows them: behind a user turn, and before an assistant's or at the end
 * ([M §3.8]). Others become notes. Read from the end, because a note is a user's turn for the instruction before it.
 */
function placeInstructions(turns: readonly Arranged[], adaptation: Adaptation): Arranged[] {
  if (adaptation.rules.midInstructions !== 'profile') return [...turns];
  const out: Arranged[] = [];
  let beforeUser = false;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined) continue;
    if (turn.role !== 'instruction') {
      beforeUser = turn.role === 'user';
      out.push(turn);
      continue;
    }
    if (!beforeUser && speakerBefore(turns, index) === 'user') {
      out.push(turn);
      continue;
    }
    const parts = noteParts(turn.parts, turn.turn.src?.ptr ?? '', adaptation.context.losses);
    out.push({ ...turn, role: 'user', parts });
    beforeUser = true;
  }
  return mergeTurns(out.reverse(), adaptation);
}

function speakerBefore(turns: readonly Arranged[], index: number): Turn['role'] | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const role = turns[at]?.role;
    if (role !== 'instruction') return role;
  }
  return undefined;
}

function finished(arranged: Arranged, rules: TargetRules, context: EncodeRequestContext): Turn {
  const hides = (id: string): boolean =>
    rules.hidesMintedIds && (id.startsWith(MINTED) || !context.profile.functionIds);
  const parts = arranged.parts.map((part) =>
    (part.kind === 'call' || part.kind === 'result') && hides(part.callId) ? { ...part, callId: '' } : part,
  );
  return {
    role: arranged.role,
    ...(arranged.role === 'instruction' && { authority: arranged.turn.authority }),
    parts,
    src: arranged.turn.src,
  };
}
