import type { Part, TextPart } from '../canonical/content.js';
import type { EventSink, StreamEvent } from '../canonical/events.js';
import type { CanonicalResponse, Finish } from '../canonical/response.js';

/** Cuts a stream at stop strings that its backend does not know (translation.md 2.11). */
export interface StopCut {
  readonly sink: EventSink;
  /** The answer was cut: what still comes is ignored and the host should abort the call. */
  readonly cut: boolean;
}

interface OpenText {
  readonly head: TextPart;
  /** What was passed on. */
  sent: string;
  /** Held back, because it may begin a stop string. */
  held: string;
}

/** A stage in front of `next` that ends the answer before the first stop string in visible text. */
export function createStopCut(stops: readonly string[], next: EventSink): StopCut {
  const words = stops.filter((stop) => stop !== '');
  const reach = Math.max(0, ...words.map((word) => word.length)) - 1;
  const open = new Map<number, OpenText>();
  let cut = false;

  const finish = (word: string): void => {
    cut = true;
    next({ type: 'finish', finish: stopped(word) });
    next({ type: 'end' });
  };

  const text = (ix: number, state: OpenText, more: string, last: boolean): boolean => {
    const pending = state.held + more;
    const hit = firstStop(pending, words);
    const keep = last ? 0 : reach;
    const upTo = hit?.at ?? Math.max(0, pending.length - keep);
    const ready = pending.slice(0, upTo);
    if (ready !== '') next({ type: 'part.delta', ix, op: 'text', value: ready });
    state.sent += ready;
    state.held = pending.slice(upTo);
    if (hit === undefined) return false;
    next({ type: 'part.end', ix, part: { ...state.head, text: state.sent } });
    finish(hit.word);
    return true;
  };

  const sink = (event: StreamEvent): void => {
    if (cut) return;
    if (event.type === 'part.start' && event.part.kind === 'text') {
      open.set(event.ix, { head: event.part, sent: '', held: '' });
    } else if (event.type === 'part.delta' && event.op === 'text') {
      const state = open.get(event.ix);
      if (state !== undefined) {
        text(event.ix, state, event.value, false);
        return;
      }
    } else if (event.type === 'part.end') {
      const state = open.get(event.ix);
      open.delete(event.ix);
      if (state !== undefined && text(event.ix, state, '', true)) return;
    }
    next(event);
  };
  return {
    sink,
    get cut() {
      return cut;
    },
  };
}

/** A whole answer, ended before the first stop string in its visible text. */
export function cutResponse(response: CanonicalResponse, stops: readonly string[]): CanonicalResponse {
  const words = stops.filter((stop) => stop !== '');
  const parts: Part[] = [];
  for (const part of response.parts) {
    const hit = part.kind === 'text' ? firstStop(part.text, words) : undefined;
    if (part.kind !== 'text' || hit === undefined) {
      parts.push(part);
      continue;
    }
    if (hit.at > 0) parts.push({ ...part, text: part.text.slice(0, hit.at) });
    return { ...response, parts, finish: stopped(hit.word) };
  }
  return response;
}

function stopped(word: string): Finish {
  return { kind: 'stop_sequence', raw: 'stop_sequence', dialect: '', stopSequence: word };
}

/** The stop string that is complete first, as a service that watches token by token would see it. */
function firstStop(text: string, words: readonly string[]): { readonly at: number; readonly word: string } | undefined {
  let best: { at: number; word: string } | undefined;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) continue;
    const end = at + word.length;
    const bestEnd = best === undefined ? Number.POSITIVE_INFINITY : best.at + best.word.length;
    if (end < bestEnd || (end === bestEnd && at < (best?.at ?? 0))) best = { at, word };
  }
  return best;
}
