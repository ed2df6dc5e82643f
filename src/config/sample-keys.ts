import { createHash } from 'node:crypto';

/** Digests of the values that a key has which was never set (hardening.md row 18). */
const NOTHING: ReadonlySet<string> = new Set(
  ['', ' ', '\n', 'undefined', 'null', 'none', '""', "''"].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  ),
);

/** Whether a digest, in lower-case hex, is that of no key at all. */
export function isDigestOfNothing(sha256: string): boolean {
  return NOTHING.has(sha256);
}
