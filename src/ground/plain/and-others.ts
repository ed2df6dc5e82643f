/** Some of `all` names in a sentence, and how many there are beside them. */
export function andOthers(shown: readonly string[], all: number): string {
  const others = all - shown.length;
  return `${shown.join(', ')}${others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`}`;
}
