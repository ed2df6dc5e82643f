import type { AnswerFacts } from '../../translators/index.js';
import type { Prices, Rates } from '../config/index.js';

/** What an answer cost. */
interface Cost {
  readonly usd: number;
  /** Tools of the service ran, whose fees are not in it. */
  readonly partial: boolean;
}

const MILLION = 1_000_000;

/** Decimal places of an amount: a millionth of a cent is a hundredth of a token of the cheapest models. */
const PLACES = 12;

/** Words for the tier whose prices these are; hosts without tiers repeat `auto`. */
const USUAL_TIERS: ReadonlySet<string> = new Set(['default', 'standard', 'auto', 'on_demand']);

/**
 * What an answer cost by the backend's own counts (http.md#cost). undefined where that does not follow from them: a count or the price
 * of a part that was used is unknown, something has prices of its own, or the tier is another. Never 0 for what is unknown.
 */
export function costOf(prices: Prices, { usage, tier, fees = false }: AnswerFacts): Cost | undefined {
  if (usage === undefined || usage.apart === true) return undefined;
  if (tier !== undefined && !USUAL_TIERS.has(tier.toLowerCase())) return undefined;
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWrite1h, toolInput = 0, hosted, several } = usage;
  // Who counts nothing at all says 0.
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  const plain = input - cacheRead - cacheWrite;
  const written = cacheWrite - (cacheWrite1h ?? 0);
  if (![plain, output, cacheRead, written, cacheWrite1h ?? 0].every(isCount)) return undefined;
  // Each of several calls was billed by its own size, which their sum does not tell.
  if (several === true && prices.above?.some(({ tokens }) => input > tokens)) return undefined;
  const rates = ratesFor(prices, input);
  // Nobody said for how long it was written.
  const unsaid =
    written > 0 && cacheWrite1h === undefined && (rates.cacheWrite1h ?? rates.cacheWrite) !== rates.cacheWrite;
  if (unsaid) return undefined;
  let sum = 0;
  for (const [tokens, rate] of [
    [plain, rates.input],
    [cacheRead, rates.cacheRead],
    [written, rates.cacheWrite],
    [cacheWrite1h ?? 0, rates.cacheWrite1h],
    [output, rates.output],
  ] as const) {
    if (tokens === 0) continue;
    if (rate === undefined) return undefined;
    sum += tokens * rate;
  }
  const ran = usage.fees === true || toolInput > 0 || (hosted?.webSearch ?? 0) > 0 || (hosted?.codeExec ?? 0) > 0;
  return { usd: Number((sum / MILLION).toFixed(PLACES)), partial: fees || ran };
}

function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0;
}

/** A tier holds for all tokens of a request, and says only what changes. */
function ratesFor({ above, ...base }: Prices, input: number): Rates {
  return above === undefined ? base : Object.assign(base, ...above.filter(({ tokens }) => input > tokens));
}

/** What is noted of it. */
interface NotedCost {
  readonly cost?: number;
  readonly costPartial?: true;
}

/** What a whole answer cost as a header of it: `0.00421;currency=USD`, without an exponent. Empty where that is unknown. */
export function costHeaders({ cost, costPartial }: NotedCost = {}): Record<string, string> {
  if (cost === undefined) return {};
  const amount = cost.toFixed(PLACES).replace(/\.?(?<!0)0+$/, '');
  return { 'x-interlingua-cost': `${amount};currency=USD${costPartial === true ? ';partial' : ''}` };
}
