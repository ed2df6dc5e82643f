import cluster, { type Worker } from 'node:cluster';
import { orderWorkers, WORKER_ENVIRONMENT } from './messages.js';

/** A worker that ends within so many ms of its start did not work at all. */
const QUICK_MS = 2000;
/** So many of those in a row are enough. */
const MOST_QUICK = 5;
/** First and longest wait, in ms, before such a worker is replaced. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** How a worker ended without being asked to. */
export interface WorkerEnd {
  readonly worker: number;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface PoolOptions {
  readonly count: number;
  /** The program that workers run, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  /** Flags of V8 that workers have beside those of this process. */
  readonly flags: readonly string[];
  /** How long, in ms, workers may take to finish what is open after they were asked to end. */
  graceMs(): number;
  /** Called for each worker that starts. */
  onStart(start: { readonly worker: number; readonly pid: number | undefined }): void;
  /** Called when a worker has to be replaced. */
  onEnd(end: WorkerEnd): void;
}

/** Worker processes that share a port. Those that end are replaced. */
export interface Pool {
  /** Resolves when all accept connections; does not when the pool is over before. */
  readonly ready: Promise<void>;
  /** Resolves when no worker is left: with why the pool was given up, or undefined when it was asked to stop. */
  readonly over: Promise<string | undefined>;
  /** Lets the workers finish what is open, and ends those that do not. */
  stop(): void;
  /** A worker cannot start. At the beginning that ends all at once; gives whether it does. Later it is an early end. */
  failed(reason: string): boolean;
  /** Ends all at once, whatever they do. */
  kill(): void;
}

/** Starts the workers. There is one pool in a process. */
export function startPool({ count, program, args, flags, graceMs, onStart, onEnd }: PoolOptions): Pool {
  cluster.setupPrimary({ exec: program, args: [...args], execArgv: [...process.execArgv, ...flags] });
  const live = new Map<Worker, { readonly startedAt: number; accepts: boolean }>();
  let quick = 0;
  let begun = false;
  let stopping = false;
  let reason: string | undefined;
  const ready = deferred<void>();
  const over = deferred<string | undefined>();

  const fork = (): void => {
    const worker = cluster.fork(WORKER_ENVIRONMENT);
    live.set(worker, { startedAt: performance.now(), accepts: false });
    onStart({ worker: worker.id, pid: worker.process.pid });
  };
  const replace = (pause: number): void => {
    setTimeout(() => {
      if (!stopping) fork();
    }, pause);
  };
  const anyAccepts = (): boolean => [...live.values()].some(({ accepts }) => accepts);
  const endWhenEmpty = (): void => {
    if (stopping && live.size === 0) over.resolve(reason);
  };
  const kill = (which: (state: { readonly accepts: boolean }) => boolean): void => {
    for (const [worker, state] of live) if (which(state)) worker.process.kill('SIGKILL');
  };
  const killAll = (): void => kill(() => true);
  const stop = (why?: string): void => {
    if (stopping) return;
    stopping = true;
    reason = why;
    if (begun) {
      orderWorkers('stop');
      // Those that are starting may not hear it yet, and have nothing open.
      kill(({ accepts }) => !accepts);
      setTimeout(killAll, graceMs()).unref();
    } else killAll();
    endWhenEmpty();
  };
  cluster.on('listening', (worker) => {
    const state = live.get(worker);
    if (state !== undefined) state.accepts = true;
    if (live.size === count && [...live.values()].every(({ accepts }) => accepts)) {
      begun = true;
      ready.resolve();
    }
  });
  cluster.on('exit', (worker, code, signal) => {
    const state = live.get(worker);
    live.delete(worker);
    if (stopping || state === undefined) return endWhenEmpty();
    onEnd({ worker: worker.id, code, signal });
    quick = performance.now() - state.startedAt < QUICK_MS ? quick + 1 : 0;
    // As long as another one serves, there is no reason to end that one too.
    if (quick >= MOST_QUICK && !(begun && anyAccepts())) {
      return stop('interlingua serve: workers end as soon as they are started');
    }
    replace(quick === 0 ? 0 : Math.min(PAUSE_MS * 2 ** (quick - 1), LONGEST_PAUSE_MS));
  });
  for (let index = 0; index < count; index += 1) fork();

  return {
    ready: ready.promise,
    over: over.promise,
    stop: () => stop(),
    failed(why) {
      if (!begun) stop(why);
      return !begun;
    },
    kill: killAll,
  };
}

function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
