import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createLeftOut } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';

/** A response object without what the model thought. */
export function withoutReasoning(response: JsonObject): JsonObject {
  return withMember(
    response,
    'output',
    mapNodes(response.output, (item) => (item.type === 'reasoning' ? [] : item)),
  );
}

/** A function for the events of one stream, which leaves out those of reasoning: the others have the places and numbers that are left. */
export function createReasoningFilter(): (event: JsonObject) => readonly JsonObject[] {
  const gone = createLeftOut();
  let missing = 0;
  return (event) => {
    const { item, output_index: index, sequence_number: number } = event;
    if (typeof index === 'number' && isObject(item) && item.type === 'reasoning') gone.drop(index);
    if (typeof index === 'number' && gone.has(index)) {
      missing += 1;
      return [];
    }
    const placed = typeof index === 'number' ? withMember(event, 'output_index', gone.placeOf(index)) : event;
    return [typeof number === 'number' ? withMember(placed, 'sequence_number', number - missing) : placed];
  };
}
