/** The names of all dialects. A new one is a folder, a word here, and a line in `dialects.ts`. */
export const dialectIds = ['messages', 'responses', 'generateContent', 'chatCompletions'] as const;

/** The name of a dialect. */
export type DialectId = (typeof dialectIds)[number];

/** Whether a word is the id of a dialect. */
export function isDialectId(word: unknown): word is DialectId {
  return dialectIds.some((id) => id === word);
}
