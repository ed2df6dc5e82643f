import { setTimeout as delay } from 'node:timers/promises';
import type { ClientCall } from '../client-call.js';
import type { Gateway } from '../gateway.js';
import { answerHeaders } from '../own-headers.js';
import { createOutlet } from '../relay.js';
import type { Archive } from './archive.js';
import { createFrameCutter, numberOf } from './frames.js';
import { fromPiece } from './pieces.js';
import { keysOf, readRecord, type StoredPiece } from './record.js';
import type { Run } from './run.js';
import { isUnfinished, standing } from './standing.js';

/** How often, in milliseconds, another process's run is asked for what is new. */
const POLL_MS = 200;
/** How many frames, or pieces of a stream, are taken at once. */
const STEP = 32;

/** Streams a run of this process: what it has said after the frame numbered `after`, and what it goes on to say. */
export function followRun(gateway: Gateway, call: ClientCall, run: Run, after: number): Promise<void> {
  let next = after + 1;
  return new Promise((resolve) => {
    const advance = (): void => {
      while (!reader.full && next < run.frames.length) {
        const frames = run.frames.slice(next, next + STEP);
        next += frames.length;
        reader.write(frames.join(''));
      }
      if (run.over && next >= run.frames.length) done();
    };
    const done = (): void => {
      stop();
      reader.end();
      resolve();
    };
    const reader = createReader(gateway, call, advance);
    const stop = run.listen(advance);
    call.running = { abort: done };
    if (call.gone) done();
    else advance();
  });
}

/** Streams an answer from what is kept of it, and goes on while another process makes it. */
export async function followStored(
  gateway: Gateway,
  archive: Archive,
  call: ClientCall,
  tenant: string,
  id: string,
  after: number,
): Promise<void> {
  let wake = (): void => {};
  const reader = createReader(gateway, call, () => wake());
  call.running = { abort: () => wake() };
  const keys = keysOf(tenant, id);
  const cutter = createFrameCutter();
  let piece = 0;
  while (!call.gone) {
    const found = await archive.answer(tenant, id);
    const stored = found && (await standing(gateway, tenant, id, found));
    const most = stored?.pieces ?? 0;
    while (piece < most && !call.gone) {
      const step = Math.min(most - piece, STEP);
      for (const record of await archive.store.get(Array.from({ length: step }, (_, n) => keys.piece(piece + n)))) {
        const kept = readRecord<StoredPiece>(record);
        const frames = kept === undefined ? [] : cutter.push(await fromPiece(kept));
        const text = frames.filter((frame) => (numberOf(frame) ?? 0) > after).join('');
        if (text !== '') reader.write(text);
        if (reader.full && !call.gone) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      piece += step;
    }
    if (stored === undefined || !isUnfinished(stored)) break;
    await delay(POLL_MS);
  }
  reader.end();
}

/** Who reads a stream that is kept. While nothing is said, comments keep the connection. */
interface Reader {
  /** Takes no more for now; `drained` is called when it does again. */
  readonly full: boolean;
  write(text: string): void;
  end(): void;
}

function createReader({ config: { limits } }: Gateway, call: ClientCall, drained: () => void): Reader {
  const head = () => ({
    ...answerHeaders(call),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  const outlet = createOutlet(call, head, limits.writeIdleSeconds);
  let full = false;
  outlet.source = {
    pause() {
      full = true;
    },
    resume() {
      full = false;
      drained();
    },
  };
  const silence = setInterval(() => {
    if (!full) outlet.write(': waiting\n\n');
  }, limits.heartbeatSeconds * 1000);
  return {
    get full() {
      return full;
    },
    write(text) {
      outlet.write(text);
      silence.refresh();
    },
    end() {
      clearInterval(silence);
      if (!outlet.begun) outlet.open();
      outlet.end();
    },
  };
}
