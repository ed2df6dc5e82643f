/** Placeholders of examples, to be replaced by a key of one's own. */
const PLACEHOLDER =
  /your[-_ .]?(?:own[-_ .]?)?(?:api|secret|gateway|team|access)?[-_ .]?(?:key|token|secret)|change[-_ .]?(?:me|this|it)\b|replace[-_ .]?(?:me|this|with)\b|insert[-_ .]?(?:your|key)|<[^<>]*>|\$\{|\.\.\.$/i;

/** Whether a key is one that documents show and everybody knows, and no secret (hardening.md row 19). */
export function isSampleKey(key: string): boolean {
  return PLACEHOLDER.test(key);
}
