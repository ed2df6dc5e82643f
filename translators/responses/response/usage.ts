import { furtherKeys } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Usage } from '../../canonical/response.js';
import { countsOtherMedia } from '../../wire/counts.js';
import { isObject } from '../../wire/json.js';
import { bagOf, check, complete, keepDifferences, keysOf, origin, type Reader, withExtra } from '../nodes.js';
import * as wire from '../wire/index.js';

const USAGE = keysOf(wire.usage);

/** Token counts (translation.md 5.3): input and output are counted as in the model, parts included. */
export function decodeUsage(node: JsonObject, ptr: string, reader: Reader): Usage {
  const usage = check(wire.usage, node, ptr, reader);
  const decoded: Usage = {
    input: usage.input_tokens ?? undefined,
    cacheRead: usage.input_tokens_details?.cached_tokens ?? undefined,
    cacheWrite: usage.input_tokens_details?.cache_write_tokens ?? undefined,
    output: usage.output_tokens ?? undefined,
    reasoning: usage.output_tokens_details?.reasoning_tokens ?? undefined,
    ...((countsOtherMedia(node.input_tokens_details) || countsOtherMedia(node.output_tokens_details)) && {
      apart: true,
    }),
    ...origin(node, USAGE, ptr),
  };
  const kept = keepDifferences(decoded, node, encodeOwnUsage(decoded));
  return Object.entries(DETAILS).reduce((usage, [key, known]) => markFurther(usage, key, known, ptr), kept);
}

/** What of the details the model has fields for. */
const DETAILS = {
  input_tokens_details: new Set(['cached_tokens', 'cache_write_tokens']),
  output_tokens_details: new Set(['reasoning_tokens']),
} as const;

/** Of details that are kept whole, the keys are marked of which the model knows nothing: these alone are lost elsewhere. */
function markFurther(usage: Usage, key: string, known: ReadonlySet<string>, ptr: string): Usage {
  const details = bagOf(usage)?.[key];
  if (!isObject(details)) return usage;
  const further = Object.keys(details).filter((name) => !known.has(name));
  return withExtra(usage, key, furtherKeys({ ...details }, `${ptr}/${key}`, further));
}

/** The counts as they came. */
export function encodeOwnUsage(usage: Usage): JsonObject {
  const fields: JsonObject = {};
  if (usage.input !== undefined) fields.input_tokens = usage.input;
  const details: JsonObject = {};
  if (usage.cacheRead !== undefined) details.cached_tokens = usage.cacheRead;
  if (usage.cacheWrite !== undefined) details.cache_write_tokens = usage.cacheWrite;
  fields.input_tokens_details = details;
  if (usage.output !== undefined) fields.output_tokens = usage.output;
  fields.output_tokens_details = usage.reasoning === undefined ? {} : { reasoning_tokens: usage.reasoning };
  fields.total_tokens = (usage.input ?? 0) + (usage.output ?? 0);
  return complete(fields, usage);
}

/** Counts of another service. The client types demand every counter; what is not known is 0. */
export function encodeForeignUsage(usage: Usage | undefined, losses: Losses): JsonObject {
  if (usage?.input === undefined || usage.output === undefined) {
    losses.add(usage, 'usage', 'approximated', 'counts that the backend did not report are reported as 0');
  }
  reportUntold(usage, losses);
  const input = count(usage?.input);
  const output = count(usage?.output);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: count(usage?.cacheRead), cache_write_tokens: count(usage?.cacheWrite) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: count(usage?.reasoning) },
    total_tokens: input + output,
  };
}

/** Counts that have no field here (translation.md 5.3). */
function reportUntold(usage: Usage | undefined, losses: Losses): void {
  const hidden = [
    ...((usage?.cacheWrite1h ?? 0) > 0 ? ['cache lifetime'] : []),
    ...((usage?.toolInput ?? 0) > 0 ? ['input tokens of tool results'] : []),
    ...(Object.values(usage?.hosted ?? {}).some((calls) => calls > 0) ? ['the number of hosted calls'] : []),
  ];
  if (hidden.length > 0) losses.add(usage, 'usage', 'approximated', `not reported: ${hidden.join(', ')}`);
}

function count(value: number | undefined): number {
  return value === undefined || !(value > 0) ? 0 : value;
}

/** Searches that the service ran, which it counts apart from the tokens [R §4.4 rule 4]. */
export function decodeToolUsage(node: unknown): Usage['hosted'] {
  const search: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'web_search') : undefined;
  const requests: unknown =
    typeof search === 'object' && search !== null ? Reflect.get(search, 'num_requests') : undefined;
  return typeof requests === 'number' ? { webSearch: requests } : undefined;
}
