import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Failure } from './failure.js';

/** How full the memory of this process is. */
export interface Pressure {
  /**
   * Refuses what would take more memory while there is too little left. `others` is how much else is open: with nothing
   * open that could end, waiting would free nothing, and everything is let in. Throws Failure (503 with `retry-after`).
   */
  check(others: number): void;
}

/** Bytes in use and the most there may be; no limit is `Infinity`. */
export interface MemorySample {
  readonly heap: number;
  readonly heapLimit: number;
  readonly resident: number;
  readonly residentLimit: number;
}

/** The part of a limit above which nothing new begins. What is open needs the rest. */
const FULL = 0.92;
/** How long, in ms, a sample counts. */
const SAMPLE_MS = 1000;
const RETRY_MS = 2000;

/**
 * Looks at most once a second, and only when somebody asks. `processes` share the memory of one container. Bodies are
 * kept outside the heap of the language, so that both are looked at (hardening.md section 4).
 */
export function createPressure(
  processes: number,
  sample: () => MemorySample = () => sampleMemory(processes),
  now: () => number = () => performance.now(),
): Pressure {
  let full = false;
  let sampledAt = Number.NEGATIVE_INFINITY;
  return {
    check(others) {
      if (now() - sampledAt >= SAMPLE_MS) {
        sampledAt = now();
        full = isFull(sample());
      }
      if (!full || others === 0) return;
      throw new Failure(
        { kind: 'overloaded', status: 503, message: 'the gateway is short of memory', retryAfterMs: RETRY_MS },
        { headers: { connection: 'close' } },
      );
    },
  };
}

function isFull({ heap, heapLimit, resident, residentLimit }: MemorySample): boolean {
  return heap > FULL * heapLimit || resident > FULL * residentLimit;
}

function sampleMemory(processes: number): MemorySample {
  const { used_heap_size: heap, heap_size_limit: heapLimit } = getHeapStatistics();
  return { heap, heapLimit, resident: process.memoryUsage.rss(), residentLimit: containerLimit() / processes };
}

/** The memory of the container; without one there is none, or a figure that no machine has. */
function containerLimit(): number {
  const limit = process.constrainedMemory() ?? 0;
  return limit > 0 && limit <= totalmem() ? limit : Number.POSITIVE_INFINITY;
}
