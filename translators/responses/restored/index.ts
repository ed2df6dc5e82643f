import type { HostFitting } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createEventFilter } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { createCallEvents, restoreCall } from './calls.js';
import { createCompletion } from './completion.js';
import { withCutStatus } from './cut.js';

export { createCompletion } from './completion.js';
export { asEnded } from './cut.js';
export { createPlacing } from './placing.js';

/** Members that answers repeat. */
const ECHOED = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'instructions',
  'reasoning',
  'store',
  'include',
  'top_logprobs',
] as const;

/** What the service repeats of members that the client did not write [R §4.1]. */
const NEUTRAL: Readonly<JsonObject> = { tools: [], tool_choice: 'auto' };

/** Where events of items tell their places. */
const PLACES = { index: 'output_index', node: 'item', number: 'sequence_number' } as const;

/**
 * The restorer of answers to `sent`, as which `body` was fitted: what was taken comes back, and what the host leaves out of its answers
 * is filled in. Undefined where answers pass as they come.
 */
export function createHostRestorer(
  body: JsonObject,
  sent: JsonObject,
  { unsupported, renamed }: HostFitting,
): HostRestorer | undefined {
  const { max_output_tokens: cap } = sent;
  const changed = ECHOED.filter((key) => sent[key] !== body[key]);
  const cuts = unsupported.has('cutStatus') && typeof cap === 'number';
  const fills = unsupported.has('streamEvents');
  const hides = unsupported.has('thinkingOff') && isThinkingOff(sent);
  if (renamed === undefined && changed.length === 0 && !cuts && !fills && !hides) return undefined;
  const restoreItem = (item: JsonObject): JsonObject | readonly [] => {
    if (hides && isReasoning(item)) return [];
    return renamed === undefined ? item : restoreCall(item, renamed);
  };
  const answer = (given: JsonObject): JsonObject => {
    const told = cuts ? withCutStatus(given, cap) : given;
    const restored = withMember(told, 'output', mapNodes(told.output, restoreItem));
    return changed
      .filter((key) => Object.hasOwn(given, key))
      .reduce((whole, key) => withMember(whole, key, body[key] ?? NEUTRAL[key]), restored);
  };
  return {
    answer,
    stream() {
      const fill = fills ? createCompletion() : undefined;
      const hide = hides ? createEventFilter(PLACES, isReasoning) : undefined;
      const restoreEvent = renamed === undefined ? undefined : createCallEvents(renamed);
      const restoreOne = (event: JsonObject): JsonObject => {
        const { response } = event;
        if (!isObject(response)) return restoreEvent?.(event) ?? event;
        const told = withMember(event, 'response', answer(response));
        const cut = event.type === 'response.completed' && told !== event && statusOf(told) === 'incomplete';
        return cut ? { ...told, type: 'response.incomplete' } : told;
      };
      if (fill === undefined && hide === undefined) return restoreOne;
      return (event) => (fill?.(event) ?? [event]).flatMap((one) => hide?.(one) ?? one).map(restoreOne);
    },
  };
}

/** Whether a body asks for no thinking. */
export function isThinkingOff({ reasoning }: JsonObject): boolean {
  return isObject(reasoning) && reasoning.effort === 'none';
}

function isReasoning({ type }: JsonObject): boolean {
  return type === 'reasoning';
}

function statusOf({ response }: JsonObject): unknown {
  return isObject(response) ? response.status : undefined;
}
