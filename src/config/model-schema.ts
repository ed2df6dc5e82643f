import * as z from 'zod';
import { amount, count, word } from './values.js';

/** What a file says of a model: at a target, and under the `models` of a backend. */

const RATES = {
  input: amount.optional(),
  output: amount.optional(),
  cacheRead: amount.optional(),
  cacheWrite: amount.optional(),
  cacheWrite1h: amount.optional(),
};

const prices = z
  .strictObject({ ...RATES, above: z.array(z.strictObject({ tokens: count, ...RATES })).optional() })
  .superRefine(({ above = [], ...rates }, context) => {
    const issue = (path: PropertyKey[], message: string): void => {
      context.addIssue({ code: 'custom', path, message });
    };
    if (Object.values(rates).every((rate) => rate === undefined) && above.length === 0)
      issue([], `must name at least one of ${Object.keys(RATES).join(', ')}`);
    above.forEach(({ tokens, ...changed }, index) => {
      if (tokens <= (above[index - 1]?.tokens ?? 0)) issue(['above', index, 'tokens'], 'must be above the one before');
      if (Object.keys(changed).length === 0) issue(['above', index], 'must change a price');
    });
  });

/** The keys, for a map that has others too. */
export const MODEL_KEYS = {
  contextWindow: count.optional(),
  maxOutput: count.optional(),
  prices: prices.optional(),
  title: word.optional(),
};

/** Why a model cannot generate so many tokens; undefined where it can. */
export function outputFault({
  contextWindow,
  maxOutput,
}: {
  readonly contextWindow?: number;
  readonly maxOutput?: number;
}): string | undefined {
  if (contextWindow === undefined || maxOutput === undefined || maxOutput <= contextWindow) return undefined;
  return `cannot be above contextWindow, which is ${contextWindow}`;
}

/** Reports an output that is larger than the window. */
export function checkOutput(model: Parameters<typeof outputFault>[0], context: z.RefinementCtx): void {
  const message = outputFault(model);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['maxOutput'], message });
}

/** What a backend's models are, by their names there: exact ones, and patterns with a `*` at the end. */
export const models = z.record(
  word.regex(/^[^*]*\*?$/, '`*` is only allowed at the end of a pattern'),
  z.strictObject(MODEL_KEYS).superRefine(checkOutput),
);
