import type { JsonObject } from '../../translators/index.js';
import type { Ask } from '../exchange/passage.js';
import { serveExchange } from '../exchange.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { isUnforeseen, toCanonicalError } from '../http/failure.js';
import { tellMadeAnswer } from '../observe/told.js';
import type { Archive } from './archive.js';
import { detach } from './detached.js';
import type { Exchanged } from './exchanged.js';
import { answerIn, createFrameCutter, isLast, lifecycleOf } from './frames.js';
import { toldAsNotKept } from './kept-answer.js';
import { toPiece } from './pieces.js';
import { keysOf } from './record.js';
import { createRunFrames, numbered } from './run-frames.js';
import { BROKEN, domainOf, failedAnswer, NOT_KEPT, STOPPED, TOO_LONG } from './run-outcome.js';
import { createRunRecord, type Written } from './run-record.js';

/** How often, in milliseconds, what was streamed is made visible to other processes. */
const FLUSH_MS = 250;

/** The longest stream, in characters, that is held for those who read it. */
const STREAM_LIMIT = 64 * 1024 * 1024;

/** An answer that is made in the background. */
export interface Run {
  /** The frames so far, each at the index of its number; none when nobody wants a stream. */
  readonly frames: readonly string[];
  readonly streamed: boolean;
  /** The answer as it stands. */
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

export interface RunOptions {
  readonly gateway: Gateway;
  readonly archive: Archive;
  readonly tenant: string;
  /** The client's request; its connection is not used. */
  readonly call: ClientCall;
  readonly ask: Ask;
  /** The answer as it was told to the client: queued. */
  readonly queued: JsonObject;
  readonly exchanged: Pick<Exchanged, 'before' | 'input'>;
  /** The stream is kept piece by piece for those who read it later. */
  readonly streamed: boolean;
}

/** Begins to make an answer. Its records must exist already. */
export function startRun({ gateway, archive, tenant, call, ask, queued, exchanged, streamed }: RunOptions): Run {
  const id = String(queued.id);
  const keys = keysOf(tenant, id);
  const told = createRunFrames(queued);
  const frames: string[] = streamed ? told.opening.map(numbered) : [];
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

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const push = (frame: string): void => {
    if (!streamed) return;
    frames.push(numbered(comments + frame, frames.length));
    length += frame.length + comments.length;
    comments = '';
    if (length > STREAM_LIMIT) ending = stop(failed(TOO_LONG));
  };
  const close = (answer: JsonObject): void => {
    shown = answer;
    over = true;
    tell();
  };

  const take = (frame: string): void => {
    if (ending !== undefined) return;
    if (frame.trim() === '') return;
    // Comments have no number of their own.
    if (frame.startsWith(':')) {
      comments += streamed ? frame : '';
      return;
    }
    const own = told.own(frame);
    const moment = lifecycleOf(own);
    const answer = moment === undefined ? undefined : answerIn(own);
    if (isLast(moment)) {
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
    tell();
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
    const word = numbered(comments + last, frames.length);
    await record.idle();
    const pieces = streamed ? [await toPiece(frames.slice(flushed).join('') + word)] : [];
    const written = await record.write(async () => {
      const before = complete ? exchanged.before : undefined;
      const { input } = exchanged;
      const domain = domainOf(gateway, detached);
      await archive.keep(tenant, { id, response: answer, kept, pieces, before, input, owner: undefined, domain });
      await archive.store.delete([keys.run]);
    });
    if (streamed) frames.push(written === 'done' ? word : toldAsNotKept(word));
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
      // Who reads the stream later finds what was told before its end.
      if (flushed < frames.length) await flush().catch(() => {});
      await record.conclude(answer, kept);
    }, 'cancelled');
    close(answer);
  };
  const ended = (written: Written): void => {
    if (written === 'cancelled' || written === 'forgotten') ending ??= stop(cancelled());
  };
  const record = createRunRecord({ archive, tenant, id, streamed, logger: gateway.logger, ended });

  const cancelled = (): JsonObject => ({ ...shown, status: 'cancelled', output: [] });
  const failed = (thrown: unknown): JsonObject => failedAnswer(gateway, call, shown, thrown);

  let reached = false;
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
      reached = true;
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
    if (!reached && ending === undefined) {
      ending = archive.store.delete([keys.answer, keys.turn, keys.run]).finally(() => close(failed(thrown)));
      await ending.catch(() => {});
      refused(thrown);
    } else if (ending === undefined) {
      const answer = failed(thrown);
      if (isUnforeseen(thrown)) gateway.logger.error({ id: call.id, err: thrown }, 'unforeseen failure');
      detached.record.error = toCanonicalError(thrown).kind;
      ending = finish(answer, told.failed(answer));
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
      tellMadeAnswer(gateway, detached, { id, status: String(shown.status), answer: shown });
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
