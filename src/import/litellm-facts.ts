import type { Draft, TargetInput } from './draft.js';
import type { Fields } from './fields.js';

type Facts = Pick<TargetInput, 'contextWindow' | 'maxOutput' | 'prices'>;
type Prices = NonNullable<TargetInput['prices']>;
type Rates = Omit<Prices, 'above'>;

/** Our prices by what LiteLLM calls the cost of one token. */
const COSTS = [
  ['input', 'input_cost_per_token'],
  ['output', 'output_cost_per_token'],
  ['cacheRead', 'cache_read_input_token_cost'],
  ['cacheWrite', 'cache_creation_input_token_cost'],
  ['cacheWrite1h', 'cache_creation_input_token_cost_above_1hr'],
] as const;

/** Sizes of an input above which some models cost more, as the ends of names of costs. */
const STEPS = [
  [128_000, '_above_128k_tokens'],
  [200_000, '_above_200k_tokens'],
  [272_000, '_above_272k_tokens'],
] as const;

/** What `model_info`, or the parameters of the call, say of a model: sizes in tokens, prices in USD per million. */
export function factsOf(params: Fields, info: Fields, draft: Draft): Facts {
  const window = wholeOf(info.number('max_input_tokens'));
  const output = wholeOf(info.number('max_output_tokens') ?? info.number('max_tokens'));
  const prices = pricesOf(params, info);
  // A window is input and output together.
  const fits = window === undefined || output === undefined || output <= window;
  if (!fits) draft.note(info.at('max_input_tokens'), 'changed', 'the window is input and output together');
  return {
    ...(window !== undefined && { contextWindow: fits ? window : window + (output ?? 0) }),
    ...(output !== undefined && { maxOutput: output }),
    ...(prices && { prices }),
  };
}

function wholeOf(value: number | undefined): number | undefined {
  return value === undefined || value < 1 ? undefined : Math.trunc(value);
}

function pricesOf(params: Fields, info: Fields): Prices | undefined {
  const ratesAt = (end: string): Rates =>
    Object.fromEntries(
      COSTS.flatMap(([ours, theirs]) => {
        const given = params.number(theirs + end);
        const listed = info.number(theirs + end);
        const cost = given ?? listed;
        return cost === undefined ? [] : [[ours, Number((cost * 1_000_000).toPrecision(12))]];
      }),
    );
  const rates = ratesAt('');
  const above = STEPS.flatMap(([tokens, end]) => {
    const changed = ratesAt(end);
    return Object.keys(changed).length === 0 ? [] : [{ tokens, ...changed }];
  });
  if (Object.keys(rates).length + above.length === 0) return undefined;
  return { ...rates, ...(above.length > 0 && { above }) };
}
