import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/index.js';
import { programPath } from '../ground/index.js';
import { createHeldPlaces, type HeldPlaces, shareOfKey } from '../http/index.js';
import { isWorker } from '../workers/index.js';
import type { Begin, FromThreadItself, ThreadData, ToThreadItself } from './messages.js';

/**
 * To be called when nothing of a request runs any more; `lost` when its thread ended before it was done. The exit of a
 * thread is heard later than the end of its requests, and until then nothing else may be given to it.
 */
export type Release = (lost: boolean) => void;

/** Threads that requests are given to. */
export interface Pool {
  /** Gives a request to the thread that has the fewest; those of one of several keys are in half of the threads. */
  begin(begin: Begin, memory: readonly ArrayBuffer[], key: string | undefined): Release;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** Hears what a thread wants of the process; gives what to tell it. */
export type Answerer = (message: FromThreadItself, reply: (message: ToThreadItself) => void) => void;

interface Thread {
  readonly worker: Worker;
  /** How many requests it has, and how many of each key. */
  requests: number;
  readonly places: HeldPlaces;
  idle: NodeJS.Timeout | undefined;
}

/** How long, in ms, a thread without requests lives. */
const IDLE_MS = 30_000;
const MOST_THREADS = 4;

/**
 * Memory in MB that one thread may fill before it is ended. The room for large bodies keeps threads well below: one that
 * takes much more than it may in one step ends the process.
 */
const HEAP_MB = 1536;

const PROGRAM = programPath('offload/thread.js');

/** Whether there can be threads: not where the program was put into one file with others. */
export const hasThreads = existsSync(PROGRAM);

/** What is known of a thread by who chooses one. */
type Load = Pick<Thread, 'requests' | 'places'>;

/**
 * The least busy thread for a request of a key; undefined = another one is to be begun, as long as there are less than `most` and all
 * have something to do. A key that is in its part of them stays there.
 */
export function chooseThread<T extends Load>(
  threads: readonly T[],
  most: number,
  key: string | undefined,
): T | undefined {
  const own = key === undefined ? [] : threads.filter(({ places }) => places.held(key) > 0);
  const stays = own.length > 0 && own.length >= shareOfKey(most);
  let least: T | undefined;
  for (const thread of stays ? own : threads) {
    if (least === undefined || thread.requests < least.requests) least = thread;
  }
  return stays || least?.requests === 0 || threads.length >= most ? least : undefined;
}

/** With several keys there are two at least, so that what one key sends is never in all of them. */
function mostThreads({ keys }: Config): number {
  const most = isWorker ? 1 : Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1));
  return keys.length > 1 ? Math.max(2, most) : most;
}

/**
 * Threads begin with the first request. One core is left to the process itself; workers that share a port have one each.
 * `onError` hears why a thread ended unexpectedly; its requests hear it by their ports.
 */
export function createPool(
  data: ThreadData,
  answer: Answerer,
  onError: (error: unknown) => void,
  heapMb = HEAP_MB,
): Pool {
  const most = mostThreads(data.config);
  const threads = new Set<Thread>();
  const start = (): Thread => {
    const worker = new Worker(PROGRAM, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const thread: Thread = { worker, requests: 0, places: createHeldPlaces(), idle: undefined };
    worker.unref();
    worker.on('message', (message: FromThreadItself) => answer(message, (reply) => worker.postMessage(reply)));
    worker.on('error', onError);
    worker.once('exit', () => {
      clearTimeout(thread.idle);
      threads.delete(thread);
    });
    threads.add(thread);
    return thread;
  };
  return {
    begin(begin, memory, key) {
      const thread = chooseThread([...threads], most, key) ?? start();
      clearTimeout(thread.idle);
      thread.requests += 1;
      if (key !== undefined) thread.places.take(key);
      const message: ToThreadItself = { kind: 'begin', begin };
      thread.worker.postMessage(message, [begin.port, ...memory]);
      return (lost) => {
        thread.requests -= 1;
        if (key !== undefined) thread.places.free(key);
        if (lost) threads.delete(thread);
        if (thread.requests > 0 || !threads.has(thread)) return;
        thread.idle = setTimeout(() => {
          threads.delete(thread);
          void thread.worker.terminate();
        }, IDLE_MS);
        thread.idle.unref();
      };
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
