/** What `x-interlingua-losses` says: `N;minor=M`. */
export interface LossCounts {
  /** Losses that strict would count. */
  readonly counted: number;
  readonly minor: number;
}

/** Reads the header; throws for any other form. */
export function lossCounts(header: unknown): LossCounts {
  const [, counted, minor] = /^(\d+);minor=(\d+)$/.exec(String(header)) ?? [];
  if (counted === undefined || minor === undefined) throw new Error(`no count of losses: ${header}`);
  return { counted: Number(counted), minor: Number(minor) };
}
