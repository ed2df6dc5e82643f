import type { Part } from '../../../translators/canonical/content.js';
import type { CanonicalError } from '../../../translators/canonical/errors.js';
import type { Finish } from '../../../translators/canonical/response.js';
import { known } from '../values.js';

/** A way to end, and what has to be so for the source to end in it. */
export interface Ending {
  readonly finish: Finish;
  readonly error?: CanonicalError;
  /** The answer holds nothing. */
  readonly empty?: boolean;
}

/** Words that may be told of an end. */
export interface EndWords {
  readonly sequence: string;
  readonly detail: string | undefined;
  readonly category: string | undefined;
}

/** How the wire of a dialect tells ends. */
export interface Endings {
  /** What is told of an end but a stop string. */
  readonly told: (base: Finish, words: EndWords) => Ending;
  /** The end that the dialect's own decoder reads for these parts (translation.md 5.2 rules 2 and 3). */
  readonly settled: (parts: readonly Part[], finish: Finish) => Finish;
}

function calls(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === 'call' && part.truncated !== true);
}

/** The words of all refusals, as those of one. */
function refusalIn(parts: readonly Part[]): string | undefined {
  const refusals = parts.filter((part) => part.kind === 'refusal');
  return refusals.length === 0 ? undefined : refusals.map(({ text }) => text).join('');
}

/** Ends of which a refusal has details, and calls a word of their own [M §4.2]. */
export const messageEndings: Endings = {
  told: (base, { detail, category }) => ({
    finish: base.kind === 'refusal' ? known({ ...base, detail, category }) : base,
    empty: base.kind === 'prompt_blocked' || base.kind === 'malformed_call',
  }),
  settled: (parts, finish) =>
    finish.kind === 'end' && calls(parts) ? { ...finish, kind: 'tool_use', raw: 'tool_use' } : finish,
};

/** Ends that are read from the status and from the items [R §4.5]. */
export const responseEndings: Endings = {
  told: (base, { sequence }) => {
    if (base.kind === 'failed') {
      const error = { kind: 'internal', message: sequence, code: base.raw } as const;
      return { finish: { ...base, detail: sequence }, error };
    }
    const told = base.kind === 'context_window' || base.kind === 'prompt_blocked';
    return { finish: told ? { ...base, detail: sequence } : base, empty: base.kind === 'prompt_blocked' };
  },
  settled: (parts, finish) => {
    if (finish.kind !== 'end') return finish;
    const detail = refusalIn(parts);
    if (detail !== undefined) return { ...finish, kind: 'refusal', detail };
    if (calls(parts)) return { ...finish, kind: 'tool_use' };
    return parts.at(-1)?.kind === 'compaction' ? { ...finish, kind: 'compaction' } : finish;
  },
};

/** Ends that may each have a detail, and of which none is one for calls [G §5.2]. */
export const candidateEndings: Endings = {
  told: (base, { detail }) => ({ finish: known({ ...base, detail }), empty: base.kind === 'prompt_blocked' }),
  settled: (parts, finish) => (finish.kind === 'end' && calls(parts) ? { ...finish, kind: 'tool_use' } : finish),
};

/** Ends in one word each, a refusal in words beside the text [H §6.2]. */
export const choiceEndings: Endings = {
  told: (base) => ({ finish: base, empty: base.kind === 'prompt_blocked' }),
  settled: (parts, finish) => {
    if (finish.kind !== 'end') return finish;
    const detail = refusalIn(parts);
    if (detail !== undefined) return { ...finish, kind: 'refusal', detail };
    return calls(parts) ? { ...finish, kind: 'tool_use' } : finish;
  },
};
