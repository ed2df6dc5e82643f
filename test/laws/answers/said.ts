/** Whether a value in an answer says no more than its absence (translation.md 0.8). */
export function saysNothing(value: unknown): boolean {
  if (value === null || value === 0) return true;
  return typeof value === 'object' && Object.values(value).every(saysNothing);
}
