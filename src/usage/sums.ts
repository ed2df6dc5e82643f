import type { ClientCall } from '../http/index.js';

/** What is summed, in the order in which it is kept: whole numbers, so that sums are exact. New ones go to the end. */
export const SUMS = [
  'requests',
  'errors',
  'input',
  'cached',
  'written',
  'output',
  'reasoning',
  'uncounted',
  /** In 10^-12 USD, the finest that a cost has (`http/cost.ts`). */
  'cost',
  'partialCost',
  'unpriced',
  'ms',
] as const;

export type SumName = (typeof SUMS)[number];

/** What one exchange, or many, add up to. */
export type Sums = Readonly<Record<SumName, number>>;

/** Parts of a USD in a sum of costs. */
export const PARTS_OF_USD = 1e12;

/** More tokens, and more USD, than one exchange can have: what a backend counts beyond that is no count. */
const MOST_TOKENS = 1e9;
const MOST_USD = 1e6;

/** Counting tokens is no work of a model: nothing is paid for it. */
const COUNTING: ReadonlySet<string> = new Set([
  '/v1/messages/count_tokens',
  '/v1/responses/input_tokens',
  '/v1beta/models/{model}:countTokens',
]);

/** Statuses of answers that may have been made, and paid, although the client got no whole one. */
const BROKEN: ReadonlySet<number> = new Set([502, 504]);

/** Outcomes of what did not fail. */
const NO_FAILURES: ReadonlySet<string> = new Set(['ok', 'client_closed', 'cancelled']);

/** Where each sum is kept. */
const AT = Object.fromEntries(SUMS.map((name, index) => [name, index])) as Record<SumName, number>;

/**
 * Adds an exchange that is over to its sums. Its cost is its cost where all of it is known; where hosted tools had fees, what is known is
 * apart, and the cost as such is unknown like that of an answer without counts or prices. What no backend worked for costs nothing.
 */
export function addSums(sums: number[], call: ClientCall): void {
  const { record, response, gone } = call;
  const { cost, costPartial, inputTokens, outputTokens } = record.facts ?? {};
  const { cacheRead, cacheWrite, reasoning } = record.reported?.usage ?? {};
  const isCalled = call.running !== undefined && call.running.called !== false && !COUNTING.has(call.route ?? '');
  const worked = isCalled && (gone || response.statusCode < 400 || BROKEN.has(response.statusCode));
  const isCounted = isTokens(inputTokens) && isTokens(outputTokens);
  const parts = cost !== undefined && cost <= MOST_USD ? Math.round(cost * PARTS_OF_USD) : undefined;
  const isWhole = parts !== undefined && costPartial !== true;
  const add = (index: number, amount: number): void => {
    if (amount !== 0) sums[index] = (sums[index] ?? 0) + amount;
  };
  add(AT.requests, 1);
  add(AT.errors, hasFailed(record) ? 1 : 0);
  add(AT.input, tokensOf(inputTokens));
  add(AT.cached, tokensOf(cacheRead));
  add(AT.written, tokensOf(cacheWrite));
  add(AT.output, tokensOf(outputTokens));
  add(AT.reasoning, tokensOf(reasoning));
  add(AT.uncounted, worked && !isCounted ? 1 : 0);
  add(AT.cost, isWhole ? parts : 0);
  add(AT.partialCost, isWhole ? 0 : (parts ?? 0));
  add(AT.unpriced, isWhole || (!worked && parts === undefined) ? 0 : 1);
  add(AT.ms, Math.max(0, Math.round(record.ms ?? 0)));
}

/** Whether an exchange that is over failed: not where its client left it, or cancelled its answer. */
export function hasFailed({ outcome }: Pick<ClientCall['record'], 'outcome'>): boolean {
  return outcome !== undefined && !NO_FAILURES.has(outcome);
}

function isTokens(count: number | undefined): boolean {
  return Number.isSafeInteger(count) && Number(count) >= 0 && Number(count) <= MOST_TOKENS;
}

function tokensOf(count: number | undefined): number {
  return isTokens(count) ? Number(count) : 0;
}

/** Sums as they are kept, by their names. */
export function sumsFrom(values: readonly number[]): Sums {
  return Object.fromEntries(SUMS.map((name, index) => [name, values[index] ?? 0])) as Record<SumName, number>;
}
