/** A value as text, keys sorted, with what JSON cannot say told apart: equal values and no others give equal texts. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .map(([key, held]) => `${JSON.stringify(key)}:${stable(held)}`);
    return `{${fields.sort().join(',')}}`;
  }
  // -0 is 0 to every reader of JSON; infinities are not null.
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  return JSON.stringify(value) ?? 'undefined';
}

/** Whether two values are the same. */
export function same(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}
