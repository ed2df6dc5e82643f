/**
 * Tokens of a text. The simulator's token is a word: anything between white space. Only the last letter of each is
 * looked for: `\S+` takes a place on a stack of V8 for each letter, which 16 million fill, once a process holds so much
 * compiled code that V8 no longer optimises its patterns.
 */
export function countTokens(text: string): number {
  return text.match(/\S(?!\S)/g)?.length ?? 0;
}

/** The beginning of a text that holds its first `limit` tokens. */
export function firstTokens(text: string, limit: number): string {
  if (limit <= 0) return '';
  const words = text.match(/(?<!\s)\s*\S+/g) ?? [];
  return words.length <= limit ? text : words.slice(0, limit).join('');
}

const LONGEST_WORD = 24;
const WORDS_PER_DELTA = 3;

/** Cuts a text into the deltas of a stream, each of a few words; joined they are the text. Surrogate pairs stay whole. */
export function cutIntoDeltas(text: string): string[] {
  const words = (text.match(/(?<!\s)\s*\S+|(?<!\s)\s+$/g) ?? []).flatMap((word) =>
    word.length > LONGEST_WORD ? cutByLength(word, LONGEST_WORD) : [word],
  );
  const deltas: string[] = [];
  for (let at = 0; at < words.length; at += WORDS_PER_DELTA)
    deltas.push(words.slice(at, at + WORDS_PER_DELTA).join(''));
  return deltas;
}

/** Cuts a text into pieces of `length` code points; joined they are the text. */
export function cutByLength(text: string, length: number): string[] {
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += length) pieces.push(points.slice(at, at + length).join(''));
  return pieces;
}
