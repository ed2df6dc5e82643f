import type { CallPart, Part, RefusalPart, TextPart } from '../canonical/content.js';
import type { EventSink, StreamEvent } from '../canonical/events.js';
import type { CanonicalResponse, Finish } from '../canonical/response.js';
import { type AppendedText, createAppendedText } from '../wire/appended-text.js';

/** Cuts a stream at stop strings that its backend does not know (translation.md 2.11). */
export interface StopCut {
  readonly sink: EventSink;
  /** The answer was cut: what still comes is ignored and the host should abort the call. */
  readonly cut: boolean;
}

/** A text on its way, or a refusal, in which nothing is looked for. */
interface OpenText {
  readonly head: TextPart | RefusalPart;
  /** What was passed on. */
  readonly sent: AppendedText;
  /** Held back, because it may begin a stop string. */
  held: string;
  /** Citations of words that are held back. */
  cites: CitationEvent[];
}

/** A call on its way, and its arguments so far. */
interface OpenCall {
  readonly head: CallPart;
  readonly said: AppendedText;
}

type CitationEvent = Extract<StreamEvent, { readonly type: 'part.citation' }>;

/** A stage in front of `next` that ends the answer before the first stop string in visible text. */
export function createStopCut(stops: readonly string[], next: EventSink): StopCut {
  const words = stops.filter((stop) => stop !== '');
  const reach = Math.max(0, ...words.map((word) => word.length)) - 1;
  const open = new Map<number, OpenText>();
  const calls = new Map<number, OpenCall>();
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
    state.sent.add(ready);
    state.held = pending.slice(upTo);
    if (state.cites.length > 0) state.cites = state.cites.filter((event) => !cite(event, state, last));
    if (hit === undefined) return false;
    for (const [earlier, whole] of open) if (earlier < ix) release(earlier, whole);
    for (const [earlier, call] of calls) if (earlier < ix) breakOff(earlier, call);
    end(ix, state);
    finish(hit.word);
    return true;
  };

  const end = (ix: number, { head, sent }: OpenText): void =>
    next({ type: 'part.end', ix, part: { ...head, text: sent.read() } });

  /** Ends a text with what is held of it: some dialects end their texts only with the item that they are in. */
  const release = (ix: number, state: OpenText): void => {
    if (state.held !== '') next({ type: 'part.delta', ix, op: 'text', value: state.held });
    state.sent.add(state.held);
    for (const event of state.cites) next(event);
    end(ix, state);
  };

  /** Ends a call of which the rest is not waited for. */
  const breakOff = (ix: number, { head, said }: OpenCall): void => {
    const text = said.read();
    const given = head.freeform === undefined ? { args: { text } } : { freeform: text };
    next({ type: 'part.end', ix, part: { ...head, ...given, truncated: true } });
  };

  /** Passes a citation on when its words are, or are all that there will be. */
  const cite = (event: CitationEvent, { sent }: OpenText, last: boolean): boolean => {
    const ready = last || (event.citation.span?.end ?? 0) <= sent.length;
    if (ready) next(event);
    return ready;
  };

  const sink = (event: StreamEvent): void => {
    if (cut) return;
    if (event.type === 'part.start' && (event.part.kind === 'text' || event.part.kind === 'refusal')) {
      open.set(event.ix, { head: event.part, sent: createAppendedText(event.said), held: '', cites: [] });
    } else if (event.type === 'part.start' && event.part.kind === 'call') {
      calls.set(event.ix, { head: event.part, said: createAppendedText(event.said) });
    } else if (event.type === 'part.citation') {
      const state = open.get(event.ix);
      if (state !== undefined && !cite(event, state, false)) state.cites.push(event);
      if (state !== undefined) return;
    } else if (event.type === 'part.delta') {
      const state = open.get(event.ix);
      if (state?.head.kind === 'text' && event.op === 'text') {
        text(event.ix, state, event.value, false);
        return;
      }
      if (state !== undefined) state.sent.add(event.value);
      else calls.get(event.ix)?.said.add(event.value);
    } else if (event.type === 'part.end') {
      const state = open.get(event.ix);
      open.delete(event.ix);
      calls.delete(event.ix);
      if (state?.head.kind === 'text' && text(event.ix, state, '', true)) return;
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
    if (hit.at > 0 || part.state !== undefined) parts.push(cutText(part, hit.at));
    return { ...response, parts, finish: stopped(hit.word) };
  }
  return response;
}

/** The beginning of a text, with what cites nothing behind it. */
function cutText(part: TextPart, length: number): TextPart {
  const citations = part.citations?.filter(({ span }) => (span?.end ?? 0) <= length);
  return { ...part, text: part.text.slice(0, length), citations };
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
