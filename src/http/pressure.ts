import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Failure } from '../ground/index.js';

/** How full the memory of this process is. */
export interface Pressure {
  /**
   * Refuses what would take more memory while there is too little left. `others` is how much else is open: with nothing
   * open that could end, waiting would free nothing, and everything is let in. `body` = bytes of a body that is about to be
   * read. Throws Failure (503 with `retry-after`).
   */
  check(others: number, body?: number): void;
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
/** How many times its own bytes a body takes: its text, its values, and what goes on. */
const BODY_WEIGHT = 3;
/** How long, in ms, a sample counts. */
const SAMPLE_MS = 1000;
const RETRY_MS = 2000;

/**
 * Looks at most once a second, and only when somebody asks; for a body of known size at once. `processes` share the memory of one container. Bodies are
 * kept outside the heap of the language, so that both are looked at (hardening.md section 4).
 */
export function createPressure(
  processes: number,
  sample: () => MemorySample = () => sampleMemory(processes),
  now: () => number = () => performance.now(),
): Pressure {
  let last: MemorySample | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;
  return {
    check(others, body = 0) {
      if (last === undefined || body > 0 || now() - sampledAt >= SAMPLE_MS) {
        sampledAt = now();
        last = sample();
      }
      if (others === 0 || !isFull(last, BODY_WEIGHT * body)) return;
      throw new Failure(
        { kind: 'overloaded', status: 503, message: 'the gateway is short of memory', retryAfterMs: RETRY_MS },
        { headers: { connection: 'close' } },
      );
    },
  };
}

function isFull({ heap, heapLimit, resident, residentLimit }: MemorySample, coming: number): boolean {
  return heap + coming > FULL * heapLimit || resident + coming > FULL * residentLimit;
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
