/** Whether a name fits a pattern: equal, or equal up to the pattern's trailing `*`. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** What the `*` of a pattern matched in a name that fits it; '' for patterns without one. */
export function starOf(pattern: string, name: string): string {
  return pattern.endsWith('*') ? name.slice(pattern.length - 1) : '';
}
