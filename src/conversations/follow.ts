import { setTimeout as delay } from 'node:timers/promises';
import { type CanonicalError, createFrameCutter, storedResponses } from '../../translators/index.js';
import type { Archive } from '../archive/index.js';
import { createEventReader } from '../exchange/index.js';
import { type ClientCall, runFor } from '../http/index.js';
import type { BackgroundJob } from './background-job.js';
import { readJobStatus } from './job-status.js';
import { fromPiece } from './pieces.js';
import type { ConversationServices } from './services.js';
import { errorFrame, terminalFrame } from './terminal-frame.js';

/** How often, in milliseconds, another process's run is asked for what is new. */
const POLL_MS = 200;
/** How many frames, or pieces of a stream, are taken at once. */
const STEP = 32;

/** The answer is finished, and pieces of its stream are missing or damaged. */
const LOST: CanonicalError = { kind: 'internal', message: 'the stream of this response is damaged' };

/** Streams a run of this process: what it has said after the frame numbered `after`, and what it goes on to say. */
export function followJob(
  gateway: ConversationServices,
  call: ClientCall,
  job: BackgroundJob,
  after: number,
): Promise<void> {
  let next = after + 1;
  return new Promise((resolve) => {
    let over = false;
    const advance = (): void => {
      while (!over && !reader.full && next < job.frames.length) {
        const frames = job.frames.slice(next, next + STEP);
        next += frames.length;
        reader.write(frames.join(''));
      }
      if (!over && job.over && next >= job.frames.length) {
        const missing = next === job.frames.length && !storedResponses.isTerminal(job.frames.at(-1) ?? '');
        done(missing ? terminalFrame(gateway, call, job.answer, next) : '');
      }
    };
    const done = (last: string): void => {
      over = true;
      stop();
      reader.end(last);
      resolve();
    };
    const reader = createEventReader(gateway, call, advance);
    const stop = job.listen(advance);
    // Who only went away hears nothing.
    runFor(call, {
      abort: (reason) => done(reason === undefined ? '' : errorFrame(gateway, call, reason.error, next)),
    });
    advance();
  });
}

/** Streams an answer from what is kept of it, and goes on while another process makes it. */
export async function followStored(
  gateway: ConversationServices,
  archive: Archive,
  call: ClientCall,
  tenant: string,
  id: string,
  after: number,
): Promise<void> {
  let wake = (): void => {};
  const reader = createEventReader(gateway, call, () => wake());
  runFor(call, { abort: () => wake() });
  const wanted = (): boolean => !call.gone && call.stopped === undefined;
  const keys = storedResponses.keysOf(tenant, id);
  const cutter = createFrameCutter();
  let piece = 0;
  let sent = after;
  /** The last frame that is kept. */
  let last = '';
  let word: string | undefined;
  /** A piece cannot be read: what follows it is no stream. */
  let lost = false;
  while (wanted()) {
    const found = await archive.answer(tenant, id);
    const stored = found && (await readJobStatus(gateway, tenant, id, found));
    const most = stored?.pieces ?? 0;
    while (piece < most && !lost && wanted()) {
      const step = Math.min(most - piece, STEP);
      for (const record of await archive.store.get(Array.from({ length: step }, (_, n) => keys.piece(piece + n)))) {
        const kept = storedResponses.readRecord<storedResponses.StoredPiece>(record);
        const text = kept === undefined ? '' : await fromPiece(kept).catch(() => '');
        lost = text === '';
        if (lost) break;
        const frames = cutter.push(text);
        last = frames.at(-1) ?? last;
        const fresh = frames.filter((frame) => (storedResponses.numberOf(frame) ?? 0) > after);
        if (fresh.length > 0) {
          reader.write(fresh.join(''));
          sent = storedResponses.numberOf(last) ?? sent;
        }
        if (reader.full && wanted()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      piece += step;
    }
    if (lost) {
      word = errorFrame(gateway, call, LOST, (storedResponses.numberOf(last) ?? -1) + 1);
      break;
    }
    if (piece >= most && (stored === undefined || !storedResponses.isUnfinished(stored))) {
      const number = (storedResponses.numberOf(last) ?? -1) + 1;
      // Who comes back after the last frame that was sent misses nothing.
      const ended = storedResponses.isTerminal(last) || number <= after;
      word = ended
        ? ''
        : terminalFrame(gateway, call, stored?.response, number) || errorFrame(gateway, call, LOST, number);
      break;
    }
    await delay(POLL_MS);
  }
  // Another process goes on with the answer.
  const { stopped } = call;
  reader.end(word ?? (stopped === undefined ? '' : errorFrame(gateway, call, stopped.error, sent)));
}
