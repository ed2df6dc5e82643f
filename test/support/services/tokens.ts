/** Tokens of a text: the words between white space. `\S+` needs a stack where V8 does not optimise it: 16 million letters fill it. */
export function countTokens(text: string): number {
  return text.match(/\S(?!\S)/g)?.length ?? 0;
}

const LONGEST_WORD = 24;

/** Cuts a text into the deltas of a stream, each of a few words; joined they are the text. Surrogate pairs stay whole. */
export function cutIntoDeltas(text: string, wordsPerDelta = 3): string[] {
  const words = (text.match(/(?<!\s)\s*\S+|(?<!\s)\s+$/g) ?? []).flatMap((word) =>
    word.length > LONGEST_WORD ? cutByLength(word, LONGEST_WORD) : [word],
  );
  const deltas: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerDelta) deltas.push(words.slice(at, at + wordsPerDelta).join(''));
  return deltas;
}

/** Cuts a text into pieces of `length` code points; joined they are the text. */
export function cutByLength(text: string, length: number): string[] {
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += length) pieces.push(points.slice(at, at + length).join(''));
  return pieces;
}
