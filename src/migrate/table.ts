import type { Report } from './report.js';
import { firstText, grouped, percent, placeText, summaryOf, WAYS } from './words.js';

/** A report as lines for a terminal. */
export function tableOf(report: Report): string {
  const { from, to, features, refusals } = report;
  const head = ['feature', 'kind', 'of', 'requests', 'share', 'strict', 'first'];
  const rows = features.map((row) => [
    row.feature,
    row.kind,
    WAYS[row.way],
    grouped(row.requests),
    percent(row.share),
    row.strict ? 'yes' : 'no',
    firstText(row),
  ]);
  const refused = refusals.slice(0, SHOWN).map(({ path, reason, ...place }) => {
    const where = path === '' ? '' : `${path}: `;
    return `cannot go  ${placeText(place)}  ${where}${reason}`;
  });
  return [`${from} to ${to}: ${summaryOf(report)}`, ...(rows.length > 0 ? aligned([head, ...rows]) : []), ...refused]
    .map((line) => `${line}\n`)
    .join('');
}

/** So many refused exchanges are named. */
const SHOWN = 10;

const NUMBERS: ReadonlySet<number> = new Set([3, 4]);

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
