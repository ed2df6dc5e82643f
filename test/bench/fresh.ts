/** Where a body has it, each copy has a number of its own. */
export const MARK = '000000000000';

/**
 * Bytes as they arrive: each call gives a copy of its own, with another number in the place of each {@link MARK}, so that nothing
 * that is remembered of objects, of strings or of a whole body makes the next call cheaper.
 */
export function freshBytes(text: string): () => Uint8Array {
  const bytes = Buffer.from(text);
  const places: number[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) places.push(at);
  if (places.length === 0) throw new Error('the body has no place for a number');
  let count = 0;
  return () => {
    count += 1;
    const copy = Buffer.from(bytes);
    const number = String(count).padStart(MARK.length, '0');
    for (const at of places) copy.write(number, at, 'latin1');
    return copy;
  };
}
