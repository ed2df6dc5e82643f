/** A text in stretches, some of them in UTF-8 already. */
export type Parts = readonly (string | Uint8Array)[];

/** One value to keep: plain JSON, or what that is printed as. */
export type Entry = { readonly key: string } & ({ readonly value: unknown } | { readonly json: Parts });

/** The text of its stretches. */
export function joined(parts: Parts): string {
  return parts.map((part) => (typeof part === 'string' ? part : UTF8.decode(part))).join('');
}

const UTF8 = /* @__PURE__ */ new TextDecoder();

/** A value as it was found. */
export interface Found {
  readonly value: unknown;
  /** As stored, in UTF-8. */
  readonly bytes: number;
}

/**
 * Values by key, kept for a while: the one way in which anything outlives an exchange. Areas of one storage share
 * nothing but the place. Keys are up to 512 bytes of printable ASCII.
 */
export interface Store {
  /** The values of `keys`, in their order; undefined for what is unknown or has expired. Others run between large ones. */
  get(keys: readonly string[]): Promise<readonly unknown[]>;
  /** The same with their sizes. */
  find(keys: readonly string[]): Promise<readonly (Found | undefined)[]>;
  /**
   * Keeps all entries, or rejects. Once it resolves they are seen by every process that shares the storage and survive
   * the death of this one. Each entry replaces what its key had, and lives for the area's time from now.
   */
  set(entries: readonly Entry[]): Promise<void>;
  /** Forgets; unknown keys are no mistake. */
  delete(keys: readonly string[]): Promise<void>;
}
