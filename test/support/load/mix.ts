import { type DialectId, dialectIds } from '../../../translators/index.js';
import type { Framing } from '../wire/requests.js';
import type { Errand } from './exchange.js';
import { TROUBLES } from './order.js';
import type { Random } from './random.js';

export const DIALECTS = dialectIds;

/** Every client dialect with every backend dialect. */
export const PAIRS: readonly (readonly [client: DialectId, backend: DialectId])[] = DIALECTS.flatMap((client) =>
  DIALECTS.map((backend) => [client, backend] as const),
);

/** Shares of a mixed load. */
export interface Shares {
  readonly streams: number;
  readonly aborts: number;
  readonly troubles: number;
  readonly calls: number;
}

/** Makes marks that never come twice. */
export function createMarks(random: Random): () => string {
  let count = 0;
  const run = random.below(36 ** 4).toString(36);
  return () => {
    count += 1;
    return `n${run}x${count.toString(36)}`;
  };
}

/** The framing of a stream: of generateContent clients one in three asks for an array. */
export function streamFraming(random: Random, client: DialectId): Framing {
  return client === 'generateContent' && random.chance(1 / 3) ? 'array' : 'stream';
}

/** One request of the mix. */
export function mixedErrand(random: Random, mark: () => string, shares: Shares): Errand {
  const client = random.pick(DIALECTS);
  const stream = random.chance(shares.streams);
  const leaves = random.chance(shares.aborts);
  const fails = !leaves && random.chance(shares.troubles / (1 - shares.aborts));
  return {
    client,
    backend: random.pick(DIALECTS),
    framing: stream ? streamFraming(random, client) : 'plain',
    order: {
      nonce: mark(),
      pieces: 2 + random.below(stream ? 9 : 60),
      gapMs: stream ? 20 + random.below(80) : random.below(60),
      call: random.chance(shares.calls),
      ...(fails && { trouble: random.pick(TROUBLES) }),
    },
    bytes: 4096,
    ...(leaves && { leaveAfterMs: random.below(stream ? 600 : 80) }),
  };
}

/** One of the streams that last: `pieces` words, one each `gapMs`. */
export function lastingErrand(
  random: Random,
  mark: () => string,
  index: number,
  pieces: number,
  gapMs: number,
): Errand {
  const [client, backend] = PAIRS[index % PAIRS.length] ?? ['messages', 'messages'];
  const order = { nonce: mark(), pieces, gapMs, call: random.chance(0.2) };
  return { client, backend, framing: streamFraming(random, client), order };
}
