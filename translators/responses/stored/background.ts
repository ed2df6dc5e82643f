import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { editMembers, editMembersOf } from '../../wire/json-members.js';
import { frameOf, lifecycleOf, withData } from './frames.js';

/** The stream of an answer that is made in the background, as its client sees it [R §1.5]. */
export interface BackgroundFrames {
  /** What is said before anything was made. */
  readonly opening: readonly string[];
  /** A frame of the exchange that makes the answer, with what only we know of it. */
  own(frame: string): string;
  /** The frame that says why there is no answer. */
  failed(answer: JsonObject): string;
}

/** Frames of the answer that was told as `queued`. They have no place in the stream yet. */
export function createBackgroundFrames(queued: JsonObject): BackgroundFrames {
  const known = {
    id: { json: JSON.stringify(queued.id) },
    created_at: { json: JSON.stringify(queued.created_at) },
    background: { json: 'true', add: true },
    store: { json: 'true', add: true },
    previous_response_id: { json: JSON.stringify(queued.previous_response_id ?? null), add: true },
  } as const;
  return {
    opening: [lifecycleFrame('created', queued), lifecycleFrame('queued', queued)],
    own: (frame) =>
      lifecycleOf(frame) === undefined ? frame : withData(frame, (data) => editMembersOf(data, 'response', known)),
    failed: failedFrame,
  };
}

/** The frame that says that an answer failed. It has no place in its stream yet. */
export function failedFrame(answer: JsonObject): string {
  return lifecycleFrame('failed', answer);
}

function lifecycleFrame(moment: string, response: JsonObject): string {
  return frameOf({ type: `response.${moment}`, sequence_number: 0, response });
}

/** A frame at its place in the stream. */
export function numbered(frame: string, number: number): string {
  const sequence_number = { json: String(number), add: true } as const;
  return withData(frame, (data) => editMembers(data, { sequence_number }));
}

const UNFINISHED = new Set<unknown>(['queued', 'in_progress']);

/** Whether an answer is still being made. */
export function isUnfinished({ response }: { readonly response: JsonObject }): boolean {
  return UNFINISHED.has(response.status);
}

/** An answer that will be made, from what an empty answer to its request is. */
export function queuedAnswer(empty: JsonObject, id: string, previous: unknown): JsonObject {
  return {
    ...empty,
    id,
    store: true,
    background: true,
    previous_response_id: previous ?? null,
    status: 'queued',
    completed_at: null,
    output: [],
    usage: null,
  };
}

/** The answer as it failed, with the encoded error that a request would have been refused with. */
export function failedAnswer(answer: JsonObject, encoded: JsonObject): JsonObject {
  const { code, type, message } = isObject(encoded.error) ? encoded.error : {};
  return { ...answer, status: 'failed', error: { code: code ?? type, message }, output: [] };
}

export function cancelledAnswer(answer: JsonObject): JsonObject {
  return { ...answer, status: 'cancelled', output: [] };
}
