/** So many bytes that several keys share. */
export interface Budget {
  /** As much as one key may hold; of a caller that shares with nobody, all. */
  share(key: string | undefined): number;
  /** Whether the key's share has room for so many more. */
  fitsShare(key: string | undefined, bytes: number): boolean;
  /** Whether both the share and the whole have room for so many more. */
  fits(key: string | undefined, bytes: number): boolean;
  take(key: string | undefined, bytes: number): void;
  free(key: string | undefined, bytes: number): void;
}

/** One of several keys may hold half of it. Counts in whole bytes. */
export function createBudget(bytes: number): Budget {
  const most = Math.floor(bytes);
  const held = new Map<string | undefined, number>();
  let all = 0;
  const heldBy = (key: string | undefined): number => held.get(key) ?? 0;
  const share = (key: string | undefined): number => (key === undefined ? most : Math.floor(most / 2));
  const add = (key: string | undefined, more: number): void => {
    all += more;
    const own = heldBy(key) + more;
    if (own > 0) held.set(key, own);
    else held.delete(key);
  };
  const fitsShare = (key: string | undefined, more: number): boolean => heldBy(key) + more <= share(key);
  return {
    share,
    fitsShare,
    fits: (key, more) => fitsShare(key, more) && all + more <= most,
    take: add,
    free: (key, less) => add(key, -less),
  };
}
