import type { Ending } from './exchange.js';
import { type Finding, judge } from './verdict.js';

/** Counts of a run, and the first of what was wrong in it. */
export interface Tally {
  readonly total: number;
  readonly good: number;
  readonly refused: number;
  readonly left: number;
  readonly findings: Readonly<Partial<Record<Finding, number>>>;
  /** Findings by the status or the fault of the connection. */
  readonly causes: Readonly<Record<string, number>>;
  /** The first few findings in words. */
  readonly examples: readonly string[];
  add(ending: Ending): void;
}

const EXAMPLES = 12;

export function createTally(): Tally {
  const counts = { total: 0, good: 0, refused: 0, left: 0 };
  const findings: Partial<Record<Finding, number>> = {};
  const causes: Record<string, number> = {};
  const examples: string[] = [];
  return {
    get total() {
      return counts.total;
    },
    get good() {
      return counts.good;
    },
    get refused() {
      return counts.refused;
    },
    get left() {
      return counts.left;
    },
    findings,
    causes,
    examples,
    add(ending) {
      counts.total += 1;
      if (ending.left) counts.left += 1;
      else if (ending.errand.order.trouble === undefined) counts.good += 1;
      else counts.refused += 1;
      const verdict = judge(ending);
      if (verdict === undefined) return;
      findings[verdict.finding] = (findings[verdict.finding] ?? 0) + 1;
      const cause = ending.error ?? String(ending.status);
      causes[cause] = (causes[cause] ?? 0) + 1;
      if (examples.length < EXAMPLES) examples.push(`${verdict.finding}: ${verdict.why}`);
    },
  };
}
