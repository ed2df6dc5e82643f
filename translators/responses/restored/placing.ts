import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

/** What events of items are about, as their types say it [R §5.3]. */
const ITEM_EVENT =
  /^response\.(?:output_item|content_part|output_text|refusal|reasoning_text|reasoning_summary_(?:part|text)|(?:function|mcp)_call_arguments|custom_tool_call_input)\./;

/**
 * A function for the events of one stream, which gives those of items the `output_index` that some servers leave out: the place of
 * the item that they name, else of the one that was announced last. The same event where nothing is missing.
 */
export function createPlacing(): (event: JsonObject) => JsonObject {
  const places = new Map<unknown, number>();
  let last = -1;
  const announce = (item: JsonObject, index: number): void => {
    last = index;
    // Calls without an id are named by that of the call.
    for (const id of [item.id, item.call_id]) if (typeof id === 'string') places.set(id, index);
  };
  return (event) => {
    const { type, item, item_id: id, output_index: given } = event;
    const announces = type === 'response.output_item.added' && isObject(item);
    if (typeof given === 'number') {
      if (announces) announce(item, given);
      return event;
    }
    if (typeof type !== 'string' || !ITEM_EVENT.test(type)) return event;
    if (announces) {
      announce(item, last + 1);
      return { ...event, output_index: last };
    }
    const named = isObject(item) ? (places.get(item.id) ?? places.get(item.call_id)) : places.get(id);
    const index = named ?? (isObject(item) && item.id !== undefined ? last + 1 : last);
    return index < 0 ? event : { ...event, output_index: index };
  };
}
