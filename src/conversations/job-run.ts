import { createFrameCutter, type JsonObject, storedResponses } from '../../translators/index.js';
import type { Archive, Exchanged } from '../archive/index.js';
import { type GenerationRequest, serveExchange } from '../exchange/index.js';
import { createDeferred, type Deferred, isUnforeseen, toCanonicalError } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import { settleCall } from '../limits/index.js';
import { reportMadeAnswer } from '../observe/index.js';
import type { BackgroundJob } from './background-job.js';
import { detach } from './detached.js';
import { BROKEN, domainOf, failedAnswer, NOT_KEPT, STOPPED, TOO_LONG } from './job-outcome.js';
import { createJobRecord, type JobRecord, type RecordOutcome } from './job-record.js';
import { toPiece } from './pieces.js';
import type { ConversationServices } from './services.js';

/** How often, in milliseconds, what was streamed is made visible to other processes. */
const FLUSH_MS = 250;

/** The longest stream, in characters, that is held for those who read it. */
const STREAM_LIMIT = 64 * 1024 * 1024;

export interface BackgroundJobOptions {
  readonly gateway: ConversationServices;
  readonly archive: Archive;
  readonly tenant: string;
  /** The client's request; its connection is not used. */
  readonly call: ClientCall;
  readonly ask: GenerationRequest;
  /** The answer as the client got it: queued. */
  readonly queued: JsonObject;
  readonly exchanged: Pick<Exchanged, 'before' | 'input'>;
  /** The stream is kept piece by piece for those who read it later. */
  readonly streamed: boolean;
}

/** The state of an answer that is being made. */
interface Run extends BackgroundJobOptions {
  readonly id: string;
  readonly keys: ReturnType<typeof storedResponses.keysOf>;
  readonly lifecycle: ReturnType<typeof storedResponses.createBackgroundFrames>;
  readonly record: JobRecord;
  /** The request in the place of the client's own. */
  readonly detached: ReturnType<typeof detach>;
  readonly frames: string[];
  readonly listeners: Set<() => void>;
  readonly begun: Deferred<void>;
  /** A backend was asked. */
  asked: boolean;
  /** Of the stream, waiting for the frame behind them. */
  comments: string;
  /** Of the stream, in characters. */
  length: number;
  /** The answer as far as it is made. */
  shown: JsonObject;
  /** Pieces of the stream that are stored. */
  kept: number;
  /** Frames in them. */
  flushed: number;
  /** The last word is there, or is not waited for. */
  ending: Promise<void> | undefined;
  over: boolean;
}

/** Begins to make an answer. Its records must exist already. */
export function startJob(options: BackgroundJobOptions): BackgroundJob {
  const run = createRun(options);
  const { gateway, frames, streamed, listeners } = run;
  const flusher = setInterval(() => {
    if (run.ending === undefined && run.flushed < frames.length) write(run, () => flush(run));
  }, FLUSH_MS);
  gateway.enter();
  const finished = make(run)
    .catch(() => {})
    .then(() => {
      clearInterval(flusher);
      leave(run);
    });
  return {
    frames,
    streamed,
    get answer() {
      return run.shown;
    },
    get over() {
      return run.over;
    },
    begun: run.begun.promise,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async cancel() {
      run.ending ??= stop(run, cancelled(run));
      await run.ending;
      return run.shown;
    },
    async abandon() {
      run.ending ??= stop(run, failed(run, STOPPED));
      await run.ending;
    },
    finished,
  };
}

function createRun(options: BackgroundJobOptions): Run {
  const { gateway, archive, tenant, call, queued, streamed } = options;
  const id = String(queued.id);
  const lifecycle = storedResponses.createBackgroundFrames(queued);
  const cutter = createFrameCutter();
  const detached = detach(call, {
    write(text) {
      for (const frame of cutter.push(text)) take(run, frame);
    },
    asked() {
      run.asked = true;
      call.record.madeLater = true;
      run.begun.resolve();
    },
  });
  // It counts until it is made, and not until its first request is answered.
  detached.admission = call.admission?.handOver();
  const { logger } = gateway;
  const run: Run = {
    ...options,
    id,
    keys: storedResponses.keysOf(tenant, id),
    lifecycle,
    record: createJobRecord({ archive, tenant, id, streamed, logger, ended: (written) => endUnwanted(run, written) }),
    detached,
    frames: streamed ? lifecycle.opening.map(storedResponses.numbered) : [],
    listeners: new Set(),
    begun: createDeferred(),
    asked: false,
    comments: '',
    length: 0,
    shown: queued,
    kept: 0,
    flushed: 0,
    ending: undefined,
    over: false,
  };
  return run;
}

/** Has the answer made, to its end. */
async function make(run: Run): Promise<void> {
  const { gateway, archive, call, ask, keys, lifecycle, detached } = run;
  const thrown = await serveExchange(gateway, detached, ask).then(
    () => BROKEN,
    (error: unknown) => error,
  );
  if (!run.asked && run.ending === undefined) {
    run.ending = archive.store
      .delete([keys.answer, keys.turn, keys.run])
      .finally(() => close(run, failed(run, thrown)));
    await run.ending.catch(() => {});
    run.begun.reject(thrown);
  } else if (run.ending === undefined) {
    const answer = failed(run, thrown);
    if (isUnforeseen(thrown)) gateway.logger.error({ id: call.id, err: thrown }, 'unexpected failure');
    detached.record.error = toCanonicalError(thrown).kind;
    run.ending = finish(run, answer, lifecycle.failed(answer));
  }
  await run.ending;
}

/** Nothing is made any more. */
function leave(run: Run): void {
  const { gateway, begun, record, listeners, detached, id } = run;
  gateway.leave();
  begun.resolve();
  record.close();
  if (!run.over) close(run, run.shown);
  listeners.clear();
  settleCall(detached);
  reportMadeAnswer(gateway, detached, { id, status: String(run.shown.status), answer: run.shown });
}

/** Takes a frame of the answer's stream. */
function take(run: Run, frame: string): void {
  if (run.ending !== undefined || frame.trim() === '') return;
  // Comments have no number of their own.
  if (frame.startsWith(':')) {
    run.comments += run.streamed ? frame : '';
    return;
  }
  const own = run.lifecycle.own(frame);
  const moment = storedResponses.lifecycleOf(own);
  const answer = moment === undefined ? undefined : storedResponses.answerIn(own);
  if (storedResponses.isLast(moment)) {
    run.ending = finish(run, answer ?? run.shown, own);
    return;
  }
  if (answer !== undefined && run.shown === run.queued) {
    run.shown = { ...answer, status: 'in_progress' };
    write(run, () => run.archive.update(run.tenant, run.id, run.shown, run.kept));
  }
  // Said in the opening.
  if (moment === 'created' || moment === 'queued') return;
  push(run, own);
  notify(run);
}

function push(run: Run, frame: string): void {
  if (!run.streamed) return;
  run.frames.push(storedResponses.numbered(run.comments + frame, run.frames.length));
  run.length += frame.length + run.comments.length;
  run.comments = '';
  if (run.length > STREAM_LIMIT) run.ending = stop(run, failed(run, TOO_LONG));
}

function notify({ listeners }: Run): void {
  for (const listener of listeners) listener();
}

function close(run: Run, answer: JsonObject): void {
  run.shown = answer;
  run.over = true;
  notify(run);
}

/** Writes a record that nobody waits for; where the answer is not wanted any more it ends. */
function write(run: Run, work: () => Promise<void>): void {
  void run.record.write(work).then((written) => endUnwanted(run, written));
}

/** Makes what was streamed since the last time visible to other processes. */
async function flush(run: Run): Promise<void> {
  const { archive, tenant, id, keys, frames } = run;
  const most = frames.length;
  const value = await toPiece(Buffer.from(frames.slice(run.flushed, most).join('')));
  await archive.store.set([{ key: keys.piece(run.kept), value }]);
  run.flushed = most;
  run.kept += 1;
  await archive.update(tenant, id, run.shown, run.kept);
}

/** Keeps the answer, and only then tells its last word. */
async function finish(run: Run, answer: JsonObject, last: string): Promise<void> {
  const { gateway, archive, tenant, id, keys, frames, streamed, record, detached, exchanged } = run;
  const complete = answer.status === 'completed' || answer.status === 'incomplete';
  const word = storedResponses.numbered(run.comments + last, frames.length);
  await record.idle();
  const pieces = streamed ? [await toPiece(Buffer.from(frames.slice(run.flushed).join('') + word))] : [];
  const written = await record.write(async () => {
    const before = complete ? exchanged.before : undefined;
    const { input } = exchanged;
    const domain = domainOf(gateway, detached);
    await archive.keep(tenant, {
      id,
      response: answer,
      kept: run.kept,
      pieces,
      before,
      input,
      owner: undefined,
      domain,
    });
    await archive.store.delete([keys.run]);
  });
  if (streamed) frames.push(written === 'done' ? word : storedResponses.asNotKept(word));
  if (written === 'done' || written === 'forgotten') return close(run, answer);
  const instead = written === 'cancelled' ? cancelled(run) : failed(run, NOT_KEPT);
  await record.write(() => record.conclude(instead, run.kept), 'cancelled');
  close(run, instead);
}

/** Ends what is being made, and keeps `answer` in its place. */
async function stop(run: Run, answer: JsonObject): Promise<void> {
  const { detached, record, frames } = run;
  detached.gone = true;
  detached.running?.abort();
  await record.write(async () => {
    // Who reads the stream later finds what was sent before its end.
    if (run.flushed < frames.length) await flush(run).catch(() => {});
    await record.conclude(answer, run.kept);
  }, 'cancelled');
  close(run, answer);
}

function endUnwanted(run: Run, written: RecordOutcome): void {
  if (written === 'cancelled' || written === 'forgotten') run.ending ??= stop(run, cancelled(run));
}

function cancelled({ shown }: Run): JsonObject {
  return storedResponses.cancelledAnswer(shown);
}

function failed({ gateway, call, shown }: Run, thrown: unknown): JsonObject {
  return failedAnswer(gateway, call, shown, thrown);
}
