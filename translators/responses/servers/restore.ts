import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import type { HostFeature } from '../../target/host-words.js';
import { isObject, parseJson } from '../../wire/json.js';
import { createEventFilter } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { createStringField, type StringField } from '../../wire/string-field.js';
import { withCutStatus } from './cut.js';
import { createCompletion } from './events.js';
import type { Renamed } from './fitting.js';

/** What was taken from a request that its answers are to have again. */
interface Taken extends Partial<Renamed> {
  /** Members that answers repeat, as the client wrote them; undefined for those it did not write. */
  readonly echo: Readonly<JsonObject>;
}

/**
 * The restorer of answers to `sent`: what was taken comes back, and what the host leaves out of its answers is filled in;
 * undefined where answers pass as they come.
 */
export function createHostRestorer(
  taken: Taken,
  unsupported: ReadonlySet<HostFeature>,
  { max_output_tokens: cap, reasoning }: JsonObject,
): HostRestorer | undefined {
  const gives = taken.names !== undefined || Object.keys(taken.echo).length > 0;
  const cuts = unsupported.has('cutStatus') && typeof cap === 'number';
  const fills = unsupported.has('streamEvents');
  const hides = unsupported.has('thinkingOff') && isObject(reasoning) && reasoning.effort === 'none';
  if (!gives && !cuts && !fills && !hides) return undefined;
  const restored = (body: JsonObject): JsonObject => {
    const told = cuts ? withCutStatus(body, cap) : body;
    const output = hides ? mapNodes(told.output, (item) => (isReasoning(item) ? [] : item)) : told.output;
    const shown = withMember(told, 'output', output);
    return gives ? restoreAnswer(shown, taken) : shown;
  };
  return {
    answer: restored,
    stream() {
      /** The free text inputs that are under way, by their place in the output. */
      const inputs = new Map<unknown, StringField>();
      const fill = fills ? createCompletion() : undefined;
      const restoreOne = (event: JsonObject): JsonObject => {
        const { response } = event;
        if (!isObject(response)) return gives ? restoreEvent(event, inputs, taken) : event;
        const told = withMember(event, 'response', restored(response));
        const cut = event.type === 'response.completed' && told !== event && statusOf(told) === 'incomplete';
        return cut ? { ...told, type: 'response.incomplete' } : told;
      };
      const hide = hides ? createEventFilter(PLACES, isReasoning) : (event: JsonObject) => event;
      const all = (event: JsonObject): readonly JsonObject[] => (fill === undefined ? [event] : fill(event));
      return fill === undefined && !hides ? restoreOne : (event) => all(event).flatMap(hide).map(restoreOne);
    },
  };
}

/** Where events of items tell their places. */
const PLACES = { index: 'output_index', node: 'item', number: 'sequence_number' } as const;

function isReasoning({ type }: JsonObject): boolean {
  return type === 'reasoning';
}

function statusOf({ response }: JsonObject): unknown {
  return isObject(response) ? response.status : undefined;
}

function restoreAnswer(body: JsonObject, taken: Taken): JsonObject {
  const output = mapNodes(body.output, (item) => restoreItem(item, taken));
  let restored = withMember(body, 'output', output);
  for (const [key, value] of Object.entries(taken.echo)) {
    if (Object.hasOwn(body, key)) restored = withMember(restored, key, value ?? NEUTRAL[key]);
  }
  return restored;
}

/** What the service repeats of members that the client did not write [R §4.1]. */
const NEUTRAL: Readonly<JsonObject> = { tools: [], tool_choice: 'auto', background: false };

/** An item of an output as its service would write it. */
function restoreItem(item: JsonObject, { names, custom }: Taken): JsonObject {
  if (names === undefined || typeof item.name !== 'string') return item;
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return item;
  const { name, namespace } = names.original(item.name);
  const named =
    name === item.name && namespace === undefined ? item : { ...item, name, ...(namespace && { namespace }) };
  if (item.type !== 'function_call' || custom?.has(item.name) !== true) return named;
  const { arguments: args, ...rest } = named;
  return { ...rest, type: 'custom_tool_call', input: inputOf(args) };
}

/** The free text in the arguments of a call; what is not in the form that was asked for stays as it came. */
function inputOf(args: unknown): string {
  if (typeof args !== 'string') return '';
  const parsed = parseJson(args);
  return parsed.ok && isObject(parsed.value) && typeof parsed.value.input === 'string' ? parsed.value.input : args;
}

const ITEM_EVENTS: ReadonlySet<unknown> = new Set(['response.output_item.added', 'response.output_item.done']);

function restoreEvent(event: JsonObject, inputs: Map<unknown, StringField>, taken: Taken): JsonObject {
  const { item, output_index: place } = event;
  if (ITEM_EVENTS.has(event.type) && isObject(item)) {
    const restored = restoreItem(item, taken);
    if (restored.type === item.type) return withMember(event, 'item', restored);
    if (event.type === 'response.output_item.added') inputs.set(place, createStringField('input'));
    return { ...event, item: restored };
  }
  if (event.type === 'response.function_call_arguments.delta') {
    const field = inputs.get(place);
    if (field === undefined || typeof event.delta !== 'string') return event;
    return { ...event, type: 'response.custom_tool_call_input.delta', delta: field.push(event.delta) };
  }
  if (event.type === 'response.function_call_arguments.done') return restoreArguments(event, inputs.has(place), taken);
  return event;
}

function restoreArguments(event: JsonObject, custom: boolean, { names }: Taken): JsonObject {
  const { arguments: args, name, ...rest } = event;
  if (custom) return { ...rest, type: 'response.custom_tool_call_input.done', input: inputOf(args) };
  if (names === undefined || typeof name !== 'string') return event;
  return withMember(event, 'name', names.original(name).name);
}
