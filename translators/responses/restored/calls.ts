import type { Renamed } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject, parseJson } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';
import { createStringField, type StringField } from '../../wire/string-field.js';

/** An item of an output as its service would write it. */
export function restoreCall(item: JsonObject, { names, custom }: Renamed): JsonObject {
  if ((item.type !== 'function_call' && item.type !== 'custom_tool_call') || typeof item.name !== 'string') return item;
  const { name, namespace } = names.original(item.name);
  const named =
    name === item.name && namespace === undefined ? item : { ...item, name, ...(namespace && { namespace }) };
  if (item.type !== 'function_call' || !custom.has(item.name)) return named;
  const { arguments: args, ...rest } = named;
  return { ...rest, type: 'custom_tool_call', input: inputOf(args) };
}

/** The free text in the arguments of a call; what is not in the form that was asked for stays as it came. */
function inputOf(args: unknown): string {
  if (typeof args !== 'string') return '';
  const parsed = parseJson(args);
  return parsed.ok && isObject(parsed.value) && typeof parsed.value.input === 'string' ? parsed.value.input : args;
}

const DELTA = 'response.function_call_arguments.delta';
const DONE = 'response.function_call_arguments.done';

/** A function for the events of one stream that are about items: free text comes piece by piece. */
export function createCallEvents(renamed: Renamed): (event: JsonObject) => JsonObject {
  /** The free text inputs that are under way, by their place in the output. */
  const inputs = new Map<unknown, StringField>();
  return (event) => {
    const { type, item, output_index: place } = event;
    if (isObject(item) && (type === 'response.output_item.added' || type === 'response.output_item.done')) {
      const restored = restoreCall(item, renamed);
      if (restored.type !== item.type && type === 'response.output_item.added')
        inputs.set(place, createStringField('input'));
      return withMember(event, 'item', restored);
    }
    const field = inputs.get(place);
    if (type === DELTA && field !== undefined && typeof event.delta === 'string')
      return { ...event, type: 'response.custom_tool_call_input.delta', delta: field.push(event.delta) };
    if (type !== DONE) return event;
    const { arguments: args, name, ...rest } = event;
    if (field !== undefined) return { ...rest, type: 'response.custom_tool_call_input.done', input: inputOf(args) };
    return typeof name === 'string' ? withMember(event, 'name', renamed.names.original(name).name) : event;
  };
}
