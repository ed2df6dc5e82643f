/** What is told of a time: the figures that are plotted. */
export const FIGURES = ['requests', 'errors', 'tokens', 'cost'] as const;

export type Figure = (typeof FIGURES)[number];

/** `costUnknown`: how many of the requests have a cost that is not known, and is not in `cost`. */
export type Sums = Readonly<Record<Figure | 'costUnknown', number>>;

/** By what the plots are told apart. */
export type Group = 'model' | 'key';

/** A name with what was used under it. */
export interface Series {
  readonly name: string;
  readonly total: Sums;
  /** For each of the times. */
  readonly sums: readonly Sums[];
}

/** What the plots show. */
export interface Plotted {
  readonly group: Group;
  readonly unit: Span['unit'];
  /** The beginnings of the hours, or minutes, in seconds, without a gap; the last is the gateway's present one. */
  readonly times: readonly number[];
  /** The names with most requests first; the last has what is beyond them. */
  readonly series: readonly Series[];
  readonly total: Sums;
}

/** A time that is plotted: so many hours, or minutes, with the present one. */
export interface Span {
  readonly unit: 'hour' | 'minute';
  readonly count: number;
}

/** So many names have a colour of their own. */
const MOST_SERIES = 5;

const SECONDS: Readonly<Record<Span['unit'], number>> = { hour: 3600, minute: 60 };

const NONE: Sums = { requests: 0, errors: 0, tokens: 0, cost: 0, costUnknown: 0 };

interface Row {
  readonly time: number;
  readonly name: string;
  readonly sums: Sums;
}

/**
 * Reads `GET /usage?by=hour,...`, or `by=minute,...`, that was asked for `since` the beginning of a span: its times are counted from the
 * one that the report names, since the clock of the browser may be another. undefined is given for what is no report; rows that are none
 * are left out.
 */
export function plotted(report: unknown, group: Group, { unit, count }: Span): Plotted | undefined {
  const since = secondsOf(Object(report).since);
  if (Number.isNaN(since)) return undefined;
  const rows = rowsIn(report, unit, group);
  const times = Array.from({ length: count }, (_, index) => since + index * SECONDS[unit]);
  const shown = rows.filter(({ time }) => times.includes(time));
  const names = [...new Set(shown.map(({ name }) => name))];
  const all = names
    .map((name) => ({ name, rows: shown.filter((row) => row.name === name) }))
    .map(({ name, rows: own }) => ({ name, rows: own, total: sumOf(own) }))
    .sort((one, other) => other.total.requests - one.total.requests || (one.name < other.name ? -1 : 1));
  const first = all.length > MOST_SERIES ? all.slice(0, MOST_SERIES - 1) : all;
  const beyond = all.slice(first.length);
  const seriesOf = (name: string, own: readonly Row[]): Series => ({
    name,
    total: sumOf(own),
    sums: times.map((time) => sumOf(own.filter((row) => row.time === time))),
  });
  const rest = beyond.flatMap(({ rows: own }) => own);
  return {
    ...{ group, unit, times },
    series: [
      ...first.map(({ name, rows: own }) => seriesOf(name, own)),
      ...(rest.length === 0 ? [] : [seriesOf(`${beyond.length} more`, rest)]),
    ],
    total: sumOf(shown),
  };
}

function sumOf(rows: readonly Pick<Row, 'sums'>[]): Sums {
  return rows.reduce<Sums>(
    (all, { sums }) => ({
      requests: all.requests + sums.requests,
      errors: all.errors + sums.errors,
      tokens: all.tokens + sums.tokens,
      cost: all.cost + sums.cost,
      costUnknown: all.costUnknown + sums.costUnknown,
    }),
    NONE,
  );
}

/** A time of a report in seconds; NaN where it is none. */
function secondsOf(time: unknown): number {
  return Date.parse(String(time)) / 1000;
}

function rowsIn(report: unknown, unit: Span['unit'], group: Group): readonly Row[] {
  const { rows } = Object(report) as { readonly rows?: unknown };
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown): readonly Row[] => {
    const node = Object(row) as Readonly<Record<string, unknown>>;
    const time = secondsOf(node[unit]);
    const name = node[group];
    if (Number.isNaN(time) || typeof name !== 'string') return [];
    const numberOf = (key: string): number => (typeof node[key] === 'number' ? Number(node[key]) : 0);
    const sums = {
      requests: numberOf('requests'),
      errors: numberOf('errors'),
      tokens: numberOf('inputTokens') + numberOf('outputTokens'),
      cost: numberOf('cost'),
      costUnknown: numberOf('costUnknown'),
    };
    return [{ time, name: name === '' ? NAMELESS[group] : name, sums }];
  });
}

const NAMELESS: Readonly<Record<Group, string>> = { model: 'no known model', key: 'without a key' };

const WHOLE = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A figure of sums in words: `1,234`, `1.2M`, `$0.42`; `–` where no cost is known. */
export function sumText(figure: Figure, sums: Sums): string {
  return figure === 'cost' && sums.cost === 0 && sums.costUnknown > 0 ? '–' : figureText(figure, sums[figure]);
}

/** A figure in words. */
export function figureText(figure: Figure, value: number): string {
  if (figure === 'cost') return value > 0 && value < 0.01 ? '<$0.01' : `$${value.toFixed(2)}`;
  return figure === 'tokens' && value >= 10_000 ? SHORT.format(value) : WHOLE.format(value);
}
