import { type JsonObject, objectsOf, stringOf } from '../json.js';
import { type ServiceCheck, TRUSTED } from '../service.js';
import { checkResponses } from './rules.js';

export const responses: ServiceCheck = ({ body }) =>
  checkResponses(body, {
    context: continued(body),
    issued: { reasoningOf: new Map(), stored: ALL },
    state: TRUSTED,
  });

/** Every id is known. */
const ALL = { has: () => true };

/** The calls that earlier turns may have made, where the service has these turns. */
function continued({ previous_response_id: previous, conversation, input }: JsonObject): JsonObject[] {
  if (!previous && !conversation) return [];
  return objectsOf(input).flatMap(({ type, call_id: id }) => {
    const call = stringOf(type).replace(/_output$/, '');
    return call === type || objectsOf(input).some((other) => other.type === call && other.call_id === id)
      ? []
      : [{ type: call, call_id: id }];
  });
}
