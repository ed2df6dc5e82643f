import type { JsonObject } from '../../translators/index.js';
import { editMembers, editMembersOf } from '../exchange/raw-json.js';
import { lifecycleOf, withData } from './frames.js';

/** The stream of an answer that is made in the background, as its client sees it [R §1.5]. */
export interface RunFrames {
  /** What is said before anything was made. */
  readonly opening: readonly string[];
  /** A frame of the exchange that makes the answer, with what only we know of it. */
  own(frame: string): string;
  /** The frame that says why there is no answer. */
  failed(answer: JsonObject): string;
}

/** Frames of the answer that was told as `queued`. They have no place in the stream yet. */
export function createRunFrames(queued: JsonObject): RunFrames {
  const known = {
    id: { json: JSON.stringify(queued.id) },
    created_at: { json: JSON.stringify(queued.created_at) },
    background: { json: 'true', add: true },
    store: { json: 'true', add: true },
    previous_response_id: { json: JSON.stringify(queued.previous_response_id ?? null), add: true },
  } as const;
  return {
    opening: [frameOf('response.created', queued), frameOf('response.queued', queued)],
    own: (frame) =>
      lifecycleOf(frame) === undefined ? frame : withData(frame, (data) => editMembersOf(data, 'response', known)),
    failed: failedFrame,
  };
}

/** The frame that says that an answer failed. It has no place in its stream yet. */
export function failedFrame(answer: JsonObject): string {
  return frameOf('response.failed', answer);
}

function frameOf(type: string, response: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, response })}\n\n`;
}

/** A frame at its place in the stream. */
export function numbered(frame: string, number: number): string {
  const sequence_number = { json: String(number), add: true } as const;
  return withData(frame, (data) => editMembers(data, { sequence_number }));
}
