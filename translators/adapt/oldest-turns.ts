import type { Turn } from '../canonical/request.js';

/**
 * Where a history may begin when its oldest turns are left out: places of user turns, in ascending order, in front of which there is no
 * call whose result comes behind (translation 2.2). The first turn and what follows the last user turn are none.
 */
export function laterBeginnings(turns: readonly Turn[]): readonly number[] {
  const answered = lastResults(turns);
  const places: number[] = [];
  /** The last place at which something in front is answered. */
  let reach = -1;
  turns.forEach((turn, index) => {
    const asks = turn.role === 'user' && turn.parts.some(({ kind }) => kind !== 'result');
    if (index > 0 && asks && reach < index) places.push(index);
    for (const part of turn.parts) {
      if (part.kind === 'call' || part.kind === 'hostedCall') reach = Math.max(reach, answered.get(part.callId) ?? -1);
    }
  });
  return places;
}

/** The last turn that holds a result of each call. */
function lastResults(turns: readonly Turn[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  turns.forEach((turn, index) => {
    for (const part of turn.parts) {
      if (part.kind === 'result' || part.kind === 'hostedResult') found.set(part.callId, index);
    }
  });
  return found;
}
