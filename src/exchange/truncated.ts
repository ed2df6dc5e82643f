import { type CanonicalRequest, laterBeginnings } from '../../translators/index.js';
import { type Estimate, SAMPLED } from '../protocol/index.js';

/** A request without its oldest turns. */
export interface Truncated {
  readonly request: CanonicalRequest;
  /** How many turns were left out. */
  readonly dropped: number;
}

/** Of a turn at least so many characters are counted, however many turns there are. */
const LEAST_SAMPLED = 256;

/** What stays of a room that services count otherwise than it is estimated here. */
const MARGIN = 0.95;
/** What stays of a request when a service does not say by how much it is too long. */
const UNTOLD = 0.5;

/** The part of a window that is left to the output, where the request has a cap. */
export const RESERVED = 0.25;

/**
 * A request that is too long, without as many of its oldest turns as it takes (translation 2.2), so that `share` of it is left; undefined
 * when none can be left out. It may still be too long: then it is refused anew.
 */
export async function withoutOldest(
  request: CanonicalRequest,
  share: number,
  estimate: Estimate,
): Promise<Truncated | undefined> {
  const { turns } = request;
  const places = laterBeginnings(turns);
  const [first] = places;
  if (first === undefined) return undefined;
  const sizes: number[] = [];
  const most = Math.max(LEAST_SAMPLED, Math.floor(SAMPLED / turns.length));
  for (const turn of turns) sizes.push(await estimate({ ...request, ...BARE, turns: [turn] }, most));
  let rest = sizes.reduce((sum, size) => sum + size, 0);
  const fixed = await estimate({ ...request, turns: [] });
  const room = (rest + fixed) * share * MARGIN;
  let at = 0;
  for (const place of places) {
    for (; at < place; at += 1) rest -= sizes[at] ?? 0;
    if (rest + fixed <= room) break;
  }
  return { request: { ...request, turns: turns.slice(at) }, dropped: at };
}

/** What is counted beside the turns. */
const BARE = { instructions: [], tools: [], output: undefined } as const;

/** Which part of a request has room, by the count and the limit that services tell, such as `208310 tokens > 200000 maximum`. */
export function shareIn(message: string): number {
  const numbers = (message.match(/\d[\d,]*/g) ?? []).map((digits) => Number(digits.replaceAll(',', '')));
  const count = Math.max(0, ...numbers);
  const limit = Math.max(0, ...numbers.filter((number) => number < count));
  return limit >= count / 100 && limit > 0 ? limit / count : UNTOLD;
}
