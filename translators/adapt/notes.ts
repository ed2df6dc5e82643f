import type { Part } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { Turn } from '../canonical/request.js';

/** An instruction in mid-history as a marked note of the user, for its own place (translation.md 2.3). */
export function noteParts(turn: Turn, parts: readonly Part[], losses: Losses): Part[] {
  losses.add(
    turn,
    'instruction.place',
    'approximated',
    'an instruction within the history is sent as a marked note in a user turn',
  );
  return parts.map((part) => (part.kind === 'text' ? { ...part, text: noteText(part.text) } : part));
}

/** The text of a marked note. */
export function noteText(text: string): string {
  return `<system_note>${text}</system_note>`;
}

const STAND_INS = /^(?:\[generated image below\]$|Ran code:\n|<conversation_summary>)/;
/** Their first characters: comparing one takes a tenth of the time of the expression. */
const BEGINNINGS = '[R<';

/** Whether a text of the assistant is in the place of a picture, of code that ran or of a summary, and not its own words. */
export function isStandIn(text: string): boolean {
  return BEGINNINGS.includes(text.charAt(0)) && STAND_INS.test(text);
}
