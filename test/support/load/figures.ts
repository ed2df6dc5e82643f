/** The value below which so large a share of the values lies; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Theil and Sen's slope of y over x: the median of the slopes of all pairs, which a few wild points do not move. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).flatMap(([later, value]) => (later === x ? [] : [(value - y) / (later - x)])),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

/** A number with few digits, for people. */
export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** Writes what a run measured as one line of JSON. */
export function tellFigures(run: string, figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ run, ...figures })}\n`);
}

/** A setting of a long run: a positive number from the environment, else the short form. */
export function setting(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a positive number`);
  return value;
}
