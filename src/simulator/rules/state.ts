/** What became of opaque state that a caller sent back. */
export type StateVerdict = 'valid' | 'forged' | 'altered';

/** Issues opaque reasoning state and knows it again. */
export interface StateKeeper {
  /** A token for `binding`, the thing it must stay attached to. Standard base64. */
  issue(binding: string): string;
  /** `forged`: not issued here. `altered`: issued here for another binding. Without a binding only the origin is checked. */
  check(token: string, binding?: string): StateVerdict;
}
