import { createPackedBuffer } from './packed-buffer.js';

/** What was written so far of a text that grows. */
export type AppendedText = {
  /** Its length in UTF-16 code units. */
  readonly length: number;
  add(text: string): void;
  read(): string;
};

/**
 * An empty text. Where `said` gives a text that begins with all that will be added, only a length is stored here, so that a text
 * that passes several stages is in memory once.
 */
export function createAppendedText(said?: () => string): AppendedText {
  if (said === undefined) return createPackedBuffer();
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
export function completeText(text: string): AppendedText {
  const written = createAppendedText(() => text);
  written.add(text);
  return written;
}
