import type { Turn } from '../canonical/request.js';

/**
 * The turns of a conversation, those of the assistant joined that are between a hosted call and its result: some
 * clients keep every piece of an answer as a turn of its own. Other turns stay apart. The same list where no pair is split.
 */
export function joinSplitPairs(turns: readonly Turn[]): readonly Turn[] {
  const ends = lastOfPairs(turns);
  if (ends.size === 0) return turns;
  const out: Turn[] = [];
  for (let at = 0; at < turns.length; at += 1) {
    const turn = turns[at];
    if (turn === undefined) continue;
    const parts = [...turn.parts];
    for (let end = ends.get(at) ?? at; at < end; ) {
      at += 1;
      for (const part of turns[at]?.parts ?? []) parts.push(part);
      end = Math.max(end, ends.get(at) ?? at);
    }
    out.push({ ...turn, parts });
  }
  return out;
}

/** By the place of a turn, that of the last turn behind it in its run that answers one of its hosted calls. */
function lastOfPairs(turns: readonly Turn[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let calls = new Map<string, number>();
  turns.forEach((turn, at) => {
    if (turn.role !== 'assistant') {
      calls = new Map();
      return;
    }
    for (const part of turn.parts) {
      if (part.kind === 'hostedCall') calls.set(part.callId, at);
      const from = part.kind === 'hostedResult' ? calls.get(part.callId) : undefined;
      if (from !== undefined && from < at) ends.set(from, at);
    }
  });
  return ends;
}
