import { setTimeout as sleep } from 'node:timers/promises';
import type { CanonicalError, CanonicalResponse, Dialect, Part, StreamEvent } from '../../translators/index.js';
import { cutByLength, cutIntoDeltas } from './tokens.js';

type StreamEncoder = ReturnType<Dialect['createStreamEncoder']>;

/** How a stream differs from one that goes well. */
export interface Delivery {
  /** Breaks off after three deltas, or in front of the finish: with a failure in band, or with nothing. */
  readonly broken?: { readonly failure?: CanonicalError };
  /** Reasoning comes in whole paragraphs. */
  readonly paragraphs: boolean;
  /** Pauses between two deltas. */
  readonly slow: boolean;
  readonly signal: AbortSignal | undefined;
}

const BREAK_AFTER = 3;
const SLOW_MS = 50;

/** The bytes of a streamed answer, one piece per event. Ends early, without an error, once the signal is given. */
export async function* streamAnswer(
  response: CanonicalResponse,
  encoder: StreamEncoder,
  { broken, paragraphs, slow, signal }: Delivery,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  let deltas = 0;
  for (const event of eventsOf(response, paragraphs)) {
    if (signal?.aborted) return;
    const isDelta = event.type === 'part.delta';
    if (broken !== undefined && (event.type === 'finish' || (isDelta && deltas >= BREAK_AFTER))) {
      const { failure: error } = broken;
      if (error !== undefined) yield utf8.encode(encoder.encode({ type: 'error', error }));
      return;
    }
    if (isDelta) {
      deltas += 1;
      if (slow && !(await pause(signal))) return;
    }
    const text = encoder.encode(event);
    if (text !== '') yield utf8.encode(text);
  }
}

async function pause(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(SLOW_MS, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

function* eventsOf(
  { id, model, tier, usage = {}, parts, finish }: CanonicalResponse,
  paragraphs: boolean,
): Generator<StreamEvent> {
  const { input, cacheRead, cacheWrite } = usage;
  yield { type: 'start', id, model, ...(tier !== undefined && { tier }), usage: { input, cacheRead, cacheWrite } };
  for (const [ix, part] of parts.entries()) {
    yield { type: 'part.start', ix, part: emptied(part) };
    yield* deltasOf(part, ix, paragraphs);
    yield { type: 'part.end', ix, part };
  }
  yield { type: 'usage', usage };
  yield { type: 'finish', finish };
  yield { type: 'end', ...(tier !== undefined && { tier }) };
}

function emptied(part: Part): Part {
  switch (part.kind) {
    case 'text':
      return { ...part, text: '' };
    case 'reasoning':
      return { kind: 'reasoning', id: part.id, text: [] };
    case 'call':
      return { ...part, args: {}, ...(part.freeform !== undefined && { freeform: '' }) };
    default:
      return part;
  }
}

const FRAGMENT = 12;

function* deltasOf(part: Part, ix: number, paragraphs: boolean): Generator<StreamEvent> {
  if (part.kind === 'text') {
    for (const value of cutIntoDeltas(part.text)) yield { type: 'part.delta', ix, op: 'text', value };
  } else if (part.kind === 'reasoning') {
    for (const [sub, text] of part.text.entries()) {
      const values = paragraphs ? [text] : cutIntoDeltas(text);
      for (const value of values) yield { type: 'part.delta', ix, op: 'reasoning', value, sub };
    }
  } else if (part.kind === 'call') {
    const op = part.freeform === undefined ? 'args' : 'freeform';
    for (const value of cutByLength(part.freeform ?? JSON.stringify(part.args.value), FRAGMENT)) {
      yield { type: 'part.delta', ix, op, value };
    }
  }
}
