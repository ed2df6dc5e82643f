import { setTimeout as sleep } from 'node:timers/promises';

/** One write of a stream. `delta` carries content; `end` is the first frame that announces the finish. */
export interface Frame {
  readonly text: string;
  readonly mark?: 'delta' | 'end';
}

/** A dialect's stream: its frames, and the frames with which it fails at the point it has reached. */
export interface DialectStream {
  readonly frames: Iterable<Frame>;
  /** In-band failure; the wording of `status` is the dialect's. */
  fail(status: number, message: string): string[];
}

/** How a stream leaves the straight way. */
export interface Delivery {
  /** Stop after so many deltas (or in front of the finish, if that comes first), with the in-band failure or with nothing. */
  readonly breakAfter?: number;
  readonly failure?: { readonly status: number; readonly message: string };
  /** Milliseconds between two deltas. */
  readonly paceMs?: number;
  readonly signal?: AbortSignal;
}

/** The bytes of a stream, one piece per frame. Ends early, without an error, once the signal is given. */
export async function* deliver(stream: DialectStream, delivery: Delivery): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let deltas = 0;
  for (const frame of stream.frames) {
    if (delivery.signal?.aborted) return;
    const broken = delivery.breakAfter !== undefined && (frame.mark === 'end' || deltas >= delivery.breakAfter);
    if (broken) {
      const { failure } = delivery;
      if (failure) for (const text of stream.fail(failure.status, failure.message)) yield encoder.encode(text);
      return;
    }
    if (frame.mark === 'delta') {
      deltas += 1;
      if (delivery.paceMs && !(await pause(delivery.paceMs, delivery.signal))) return;
    }
    yield encoder.encode(frame.text);
  }
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
