import { expect, test } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { createSpread, createTally } from '../../src/observe/metrics/tally.js';

const BOUNDS = [0.01, 0.1, 1];
const LABELS = ['client', 'model'] as const;
const ROWS = [
  { values: ['a', 'x'], value: 0.005 },
  { values: ['b', 'x'], value: 0.1 },
  { values: ['a', 'x'], value: 0.5 },
  { values: ['a', ''], value: 7 },
] as const;

const of = ([client, model]: readonly [string, string]) => ({ client, model });

/** The values as another process gets them; exemplars, which there are none of, are not said. */
const sent = async (registry: Registry): Promise<unknown> =>
  JSON.parse(
    JSON.stringify(await registry.getMetricsAsJSON(), (key, value) => (key === 'exemplar' ? undefined : value)),
  );

test('what is counted here reads as what prom-client counts, as text and as values', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const tally = createTally({ name: 'n_total', help: 'N.', labelNames: LABELS, registry: ours });
  const spread = createSpread({ name: 'seconds', help: 'S.', labelNames: LABELS, registry: ours }, BOUNDS);
  const common = { labelNames: LABELS, registers: [theirs] };
  const counter = new Counter({ name: 'n_total', help: 'N.', ...common });
  const histogram = new Histogram({ name: 'seconds', help: 'S.', buckets: BOUNDS, ...common });
  for (const round of [1, 2]) {
    for (const { values, value } of ROWS) {
      tally.add(values, value * round);
      spread.observe(values, value * round);
      counter.inc(of(values), value * round);
      histogram.observe(of(values), value * round);
    }
    // Reading changes nothing.
    expect(await ours.metrics()).toBe(await theirs.metrics());
    expect(await sent(ours)).toEqual(await sent(theirs));
  }
});

test('without an amount one is added', async () => {
  const registry = new Registry();
  const tally = createTally({ name: 'n_total', help: 'N.', labelNames: ['result'], registry });
  tally.add(['ok']);
  tally.add(['ok']);
  expect(await registry.metrics()).toContain('n_total{result="ok"} 2\n');
});
