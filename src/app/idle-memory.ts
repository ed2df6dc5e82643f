import { getHeapSpaceStatistics } from 'node:v8';
import { MB } from '../ground/index.js';

/** How often, in ms, it is looked whether the process is idle. V8 averages what is allocated over the last five seconds. */
const LOOK_MS = 6000;
/** A process that takes less than this part of a processor is idle: health checks are no work. */
const IDLE_PART = 0.01;
/** A young generation of so many bytes is not worth a collection. */
const SMALL = 6 * MB;
/** The first collection makes what was allocated before it count as past, so that the second one shrinks. */
const COLLECTIONS = 2;

/** Of the process, what decides whether its memory is trimmed. */
export interface ProcessView {
  /** Processor time so far, in ms. */
  spent(): number;
  /** Bytes that the young generation takes of the system. */
  young(): number;
  /** Collects the garbage of the young generation. */
  collect(): void;
}

/**
 * Gives memory of the young generation back to the system once the process is idle. Under load it grows to tens of MB, and V8 shrinks it
 * only in a collection while next to nothing is allocated, which an idle process without the memory reducer never makes. Only the young
 * generation is collected: a collection of everything drops compiled code (docs/internals/decisions/0032-cost-of-the-gateway.md). Ends
 * with `signal`; does nothing where Node.js was started without `--expose-gc`, which only Node.js 20 is (`cli/flags.ts`).
 */
export function trimWhenIdle(signal: AbortSignal): void {
  if (globalThis.gc === undefined) return;
  const timer = setInterval(createTrim(PROCESS), LOOK_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** One look at the process, to be taken every six seconds. */
export function createTrim({ spent, young, collect }: ProcessView): () => void {
  let before = spent();
  /** Collections since the process became idle. */
  let collections = 0;
  return () => {
    if (spent() - before >= IDLE_PART * LOOK_MS) collections = 0;
    else if (collections < COLLECTIONS && young() > SMALL) {
      collect();
      collections += 1;
    }
    before = spent();
  };
}

/** This process. */
export const PROCESS: ProcessView = {
  spent() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  young: () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
  collect: () => globalThis.gc?.({ type: 'minor' }),
};
