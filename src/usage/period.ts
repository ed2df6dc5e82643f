import { Failure } from '../ground/index.js';
import { HOUR_MS } from '../store/index.js';

/** By what sums can be told apart. */
export const GROUPS = ['hour', 'day', 'key', 'model', 'backend', 'target', 'status'] as const;

export type Group = (typeof GROUPS)[number];

/** Which sums are wanted. */
export interface Period {
  readonly by: readonly Group[];
  /** Hours since 1970: from the first on, before the second, which is undefined where the end is open. */
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

/** Hours of the units of a time back from now. */
const UNITS = { h: 1, d: 24, w: 168 } as const;

/**
 * The period that texts name, which is in whole hours: the one of `since`, and that before `until`. Throws Failure (400) for what is neither a time
 * (`2026-11-28`, `2026-11-28T10:00Z`) nor a time back from now (`24h`, `7d`, `2w`), and for groups that there are not.
 */
export function periodOf({ by = DEFAULT_BY, since = DEFAULT_SINCE, until }: PeriodTexts, now: number): Period {
  const from = Math.floor(hoursOf('since', since, now));
  const to = until === undefined ? undefined : Math.ceil(hoursOf('until', until, now));
  if (to !== undefined && to <= from) throw wrong('until', 'must be after since');
  return { by: groupsOf(by), from, to };
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

function hoursOf(name: 'since' | 'until', text: string, now: number): number {
  const back = /^(\d{1,6})([hdw])$/.exec(text);
  if (back !== null) {
    const [, count = '', unit = ''] = back;
    return now / HOUR_MS - Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  // A query that is not written for URLs has a blank in the place of its plus.
  const plain = text.replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2');
  const zoned = /T|\d /.test(plain) && !/(?:Z|[+-]\d\d:\d\d)$/.test(plain) ? `${plain}Z` : plain;
  const time = TIME.test(zoned) ? Date.parse(zoned.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(time)) throw wrong(name, 'must be a time such as 2026-11-28, 2026-11-28T10:00Z, 24h or 7d');
  return time / HOUR_MS;
}

function wrong(name: string, message: string): Failure {
  return new Failure({ kind: 'invalid_request', status: 400, message: `${name} ${message}` });
}
