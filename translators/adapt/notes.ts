import type { Part, TextPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';

/** An instruction in mid-history as a marked note of the user, for its own place (translation.md 2.3). */
export function noteParts(parts: readonly Part[], ptr: string, losses: Losses): Part[] {
  losses.add(ptr, 'instruction.place', 'approximated', 'a later instruction became a marked note in a user turn');
  return parts.map((part) => (part.kind === 'text' ? { ...part, text: note(part.text) } : part));
}

/** One leading instruction as a marked note, for targets without a field for it. */
export function notePart(text: string, ptr: string): TextPart {
  return { kind: 'text', text: note(text), src: { ptr } };
}

function note(text: string): string {
  return `<system_note>\n${text}\n</system_note>`;
}
