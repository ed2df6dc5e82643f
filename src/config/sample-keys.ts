import { createHash } from 'node:crypto';

/** Placeholders of examples, to be replaced by a key of one's own. */
const PLACEHOLDER =
  /your[-_ .]?(?:own[-_ .]?)?(?:api|secret|gateway|team|access)?[-_ .]?(?:key|token|secret)|change[-_ .]?(?:me|this|it)\b|replace[-_ .]?(?:me|this|with)\b|insert[-_ .]?(?:your|key)|<[^>]*>|\$\{|\.\.\.$/i;

/** Whether a key is one that documents show and everybody knows, and no secret (hardening.md row 19). */
export function isSampleKey(key: string): boolean {
  return PLACEHOLDER.test(key);
}

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
