import { isObject } from '../detect.js';
import { framesOf } from '../frames.js';
import type { JsonObject } from '../library.js';

/** One event of a stream, as people look at it. */
export interface StreamEvent {
  readonly start: number;
  readonly end: number;
  /** '' = it has none. */
  readonly name: string;
  /** Its data as it stands there. */
  readonly data: string;
  /** UTF-8 bytes of its frame. */
  readonly bytes: number;
  /** What it says to whoever reads the answer; '' = nothing. */
  readonly said: string;
}

/** The events of a stream in any dialect. */
export function eventsOf(text: string): readonly StreamEvent[] {
  const encoder = new TextEncoder();
  return framesOf(text).map(({ start, end, data: place, name }) => {
    const data = text.slice(place.start, place.end);
    return { start, end, name, data, bytes: encoder.encode(text.slice(start, end)).length, said: saidIn(data) };
  });
}

/** The text in the data of an event: each dialect has it in a place of its own. */
function saidIn(data: string): string {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return '';
  }
  if (!isObject(event)) return '';
  const { delta, choices, candidates, type } = event;
  if (type === 'response.output_text.delta') return textOf(delta);
  if (type === 'content_block_delta') return isObject(delta) ? textOf(delta.text) : '';
  const [choice] = listOf(choices);
  if (isObject(choice?.delta)) return textOf(choice.delta.content);
  const [candidate] = listOf(candidates);
  const parts = isObject(candidate?.content) ? listOf(candidate.content.parts) : [];
  return parts.map((part) => (part.thought === true ? '' : textOf(part.text))).join('');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
