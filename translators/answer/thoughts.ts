import type { ReasoningPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { StateEntry } from '../canonical/state.js';
import type { Delta, Writing } from './writer.js';

/** Between what the source has apart and one text holds. */
export const PARAGRAPH = '\n\n';

/** Marks a thought whose issuer gave no state, so that it is known as foreign when it comes back. */
export const NO_STATE: StateEntry = { dialect: 'none', domain: 'none', kind: 'none', payload: '' };

/** One carrier names one issuer: entries that only mark missing state take the domain of the others. */
export function oneIssuer(entries: readonly StateEntry[]): readonly StateEntry[] {
  const issuer = entries.find((entry) => entry.kind !== 'none') ?? entries[0];
  if (issuer === undefined) return entries;
  const { dialect, domain } = issuer;
  return entries.map((entry) => (entry.kind === 'none' ? { ...entry, dialect, domain } : entry));
}

/** The paragraphs that are shown of a thought: its summary, else its full text. */
export function shownThoughts({ text, raw = [] }: ReasoningPart): readonly string[] {
  const summary = text.filter(isShown);
  return summary.length > 0 ? summary : raw.filter(isShown);
}

/** Reports the full text of a thought that its summary replaces. */
export function reportThoughts(part: ReasoningPart, losses: Losses): void {
  if (part.text.some(isShown) && part.raw?.some(isShown) === true)
    losses.add(part, 'reasoning.text', 'dropped', 'the summary is sent instead of the full text');
}

function isShown(text: string): boolean {
  return text !== '';
}

/**
 * What a delta adds to a thought that is shown as one text; undefined for the text of the two that is not shown.
 * `behind`: other thoughts stand in that text already.
 */
export function shownPiece(writing: Writing, { op, value, sub = 0 }: Delta, behind = false): string | undefined {
  writing.channel ??= op;
  if (writing.channel !== op) return undefined;
  const isNew = writing.opened ? sub !== writing.paragraph : behind;
  writing.paragraph = sub;
  return isNew ? PARAGRAPH + value : value;
}
