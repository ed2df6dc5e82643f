import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { isWorker } from '../workers/messages.js';
import type { Begin, FromThreadItself, ThreadData, ToThreadItself } from './messages.js';

/** Threads that requests are given to. */
export interface Pool {
  /** Gives a request to the thread that has the fewest. `lost` hears that the thread ended before the request was over. */
  begin(begin: Begin, memory: readonly ArrayBuffer[], lost: (cause: unknown) => void): () => void;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** Hears what a thread wants of the process; gives what to tell it. */
export type Answerer = (message: FromThreadItself, reply: (message: ToThreadItself) => void) => void;

interface Thread {
  readonly worker: Worker;
  /** What to tell the requests that it has when it ends. */
  readonly requests: Set<(cause: unknown) => void>;
  idle: NodeJS.Timeout | undefined;
}

/** How long, in ms, a thread without requests lives. */
const IDLE_MS = 30_000;
const MOST_THREADS = 4;

/** Memory in MB that one thread may fill before it is ended: the process never is. */
const HEAP_MB = 1024;

/** Where the program of the threads lies: beside this file, or where the build puts it when this file is the source itself. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/offload/thread.js' : './thread.js', import.meta.url),
);

/** Whether there can be threads: not where the program was put into one file with others. */
export const hasThreads = existsSync(PROGRAM);

/** Threads begin with the first request. One core is left to the process itself; workers that share a port have one each. */
export function createPool(data: ThreadData, answer: Answerer, heapMb = HEAP_MB): Pool {
  const most = isWorker ? 1 : Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1));
  const threads = new Set<Thread>();
  const start = (): Thread => {
    const worker = new Worker(PROGRAM, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const thread: Thread = { worker, requests: new Set(), idle: undefined };
    let cause: unknown;
    worker.unref();
    worker.on('message', (message: FromThreadItself) => answer(message, (reply) => worker.postMessage(reply)));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      clearTimeout(thread.idle);
      threads.delete(thread);
      for (const lost of thread.requests) lost(cause);
    });
    threads.add(thread);
    return thread;
  };
  /** The least busy one; another is begun while all have something to do. */
  const choose = (): Thread => {
    let least: Thread | undefined;
    for (const thread of threads) {
      if (least === undefined || thread.requests.size < least.requests.size) least = thread;
    }
    return least === undefined || (least.requests.size > 0 && threads.size < most) ? start() : least;
  };
  return {
    begin(begin, memory, lost) {
      const thread = choose();
      clearTimeout(thread.idle);
      thread.requests.add(lost);
      const message: ToThreadItself = { kind: 'begin', begin };
      thread.worker.postMessage(message, [begin.port, ...memory]);
      return () => {
        if (!thread.requests.delete(lost) || thread.requests.size > 0) return;
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
