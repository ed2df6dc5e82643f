import { isObject } from '../detect.js';
import type { JsonObject } from '../library.js';

/** Tokens of an answer, by the words of its dialect. */
export interface Tokens {
  readonly in?: number;
  readonly cached?: number;
  readonly out?: number;
}

/** The tokens that an answer or the events of a stream tell; what is told later is taken. Empty where none are. */
export function tokensIn(values: readonly unknown[]): Tokens {
  return Object.assign({}, ...values.map((value) => told(usageIn(value))));
}

function usageIn(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const { usage, usageMetadata, message, response } = value;
  for (const one of [usage, usageMetadata]) if (isObject(one)) return one;
  return isObject(message) ? usageIn(message) : isObject(response) ? usageIn(response) : {};
}

function told(usage: JsonObject): Tokens {
  const details = usage.input_tokens_details ?? usage.prompt_tokens_details;
  const input = numberIn(usage.input_tokens ?? usage.prompt_tokens ?? usage.promptTokenCount);
  const output = numberIn(usage.output_tokens ?? usage.completion_tokens ?? usage.candidatesTokenCount);
  const cached = numberIn(
    usage.cache_read_input_tokens ??
      usage.cachedContentTokenCount ??
      (isObject(details) ? details.cached_tokens : undefined),
  );
  return {
    ...(input !== undefined && { in: input }),
    ...(output !== undefined && { out: output }),
    ...(cached !== undefined && { cached }),
  };
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
