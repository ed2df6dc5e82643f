import { storedResponses } from '../../translators/index.js';
import type { Archive } from '../archive/index.js';
import type { Logger } from '../ground/index.js';

/** How often, in milliseconds, a run says that it is alive, and looks whether it was cancelled elsewhere. */
const BEAT_MS = 1000;
/** A run that said nothing for so long, in milliseconds, is taken to be dead. */
const ALIVE_MS = 30_000;

/** What became of a write: another process may have cancelled the answer, or forgotten it. */
export type RecordOutcome = 'done' | 'failed' | 'cancelled' | 'forgotten';

/** The records of an answer that is being made. */
export interface JobRecord {
  /**
   * Does `work` after what was begun before it, and only while the answer is wanted; `even` says that it is no matter
   * that it was cancelled. Never rejects.
   */
  write(work: () => Promise<void>, even?: 'cancelled'): Promise<RecordOutcome>;
  /** Resolves when what was begun is done. */
  idle(): Promise<unknown>;
  /** Replaces the answer by its last form; nothing works at it any more. */
  conclude(response: object, pieces: number): Promise<void>;
  /** Nothing is being made any more. */
  close(): void;
}

export interface JobRecordOptions {
  readonly archive: Archive;
  readonly tenant: string;
  readonly id: string;
  readonly streamed: boolean;
  readonly logger: Logger;
  /** Hears when a beat finds that the answer is not wanted any more. */
  ended(how: RecordOutcome): void;
}

export function createJobRecord({ archive, tenant, id, streamed, logger, ended }: JobRecordOptions): JobRecord {
  const keys = storedResponses.keysOf(tenant, id);
  let writing: Promise<unknown> = Promise.resolve();

  const attempt = async (work: () => Promise<void>, even: 'cancelled' | undefined): Promise<RecordOutcome> => {
    try {
      const [job, stop] = await archive.store.get([keys.run, keys.stop]);
      if (job === undefined) return 'forgotten';
      if (stop !== undefined && even !== 'cancelled') return 'cancelled';
      await work();
      return 'done';
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      logger.warn({ answer: id, reason }, 'a background answer could not be stored');
      return 'failed';
    }
  };
  const write: JobRecord['write'] = (work, even) => {
    const written = writing.then(() => attempt(work, even));
    writing = written;
    return written;
  };
  const beat = setInterval(() => {
    void write(() => archive.store.set([{ key: keys.run, value: aliveJob(streamed) }])).then(ended);
  }, BEAT_MS);

  return {
    write,
    idle: () => writing,
    async conclude(response, pieces) {
      await archive.update(tenant, id, { ...response }, pieces);
      await archive.store.delete([keys.run, keys.stop]);
    },
    close: () => clearInterval(beat),
  };
}

/** The record of a run that is being worked at. */
export function aliveJob(streamed: boolean): storedResponses.StoredRun {
  return { v: storedResponses.VERSION, until: Date.now() + ALIVE_MS, streamed };
}
