import { Counter, Histogram, type Registry } from 'prom-client';
import { createCells } from '../../ground/index.js';

/** One value for each label, in the order in which the labels were named. */
export type LabelValues<Names extends readonly string[]> = { readonly [Index in keyof Names]: string };

/** A counter that is added to as a plain number: prom-client learns of it when somebody asks. */
export interface Tally<Names extends readonly string[]> {
  add(values: LabelValues<Names>, amount?: number): void;
}

/** A histogram whose buckets are plain numbers. */
export interface Spread<Names extends readonly string[]> {
  observe(values: LabelValues<Names>, value: number): void;
}

/** What a metric is called, and what it is. */
interface Described<Names extends readonly string[]> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: Names;
  readonly registry: Registry;
}

/**
 * Registers a counter. prom-client checks and hashes its labels with each addition, which for the dozen figures of one
 * exchange takes longer than anything else in its report; here they are looked up, and handed to it when it is read.
 */
export function createTally<const Names extends readonly string[]>(described: Described<Names>): Tally<Names> {
  const { name, help, labelNames, registry } = described;
  const counted = createCells((values) => ({ labels: labelsOf(labelNames, values), sum: 0 }));
  new Counter<string>({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, sum } of counted.all) this.inc(labels, sum);
    },
  });
  return {
    add(values, amount = 1) {
      counted.at(values).sum += amount;
    },
  };
}

/** Registers a histogram with these upper bounds, in rising order. What its readers get is what prom-client gives them. */
export function createSpread<const Names extends readonly string[]>(
  described: Described<Names>,
  bounds: readonly number[],
): Spread<Names> {
  const { name, help, labelNames, registry } = described;
  const observed = createCells((values) => ({
    labels: labelsOf(labelNames, values),
    sum: 0,
    count: 0,
    buckets: bounds.map(() => 0),
  }));
  const read = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: observed.all.flatMap(({ labels, sum, count, buckets }) => {
      let below = 0;
      const upTo = buckets.map((amount, index) => {
        below += amount;
        return { metricName: `${name}_bucket`, labels: { le: bounds[index], ...labels }, value: below };
      });
      return [
        ...upTo,
        { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  });
  const histogram = new Histogram<string>({ name, help, labelNames, buckets: [...bounds], registers: [registry] });
  // The two ways in which the registry reads: as text, and as values for the process that adds those of all.
  Object.assign(histogram, { get: read, getForPromString: read });
  return {
    observe(values, value) {
      const cell = observed.at(values);
      cell.sum += value;
      cell.count += 1;
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket !== -1) cell.buckets[bucket] = (cell.buckets[bucket] ?? 0) + 1;
    },
  };
}

/** The labels of a cell, as prom-client takes them. */
function labelsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
