/** Pairs of the longest common subsequence of two lists by weight; a weight of 0 means that two things are not the same. */
export function align<T>(
  xs: readonly T[],
  ys: readonly T[],
  weight: (x: T, y: T) => number,
): readonly (readonly [T, T])[] {
  const width = ys.length + 1;
  const best = new Float64Array((xs.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  const weights = xs.map((x) => ys.map((y) => weight(x, y)));
  for (let i = xs.length - 1; i >= 0; i -= 1) {
    for (let j = ys.length - 1; j >= 0; j -= 1) {
      const w = weights[i]?.[j] ?? 0;
      const both = w > 0 ? w + at(i + 1, j + 1) : 0;
      best[i * width + j] = Math.max(both, at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [T, T][] = [];
  let i = 0;
  let j = 0;
  while (i < xs.length && j < ys.length) {
    const w = weights[i]?.[j] ?? 0;
    const x = xs[i];
    const y = ys[j];
    if (w > 0 && x !== undefined && y !== undefined && at(i, j) === w + at(i + 1, j + 1)) {
      pairs.push([x, y]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
