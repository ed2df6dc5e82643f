import { createFrameCutter, type JsonObject, storedResponses } from '../../translators/index.js';
import { type Ask, serveExchange } from '../exchange/index.js';
import { isUnforeseen, toCanonicalError } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import { settleCall } from '../limits/index.js';
import { reportMadeAnswer } from '../observe/index.js';
import type { Archive } from './archive.js';
import { detach } from './detached.js';
import type { Exchanged } from './exchanged.js';
import { BROKEN, domainOf, failedAnswer, NOT_KEPT, STOPPED, TOO_LONG } from './job-outcome.js';
import { createJobRecord, type Written } from './job-record.js';
import { toPiece } from './pieces.js';
import type { ConversationServices } from './services.js';

/** How often, in milliseconds, what was streamed is made visible to other processes. */
const FLUSH_MS = 250;

/** The longest stream, in characters, that is held for those who read it. */
const STREAM_LIMIT = 64 * 1024 * 1024;

/** An answer that is made in the background. */
export interface BackgroundJob {
  /** The frames so far, each at the index of its number; none when nobody wants a stream. */
  readonly frames: readonly string[];
  readonly streamed: boolean;
  /** The answer as far as it is made. */
  readonly answer: JsonObject;
  /** Nothing comes any more, and what came is kept. */
  readonly over: boolean;
  /** Resolves when a backend was asked; rejects with why none can be, and then nothing is kept. */
  readonly begun: Promise<void>;
  /** Hears of new frames and of the end; gives the way to listen no more. */
  listen(listener: () => void): () => void;
  /** Resolves when the answer is kept as cancelled, or as it was finished before. */
  cancel(): Promise<JsonObject>;
  /** Resolves when the answer is kept as one that could not be finished. */
  abandon(): Promise<void>;
  readonly finished: Promise<void>;
}

export interface BackgroundJobOptions {
  readonly gateway: ConversationServices;
  readonly archive: Archive;
  readonly tenant: string;
  /** The client's request; its connection is not used. */
  readonly call: ClientCall;
  readonly ask: Ask;
  /** The answer as the client got it: queued. */
  readonly queued: JsonObject;
  readonly exchanged: Pick<Exchanged, 'before' | 'input'>;
  /** The stream is kept piece by piece for those who read it later. */
  readonly streamed: boolean;
}

/** Begins to make an answer. Its records must exist already. */
export function startJob({
  gateway,
  archive,
  tenant,
  call,
  ask,
  queued,
  exchanged,
  streamed,
}: BackgroundJobOptions): BackgroundJob {
  const id = String(queued.id);
  const keys = storedResponses.keysOf(tenant, id);
  const lifecycle = storedResponses.createBackgroundFrames(queued);
  const frames: string[] = streamed ? lifecycle.opening.map(storedResponses.numbered) : [];
  const listeners = new Set<() => void>();
  const cutter = createFrameCutter();
  let comments = '';
  let length = 0;
  let shown = queued;
  let kept = 0;
  let flushed = 0;
  /** The last word is there, or is not waited for. */
  let ending: Promise<void> | undefined;
  let over = false;

  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const push = (frame: string): void => {
    if (!streamed) return;
    frames.push(storedResponses.numbered(comments + frame, frames.length));
    length += frame.length + comments.length;
    comments = '';
    if (length > STREAM_LIMIT) ending = stop(failed(TOO_LONG));
  };
  const close = (answer: JsonObject): void => {
    shown = answer;
    over = true;
    notify();
  };

  const take = (frame: string): void => {
    if (ending !== undefined) return;
    if (frame.trim() === '') return;
    // Comments have no number of their own.
    if (frame.startsWith(':')) {
      comments += streamed ? frame : '';
      return;
    }
    const own = lifecycle.own(frame);
    const moment = storedResponses.lifecycleOf(own);
    const answer = moment === undefined ? undefined : storedResponses.answerIn(own);
    if (storedResponses.isLast(moment)) {
      ending = finish(answer ?? shown, own);
      return;
    }
    if (answer !== undefined && shown === queued) {
      shown = { ...answer, status: 'in_progress' };
      void record.write(() => archive.update(tenant, id, shown, kept)).then(ended);
    }
    // Said in the opening.
    if (moment === 'created' || moment === 'queued') return;
    push(own);
    notify();
  };

  /** Makes what was streamed since the last time visible to other processes. */
  const flush = async (): Promise<void> => {
    const most = frames.length;
    const value = await toPiece(frames.slice(flushed, most).join(''));
    await archive.store.set([{ key: keys.piece(kept), value }]);
    flushed = most;
    kept += 1;
    await archive.update(tenant, id, shown, kept);
  };
  const flusher = setInterval(() => {
    if (ending === undefined && flushed < frames.length) void record.write(flush).then(ended);
  }, FLUSH_MS);

  /** Keeps the answer, and only then tells its last word. */
  const finish = async (answer: JsonObject, last: string): Promise<void> => {
    const complete = answer.status === 'completed' || answer.status === 'incomplete';
    const word = storedResponses.numbered(comments + last, frames.length);
    await record.idle();
    const pieces = streamed ? [await toPiece(frames.slice(flushed).join('') + word)] : [];
    const written = await record.write(async () => {
      const before = complete ? exchanged.before : undefined;
      const { input } = exchanged;
      const domain = domainOf(gateway, detached);
      await archive.keep(tenant, { id, response: answer, kept, pieces, before, input, owner: undefined, domain });
      await archive.store.delete([keys.run]);
    });
    if (streamed) frames.push(written === 'done' ? word : storedResponses.asNotKept(word));
    if (written === 'done' || written === 'forgotten') return close(answer);
    const instead = written === 'cancelled' ? cancelled() : failed(NOT_KEPT);
    await record.write(() => record.conclude(instead, kept), 'cancelled');
    close(instead);
  };
  /** Ends what is being made, and keeps `answer` in its place. */
  const stop = async (answer: JsonObject): Promise<void> => {
    detached.gone = true;
    detached.running?.abort();
    await record.write(async () => {
      // Who reads the stream later finds what was sent before its end.
      if (flushed < frames.length) await flush().catch(() => {});
      await record.conclude(answer, kept);
    }, 'cancelled');
    close(answer);
  };
  const ended = (written: Written): void => {
    if (written === 'cancelled' || written === 'forgotten') ending ??= stop(cancelled());
  };
  const record = createJobRecord({ archive, tenant, id, streamed, logger: gateway.logger, ended });

  const cancelled = (): JsonObject => storedResponses.cancelledAnswer(shown);
  const failed = (thrown: unknown): JsonObject => failedAnswer(gateway, call, shown, thrown);

  let answered = false;
  let asked: () => void = () => {};
  let refused: (reason: unknown) => void = () => {};
  const begun = new Promise<void>((resolve, reject) => {
    asked = resolve;
    refused = reject;
  });
  const detached = detach(call, {
    write(text) {
      for (const frame of cutter.push(text)) take(frame);
    },
    asked() {
      answered = true;
      asked();
    },
  });
  // It counts until it is made, and not until its first request is answered.
  detached.admission = call.admission?.handOver();

  const make = async (): Promise<void> => {
    const thrown = await serveExchange(gateway, detached, ask).then(
      () => BROKEN,
      (error: unknown) => error,
    );
    if (!answered && ending === undefined) {
      ending = archive.store.delete([keys.answer, keys.turn, keys.run]).finally(() => close(failed(thrown)));
      await ending.catch(() => {});
      refused(thrown);
    } else if (ending === undefined) {
      const answer = failed(thrown);
      if (isUnforeseen(thrown)) gateway.logger.error({ id: call.id, err: thrown }, 'unforeseen failure');
      detached.record.error = toCanonicalError(thrown).kind;
      ending = finish(answer, lifecycle.failed(answer));
    }
    await ending;
  };
  gateway.enter();
  const finished = make()
    .catch(() => {})
    .then(() => {
      gateway.leave();
      asked();
      clearInterval(flusher);
      record.close();
      if (!over) close(shown);
      listeners.clear();
      settleCall(detached);
      reportMadeAnswer(gateway, detached, { id, status: String(shown.status), answer: shown });
    });

  return {
    frames,
    streamed,
    get answer() {
      return shown;
    },
    get over() {
      return over;
    },
    begun,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async cancel() {
      ending ??= stop(cancelled());
      await ending;
      return shown;
    },
    async abandon() {
      ending ??= stop(failed(STOPPED));
      await ending;
    },
    finished,
  };
}
