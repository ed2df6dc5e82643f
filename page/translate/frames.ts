import { segment, spansOf } from './spans.js';

/** One event of a stream in its text. The frames of a text follow each other without a gap. */
export interface Frame {
  readonly start: number;
  readonly end: number;
  /** Where its JSON is. */
  readonly data: { readonly start: number; readonly end: number };
  /** What the event is called, or says that it is; '' = nothing. */
  readonly name: string;
}

/** Cuts a stream into its events: server-sent ones, or the elements of one JSON array. */
export function framesOf(text: string): Frame[] {
  const frames = text.trimStart().startsWith('[') ? elementsOf(text) : eventsOf(text);
  const last = frames.at(-1);
  if (last === undefined) return [];
  return [...frames.slice(0, -1), { ...last, end: text.length }];
}

function eventsOf(text: string): Frame[] {
  const frames: Frame[] = [];
  const blank = /\r\n\r\n|\n\n|\r\r/g;
  let start = 0;
  while (start < text.length) {
    const end = blank.exec(text) === null ? text.length : blank.lastIndex;
    if (text.slice(start, end).trim() !== '') frames.push(eventOf(text, start, end));
    start = end;
  }
  return frames;
}

function eventOf(text: string, start: number, end: number): Frame {
  const frame = text.slice(start, end);
  const data = /^data: ?(.*)$/m.exec(frame);
  const from = start + (data === null ? 0 : data.index + data[0].length - (data[1] ?? '').length);
  const span = { start: from, end: data === null ? end : from + (data[1] ?? '').length };
  const named = /^event: ?(.*)$/m.exec(frame)?.[1]?.trim();
  return { start, end, data: span, name: named ?? typeOf(data?.[1] ?? '') };
}

/** Events without a name may have a type. */
function typeOf(data: string): string {
  return /^\{"type": ?"([\w.]{1,80})"/.exec(data)?.[1] ?? '';
}

/** The elements of a list, each with what stands between it and the one before. Text that is no JSON is one frame. */
function elementsOf(text: string): Frame[] {
  const whole = { start: 0, end: text.length, data: { start: 0, end: text.length }, name: '' };
  try {
    JSON.parse(text);
  } catch {
    return [whole];
  }
  const spans = spansOf(text);
  const frames: Frame[] = [];
  for (let index = 0; ; index++) {
    const data = spans.get(segment(index));
    if (data === undefined) return frames;
    frames.push({ start: frames.at(-1)?.end ?? 0, end: data.end, data, name: '' });
  }
}
