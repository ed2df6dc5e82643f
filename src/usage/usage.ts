import type { Config } from '../config/index.js';
import { type ClientCall, classOf } from '../http/index.js';
import type { Tallies } from '../store/index.js';
import { createMinutes, MINUTE_MS } from './minutes.js';
import { createPending } from './pending.js';
import type { Period } from './period.js';
import { readUsage, type UsageReport } from './report.js';
import { createRowTexts, type Naming } from './row.js';
import { addSums, hasFailed } from './sums.js';
import { createWriter } from './writer.js';

/** Counts what is used, and tells it. */
export interface Usage {
  /** Whether the configuration in force asks for it. */
  readonly on: boolean;
  /** An exchange is over and settled. */
  ended(naming: Naming, call: ClientCall): void;
  /** An answer was made in the background, in place of `call`. */
  made(naming: Naming, call: ClientCall): void;
  /** What was used, that of this process up to now; of one key, or of all. */
  report(period: Period, key?: string): Promise<UsageReport>;
  /** A configuration is in force from now on. */
  use(config: Pick<Config, 'usage'>): void;
  /** Writes what waits; nothing is counted after that. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Days for which sums that wait are kept once they are written, where the configuration wants no more of them. */
const FORMER_DAYS = 90;

/** Where sums are kept: by hours as the configuration says, and those of the last hour by minutes. */
export interface UsageTallies {
  hours(): Tallies;
  minutes(): Tallies;
}

/** `open` gives them when there are some; `warn` hears why sums cannot be written, and undefined when they can be again. `now` is the clock of the machine. */
export function createUsage(
  open: UsageTallies,
  warn: (reason: string | undefined) => void,
  now: () => number = Date.now,
): Usage {
  let days: number | undefined;
  let lastDays = FORMER_DAYS;
  const pending = createPending(now);
  const hours = once(open.hours);
  const minutes = once(open.minutes);
  const writer = createWriter(pending, hours, createMinutes(minutes, now), () => (days ?? lastDays) * DAY_MS, warn);
  const textsOf = createRowTexts();
  const add = (naming: Naming, call: ClientCall, status: string): void => {
    addSums(pending.at(call.key?.name ?? '', textsOf(naming, call, status)), call);
    writer.wake();
  };
  return {
    get on() {
      return days !== undefined;
    },
    ended(naming, call) {
      if (days !== undefined && isOfModel(call)) add(naming, call, classOf(call.record.status));
    },
    made(naming, call) {
      if (days === undefined || call.running === undefined) return;
      add(naming, call, hasFailed(call.record) ? '5xx' : '2xx');
    },
    async report(period, key) {
      if (period.unitMs === MINUTE_MS) {
        writer.updateMinutes();
        return readUsage(minutes(), period, key);
      }
      await writer.flush();
      return readUsage(hours(), period, key);
    },
    use({ usage }) {
      days = usage?.keepDays;
      lastDays = days ?? lastDays;
    },
    close: () => writer.close(),
  };
}

function once(open: () => Tallies): () => Tallies {
  let opened: Tallies | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

/** What asks a model for something: not what reads, and not what is counted when its answer is made. */
function isOfModel({ request, route, record }: ClientCall): boolean {
  const { facts, madeLater } = record;
  return request.method === 'POST' && route !== undefined && facts !== undefined && !facts.explained && !madeLater;
}
