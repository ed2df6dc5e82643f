import { setTimeout as delay } from 'node:timers/promises';
import type { CanonicalError } from '../../translators/index.js';
import { createOutlet } from '../exchange/relay.js';
import type { Gateway } from '../gateway.js';
import { type ClientCall, runFor } from '../http/client-call.js';
import { answerHeaders } from '../http/own-headers.js';
import type { Archive } from './archive.js';
import { endedWord } from './ended-word.js';
import { errorFrame } from './error-frame.js';
import { createFrameCutter, isTerminal, numberOf } from './frames.js';
import { fromPiece } from './pieces.js';
import { keysOf, readRecord, type StoredPiece } from './record.js';
import type { Run } from './run.js';
import { isUnfinished, standing } from './standing.js';

/** How often, in milliseconds, another process's run is asked for what is new. */
const POLL_MS = 200;
/** How many frames, or pieces of a stream, are taken at once. */
const STEP = 32;

/** The answer is finished, and pieces of its stream are missing or damaged. */
const LOST: CanonicalError = { kind: 'internal', message: 'the stream of this response is damaged' };

/** Streams a run of this process: what it has said after the frame numbered `after`, and what it goes on to say. */
export function followRun(gateway: Gateway, call: ClientCall, run: Run, after: number): Promise<void> {
  let next = after + 1;
  return new Promise((resolve) => {
    let over = false;
    const advance = (): void => {
      while (!over && !reader.full && next < run.frames.length) {
        const frames = run.frames.slice(next, next + STEP);
        next += frames.length;
        reader.write(frames.join(''));
      }
      if (!over && run.over && next >= run.frames.length) {
        const missing = next === run.frames.length && !isTerminal(run.frames.at(-1) ?? '');
        done(missing ? endedWord(gateway, call, run.answer, next) : '');
      }
    };
    const done = (last: string): void => {
      over = true;
      stop();
      reader.end(last);
      resolve();
    };
    const reader = createReader(gateway, call, advance);
    const stop = run.listen(advance);
    // Who only went away hears nothing.
    runFor(call, {
      abort: (reason) => done(reason === undefined ? '' : errorFrame(gateway, call, reason.error, next)),
    });
    advance();
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
  runFor(call, { abort: () => wake() });
  const wanted = (): boolean => !call.gone && call.stopped === undefined;
  const keys = keysOf(tenant, id);
  const cutter = createFrameCutter();
  let piece = 0;
  let told = after;
  /** The last frame that is kept. */
  let last = '';
  let word: string | undefined;
  while (wanted()) {
    const found = await archive.answer(tenant, id);
    const stored = found && (await standing(gateway, tenant, id, found));
    const most = stored?.pieces ?? 0;
    while (piece < most && wanted()) {
      const step = Math.min(most - piece, STEP);
      for (const record of await archive.store.get(Array.from({ length: step }, (_, n) => keys.piece(piece + n)))) {
        const kept = readRecord<StoredPiece>(record);
        const frames = kept === undefined ? [] : cutter.push(await fromPiece(kept).catch(() => ''));
        last = frames.at(-1) ?? last;
        const fresh = frames.filter((frame) => (numberOf(frame) ?? 0) > after);
        if (fresh.length > 0) {
          reader.write(fresh.join(''));
          told = numberOf(last) ?? told;
        }
        if (reader.full && wanted()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      piece += step;
    }
    if (piece >= most && (stored === undefined || !isUnfinished(stored))) {
      const number = (numberOf(last) ?? -1) + 1;
      // Who comes back after the last frame that was told misses nothing.
      const ended = isTerminal(last) || number <= after;
      word = ended ? '' : endedWord(gateway, call, stored?.response, number) || errorFrame(gateway, call, LOST, number);
      break;
    }
    await delay(POLL_MS);
  }
  // Another process goes on with the answer.
  const { stopped } = call;
  reader.end(word ?? (stopped === undefined ? '' : errorFrame(gateway, call, stopped.error, told)));
}

/** Who reads a stream that is kept. While nothing is said, comments keep the connection. */
interface Reader {
  /** Takes no more for now; `drained` is called when it does again. */
  readonly full: boolean;
  write(text: string): void;
  /** `last` is written before the end, though it is taken no more. */
  end(last?: string): void;
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
    end(last = '') {
      clearInterval(silence);
      if (last !== '') outlet.write(last);
      if (!outlet.begun) outlet.open();
      outlet.end();
    },
  };
}
