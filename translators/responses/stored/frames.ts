import type { JsonObject } from '../../canonical/node.js';
import { isObject, jsonDepth } from '../../wire/json.js';
import { editMembersOf } from '../../wire/json-members.js';

/** The events of an answer's stream that show the whole answer as it stands. */
const LIFECYCLE = new Map(
  (['created', 'queued', 'in_progress', 'completed', 'incomplete', 'failed'] as const).map((moment) => [
    `response.${moment}`,
    moment,
  ]),
);
const TERMINAL = new Set<unknown>(['completed', 'incomplete', 'failed']);

/** Which moment of the answer a frame tells, where it tells one. Frames without a name are told by their data. */
export function lifecycleOf(frame: string): string | undefined {
  const named = fieldOf(frame, 'event:');
  const name = named === undefined ? dataOf(frame)?.type : frame.slice(named.start, named.end);
  return typeof name === 'string' ? LIFECYCLE.get(name) : undefined;
}

/** Whether a frame is the last word of an answer. */
export function isTerminal(frame: string): boolean {
  return TERMINAL.has(lifecycleOf(frame));
}

/** Whether a moment is the last. */
export function isLast(moment: string | undefined): boolean {
  return TERMINAL.has(moment);
}

/** The answer that a lifecycle frame shows. */
export function answerIn(frame: string): JsonObject | undefined {
  const data = dataOf(frame);
  return data !== undefined && isObject(data.response) ? data.response : undefined;
}

/** How the data of frames begin that show the answer, as they are made here: nothing stands behind the answer. */
const OWN = /^event: [a-z._]+\ndata: \{"type":"[a-z._]+","sequence_number":\d+,"response":/;

/** An answer in the frame that shows it. */
export interface ShownAnswer {
  readonly answer: JsonObject;
  /** Where its text is in the UTF-8 of the frame, where that was made here: `end` from its end, below 0. */
  readonly place?: { readonly start: number; readonly end: number };
}

/** The first members of an answer that its later frames change, as the first frames print them; those behind may change too. */
const UNBEGUN = ',"output":[],"status":"in_progress",';

/**
 * The offset, in the JSON of an answer, of the first member that later frames change, which is the same in all of its frames. `frames` are the
 * first ones that show it; undefined for frames that were not made here.
 */
export function offsetOfChanges(frames: string): number | undefined {
  const [head] = OWN.exec(frames) ?? [];
  if (head === undefined) return undefined;
  const at = frames.lastIndexOf(UNBEGUN, frames.indexOf('\n', head.length));
  return at < head.length ? undefined : at - head.length;
}

/**
 * The answer that a lifecycle frame shows. With the offset of {@link offsetOfChanges} only its id and the members from there on are parsed, and
 * not what it repeats of the request, which may be long.
 */
export function shownIn(frame: string, offset?: number): ShownAnswer | undefined {
  const [head] = OWN.exec(frame) ?? [];
  if (head === undefined) {
    const answer = answerIn(frame);
    return answer && { answer };
  }
  const end = frame.lastIndexOf('}');
  const place = { start: head.length, end: end - frame.length };
  const brief = offset === undefined ? undefined : changedIn(frame.slice(head.length, end), offset);
  return { answer: brief ?? JSON.parse(frame.slice(head.length, end)), place };
}

/**
 * The id of an answer and its members from `offset` on; undefined where these do not begin there. What looks like them inside a text or another
 * object is not taken for them: the JSON from there to the end of the answer would not parse as an object.
 */
function changedIn(answer: string, offset: number): JsonObject | undefined {
  const [, id] = /^\{"id":"([\w-]+)",/.exec(answer.slice(0, 300)) ?? [];
  if (id === undefined || !answer.startsWith(',"output":[', offset)) return undefined;
  try {
    return { id, ...JSON.parse(`{${answer.slice(offset + 1)}`) };
  } catch {
    return undefined;
  }
}

/** Where the last frame of a text of whole frames of ours begins. Line feeds in data are escaped: what follows one is a line of the stream. */
export function lastFrameAt(frames: string): number {
  return frames.lastIndexOf('\nevent: ') + 1;
}

/** The position of a frame in its stream. */
export function numberOf(frame: string): number | undefined {
  const found = /"sequence_number": ?(\d+)/.exec(frame.slice(0, 200));
  if (found !== null) return Number(found[1]);
  const number = dataOf(frame)?.sequence_number;
  return typeof number === 'number' ? number : undefined;
}

/** The same frame with another text of its data. */
export function withData(frame: string, change: (json: string) => string): string {
  const data = fieldOf(frame, 'data:');
  if (data === undefined) return frame;
  return frame.slice(0, data.start) + change(frame.slice(data.start, data.end)) + frame.slice(data.end);
}

/**
 * Where the first field of a name is in a frame: where its line begins, and its value without the space before it.
 * Lines end at LF, CRLF or CR and nowhere else; for a pattern with `m` they end at U+2028 too, which JSON may hold.
 */
function fieldOf(frame: string, name: string): { line: number; start: number; end: number } | undefined {
  for (let line = 0; line < frame.length; ) {
    const feed = frame.indexOf('\n', line);
    const most = feed === -1 ? frame.length : feed;
    const back = frame.slice(line, most).indexOf('\r');
    const end = back === -1 ? most : line + back;
    if (frame.startsWith(name, line)) {
      const value = line + name.length;
      return { line, start: frame[value] === ' ' ? value + 1 : value, end };
    }
    line = end + 1;
  }
  return undefined;
}

/** The deepest that `limits.jsonDepth` may be. What is deeper in a relayed stream reaches its client and is not looked into. */
const DEEPEST = 1000;

function dataOf(frame: string): JsonObject | undefined {
  const data = fieldOf(frame, 'data:');
  if (data === undefined) return undefined;
  const json = frame.slice(data.start, data.end);
  if (jsonDepth(json, DEEPEST)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const NOT_KEPT = { store: { json: 'false' } } as const;

/** The last frame of an answer, saying that it is not kept. */
export function asNotKept(frame: string): string {
  return withData(frame, (json) => editMembersOf(json, 'response', NOT_KEPT));
}

/** The frame that ends a stream with an error, whose body the dialect has encoded. */
export function errorFrame(encoded: JsonObject, sequence_number: number): string {
  return frameOf({ ...(isObject(encoded.error) && encoded.error), ...encoded, type: 'error', sequence_number });
}

/** The frame of one event. */
export function frameOf(event: JsonObject): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
