import type { Effort } from '../canonical/request.js';

/** Efforts ascending with the budget that is written for each and the first budget that is read as each (translation.md 2.12). */
const LEVELS: readonly { readonly effort: Effort; readonly budget: number; readonly from: number }[] = [
  { effort: 'minimal', budget: 1024, from: 1 },
  { effort: 'low', budget: 2048, from: 1536 },
  { effort: 'medium', budget: 8192, from: 4096 },
  { effort: 'high', budget: 24576, from: 16384 },
  { effort: 'xhigh', budget: 32768, from: 28672 },
  { effort: 'max', budget: 65536, from: 49152 },
];

/** All efforts, ascending. */
export const EFFORTS: readonly Effort[] = LEVELS.map(({ effort }) => effort);

/** The budget in tokens that expresses an effort. */
export function budgetOf(effort: Effort): number {
  return LEVELS.find((level) => level.effort === effort)?.budget ?? 8192;
}

/** The effort that a budget of `tokens` (>= 1) is read as. */
export function effortOf(tokens: number): Effort {
  let found: Effort = 'minimal';
  for (const level of LEVELS) if (tokens >= level.from) found = level.effort;
  return found;
}

/** The supported effort nearest to `wanted`; on a tie the one nearer to `preferred`. undefined when none is supported. */
export function nearestEffort(wanted: Effort, supported: readonly Effort[], preferred?: Effort): Effort | undefined {
  const rank = (effort: Effort): number => LEVELS.findIndex((level) => level.effort === effort);
  const target = rank(wanted);
  const home = preferred === undefined ? target : rank(preferred);
  let best: Effort | undefined;
  for (const effort of supported) {
    if (best === undefined) {
      best = effort;
      continue;
    }
    const nearer = Math.abs(rank(effort) - target) - Math.abs(rank(best) - target);
    if (nearer < 0 || (nearer === 0 && Math.abs(rank(effort) - home) < Math.abs(rank(best) - home))) best = effort;
  }
  return best;
}

/** Whether a word of the wire is an effort. */
export function isEffort(word: unknown): word is Effort {
  return LEVELS.some((level) => level.effort === word);
}
