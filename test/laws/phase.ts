import type { Part } from '../../translators/canonical/content.js';

/** The phase of a part as far as it says something: a final answer is what every text is elsewhere (translation.md 0.8). */
export function phaseOf({ phase }: Part): string | undefined {
  return phase === 'final_answer' ? undefined : phase;
}
