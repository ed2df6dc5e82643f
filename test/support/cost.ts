/** Milliseconds on the processor that this process spends on some work: a busy machine makes it longer, and hardly dearer. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The least of some measurements of one thing; of no more than are needed to get below `bound`. When the collector runs
 * and what else the machine does add to some of them, what the work itself costs is in all.
 */
export async function leastOf(bound: number, measure: () => number | Promise<number>, tries = 5): Promise<number> {
  let least = await measure();
  for (let tried = 1; tried < tries && least >= bound; tried += 1) least = Math.min(least, await measure());
  return least;
}

const KNOWN = JSON.stringify(
  Array.from({ length: 2500 }, (_, index) => ({ index, text: 'The quick brown fox', list: [index, null, true] })),
);

/** Milliseconds on the processor that a known piece of work takes here and now: to read 1.3 MB of JSON, mostly 6 to 10. */
export function knownMs(): Promise<number> {
  return processorMs(() => {
    for (let times = 0; times < 8; times += 1) JSON.parse(KNOWN);
  });
}

/**
 * What some work costs on the processor, in what {@link knownMs} costs at the same time: slow machines, and neighbours that share
 * the caches of a processor, make both dearer. The least of some tries, as with {@link leastOf}.
 */
export function costOf(work: () => unknown, bound: number, tries?: number): Promise<number> {
  return leastOf(bound, async () => (await processorMs(work)) / (await knownMs()), tries);
}
