import type { Part } from '../canonical/content.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';
import { INFLATION_LIMIT } from '../wire/carrier.js';
import type { Adaptation } from './adaptation.js';
import { adaptClientTools } from './client-tools/index.js';
import { contentsOf } from './contents.js';
import { isEmpty, mergeTurns, requireUser, settleEnds } from './ends.js';
import { withHostMedia } from './host/index.js';
import { assignCallIds, isMinted } from './ids.js';
import { seedTurn, splitInstructions, withoutCountedLine } from './instructions.js';
import { dropForeign } from './losses.js';
import { createNames } from './names.js';
import { noteParts } from './notes.js';
import { type Arranged, arrange, pairResults } from './pairing.js';
import { nameTruePictures } from './pictures.js';
import { refuseStoredState } from './stored-state.js';
import { adaptToolChoice, adaptTools, wrappedTools } from './tools.js';
import { draftTurns } from './turns.js';

/**
 * Arranges a request of another dialect for a target: names, ids, opaque state, hosted history, pairing of calls and
 * results, order and ends of the turns (translation.md 2.3 to 2.8, 4.4). What it returns the target's encoder can
 * encode part by part. Requests of the target's own dialect are returned as they are. Losses go to the context; throws
 * TranslationError `unsupported` where the translation would be wrong rather than poorer.
 */
export function adaptRequest(given: CanonicalRequest, context: EncodeRequestContext): CanonicalRequest {
  if (given.source === context.target.rules.dialect) return given;
  refuseStoredState(given);
  const { rules } = context.target;
  const contents = contentsOf(given.turns);
  const plain = withoutCountedLine(nameTruePictures(given, contents, context), context.losses);
  const request = adaptClientTools(withHostMedia(plain, context), contents, rules, context);
  dropForeign(request, rules.dialect, context.losses);
  const names = createNames(request, rules);
  const ids = assignCallIds(request, rules.callIds, context.losses);
  const tools = adaptTools(request, contents, rules, names, context);
  const wrapped = wrappedTools(tools, rules);
  const budget = { left: INFLATION_LIMIT };
  const adaptation: Adaptation = { request, contents, rules, context, names, ids, wrapped, budget, seen: new Set() };
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
    turns: rules.hidesMintedIds ? withoutMinted(arranged, context) : arranged,
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
  // In front even of an assistant's turn: its place must not depend on later turns.
  const [host, ...rest] = turns;
  if (host?.role === 'user' && !host.pure) {
    return [{ ...host, parts: isEmpty(host) ? moved : [...moved, ...host.parts] }, ...rest];
  }
  const turn = host?.turn ?? { role: 'user', parts: [] };
  return [arrange('user', turn, moved), ...turns];
}

/**
 * Keeps instruction turns where a target allows them: behind a user turn, and before an assistant's or at the end
 * ([M §3.8]). Others become notes. Read from the end, because a note is a user's turn for the instruction before it.
 */
function placeInstructions(turns: readonly Arranged[], adaptation: Adaptation): readonly Arranged[] {
  const places = adaptation.rules.midInstructions === 'profile' && turns.some(({ role }) => role === 'instruction');
  if (!places) return turns;
  const out: Arranged[] = [];
  const speakers = speakersBefore(turns);
  let beforeUser = false;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined) continue;
    if (turn.role !== 'instruction') {
      beforeUser = turn.role === 'user';
      out.push(turn);
      continue;
    }
    if (!beforeUser && speakers[index] === 'user') {
      out.push(turn);
      continue;
    }
    out.push(arrange('user', turn.turn, noteParts(turn.turn, turn.parts, adaptation.context.losses), turn.pure));
    beforeUser = true;
  }
  return mergeTurns(out.reverse(), adaptation);
}

/** For each turn, who spoke last before it. */
function speakersBefore(turns: readonly Arranged[]): (Turn['role'] | undefined)[] {
  let speaker: Turn['role'] | undefined;
  return turns.map(({ role }) => {
    const before = speaker;
    if (role !== 'instruction') speaker = role;
    return before;
  });
}

/** Ids that nobody but us knows are left out; where the profile knows no ids, all are (translation.md 2.7 rule 6). */
function withoutMinted(turns: readonly Turn[], { target }: EncodeRequestContext): readonly Turn[] {
  const hides = (part: Part): boolean =>
    (part.kind === 'call' || part.kind === 'result') && (!target.functionIds || isMinted(part.callId));
  return turns.map((turn) =>
    turn.parts.some(hides)
      ? { ...turn, parts: turn.parts.map((part) => (hides(part) ? { ...part, callId: '' } : part)) }
      : turn,
  );
}
