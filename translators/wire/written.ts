import { createPieces } from './pieces.js';

/** What was written so far of a text that grows. */
export type Written = {
  /** Its length in UTF-16 code units. */
  readonly length: number;
  add(text: string): void;
  read(): string;
};

/**
 * Nothing written yet. Where `said` gives a text of which all that will be added is the beginning, only a length is kept
 * here, so that a text that passes several stages is held once.
 */
export function createWritten(said?: () => string): Written {
  if (said === undefined) return createPieces();
  const written = {
    length: 0,
    add(text: string): void {
      written.length += text.length;
    },
    read: () => said().slice(0, written.length),
  };
  return written;
}

/** A text that was written and will not grow. */
export function wholly(text: string): Written {
  const written = createWritten(() => text);
  written.add(text);
  return written;
}
