import { Failure } from '../ground/index.js';
import { HOUR_MS } from '../store/index.js';
import { MINUTE_MS, MINUTES_KEPT } from './minutes.js';

/** By what sums can be told apart. */
export const GROUPS = ['minute', 'hour', 'day', 'key', 'model', 'backend', 'target', 'status'] as const;

export type Group = (typeof GROUPS)[number];

/** Which sums are wanted. */
export interface Period {
  readonly by: readonly Group[];
  /** What `from` and `to` count since 1970: hours, or minutes where `by` has these. */
  readonly unitMs: number;
  /** From the first on, before the second, which is undefined where the end is open. */
  readonly from: number;
  readonly to: number | undefined;
}

/** What says it, as texts. */
export interface PeriodTexts {
  readonly by?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const DEFAULT_BY = 'key,model';
const DEFAULT_SINCE = '24h';
const DEFAULT_SINCE_OF_MINUTES = '1h';

/** The units of a time back from now, in ms. */
const UNITS = { m: MINUTE_MS, h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS } as const;

/**
 * The period that texts name, which is in whole hours, or minutes where `by` has these: the one of `since`, and that before `until`. Throws
 * Failure (400) for what is neither a time (`2026-11-28`, `2026-11-28T10:00Z`) nor a time back from now (`30m`, `24h`, `7d`, `2w`), for
 * groups that there are not, and for minutes that are not kept any more.
 */
export function periodOf({ by: words = DEFAULT_BY, since, until }: PeriodTexts, now: number): Period {
  const by = groupsOf(words);
  const ofMinutes = by.includes('minute');
  const unitMs = ofMinutes ? MINUTE_MS : HOUR_MS;
  const start = msOf('since', since ?? (ofMinutes ? DEFAULT_SINCE_OF_MINUTES : DEFAULT_SINCE), now);
  const from = Math.floor(start / unitMs);
  const to = until === undefined ? undefined : Math.ceil(msOf('until', until, now) / unitMs);
  if (to !== undefined && to <= from) throw wrong('until', 'must be after since');
  if (ofMinutes && from <= Math.floor(now / unitMs) - MINUTES_KEPT)
    throw wrong('since', 'must be within the last hour, of which minutes are kept');
  return { by, unitMs, from, to };
}

function groupsOf(text: string): readonly Group[] {
  const words = text.split(',').map((word) => word.trim());
  const found = words.flatMap((word) => GROUPS.filter((group) => group === word));
  if (found.length !== words.length || new Set(found).size !== found.length)
    throw wrong('by', `must be names of ${GROUPS.join(', ')}, each once, separated by commas`);
  return found;
}

/** A day, or a time with its zone; without one it is of UTC. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

function msOf(name: 'since' | 'until', text: string, now: number): number {
  const back = /^(\d{1,6})([mhdw])$/.exec(text);
  if (back !== null) {
    const [, count = '', unit = ''] = back;
    return now - Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  // A query that is not written for URLs has a blank in the place of its plus.
  const plain = text.replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2');
  const zoned = /T|\d /.test(plain) && !/(?:Z|[+-]\d\d:\d\d)$/.test(plain) ? `${plain}Z` : plain;
  const time = TIME.test(zoned) ? Date.parse(zoned.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(time)) throw wrong(name, 'must be a time such as 2026-11-28, 2026-11-28T10:00Z, 24h or 7d');
  return time;
}

function wrong(name: string, message: string): Failure {
  return new Failure({ kind: 'invalid_request', status: 400, message: `${name} ${message}` });
}
