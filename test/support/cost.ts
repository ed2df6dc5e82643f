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
