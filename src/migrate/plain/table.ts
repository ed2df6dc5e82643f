import type { RefusalRow, Report } from './report.js';
import {
  beyondText,
  byText,
  firstText,
  grouped,
  oneLine,
  percent,
  summaryOf,
  targetsOf,
  timesText,
  WAYS,
} from './words.js';

/** A report as lines for a terminal. */
export function tableOf(report: Report): string {
  const { from, to, features, refusals, atHome } = report;
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
  const refused = refusalLines('cannot go', refusals, report.refusalsBeyond, byText);
  const own = refusalLines(`${from} itself refuses`, atHome.refusals, atHome.refusalsBeyond);
  // Features and files have recorded names too; escaped before their widths are taken.
  const counts = rows.length > 0 ? aligned([head, ...rows.map((row) => row.map(oneLine))]) : [];
  return [`${from} to ${to}: ${summaryOf(report)}`, targetsOf(report), ...counts, ...refused, ...own]
    .map((line) => `${oneLine(line)}\n`)
    .join('');
}

/** So many reasons are named. */
const SHOWN = 10;

function refusalLines(
  title: string,
  rows: readonly RefusalRow[],
  beyond: number,
  by: (row: RefusalRow) => string = () => '',
): string[] {
  const more = rows.slice(SHOWN).reduce((sum, { exchanges }) => sum + exchanges, beyond);
  const lines = rows.slice(0, SHOWN).map((row) => {
    const where = row.path === '' ? '' : `${row.path}: `;
    return `${timesText(row)}  ${by(row)}${where}${row.reason}`;
  });
  return [...lines, ...beyondText(more)].map((line) => `${title}  ${line}`);
}

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
