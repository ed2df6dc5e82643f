import { plain } from '../probe/index.js';
import { COLUMNS, FIGURES, type Figures, type UsageReport } from '../usage/index.js';

/** Figures that are left out of a table in which they are nowhere. */
const RARE: ReadonlySet<keyof Figures> = new Set([
  'cachedTokens',
  'writtenTokens',
  'reasoningTokens',
  'tokensUnknown',
  'costUnknown',
  'partialCost',
]);

/** Names are the callers' own words: what would command a terminal becomes spaces. */
export function linesOfUsage({ since, until, by, rows, total }: UsageReport): readonly string[] {
  const shown = FIGURES.filter((name) => !RARE.has(name) || Number(total[name]) > 0);
  const cells = [
    [...by, ...shown.map((name) => COLUMNS[name])],
    ...rows.map((row) => [...by.map((name) => nameText(row[name])), ...shown.map((name) => figureText(name, row))]),
    ...(rows.length > 1
      ? [[...by.map((_, index) => (index === 0 ? 'total' : '')), ...shown.map((name) => figureText(name, total))]]
      : []),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        column < by.length ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    `usage from ${plain(since)} to ${until === null ? 'now' : plain(until)} (UTC)`,
    ...(rows.length === 0 ? ['nothing'] : lines),
  ];
}

function nameText(name: string | undefined): string {
  return name === undefined || name === '' ? '-' : plain(name);
}

/** A cost of which nothing is known is no zero. */
function figureText(name: keyof Figures, figures: Figures): string {
  const value = Number(figures[name]);
  if (name === 'cost' && value === 0 && Number(figures.costUnknown) > 0) return '–';
  if (name !== 'cost' && name !== 'partialCost') return Math.round(value).toLocaleString('en-US');
  return value > 0 && value < 0.0001 ? '<0.0001' : value.toFixed(4);
}
