const NOTHING = /(?:)/;

/**
 * Matches nothing at all. V8 keeps the text that a process matched last (`RegExp.input`), and of a piece the whole that
 * it was cut from: without this, a process that has nothing to do holds an answer of four times its text.
 */
export function forgetLastMatch(): void {
  NOTHING.test('');
}
