import { isObject, type JsonObject, objectOf, objectsOf } from '../json.js';

/**
 * The conversation with neighbours of one role as one turn, and without the calls that the service ran itself: the
 * official client's chats keep each chunk of a stream as a turn of its own, and the service takes that [G §9.13].
 * `body` is in camelCase.
 */
export function inRuns(body: JsonObject): JsonObject {
  const runs: { readonly role: unknown; readonly parts: JsonObject[] }[] = [];
  for (const { role = 'user', parts } of objectsOf(body.contents)) {
    const last = runs.at(-1);
    const list = objectsOf(parts);
    if (last === undefined || last.role !== role) runs.push({ role, parts: [...list] });
    else for (const part of list) last.parts.push(part);
  }
  return {
    ...body,
    contents: runs.map(({ role, parts }) => ({ role, parts: role === 'model' ? unserved(parts) : parts })),
  };
}

/** Parts of a turn of the model without the results in it and the calls that they answer. */
function unserved(parts: readonly JsonObject[]): JsonObject[] {
  const served = new Map<unknown, number>();
  for (const { functionResponse } of parts) {
    if (!isObject(functionResponse)) continue;
    served.set(functionResponse.name, (served.get(functionResponse.name) ?? 0) + 1);
  }
  return parts.filter(({ functionCall, functionResponse }) => {
    if (isObject(functionResponse)) return false;
    const { name } = objectOf(functionCall);
    const left = isObject(functionCall) ? (served.get(name) ?? 0) : 0;
    if (left > 0) served.set(name, left - 1);
    return left === 0;
  });
}
