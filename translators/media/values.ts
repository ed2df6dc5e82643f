/** `60`, `"60"` and `"60%"` as 60. */
export function percentOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value.replace(/%$/, '')) : value;
  return typeof number === 'number' && number >= 0 && number <= 100 ? Math.round(number) : undefined;
}

/** A number of seconds as text, given as either. */
export function decimalOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return String(value);
  return typeof value === 'string' && /^\d{1,6}(?:\.\d{1,6})?$/.test(value) ? value : undefined;
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A member that is there when its value is known. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
