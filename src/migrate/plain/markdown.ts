import type { LossAt, RefusalRow, Report } from './report.js';
import {
  beyondText,
  byText,
  firstText,
  grouped,
  homeTitle,
  meaningOf,
  modelText,
  oneLine,
  percent,
  placeText,
  summaryOf,
  targetsOf,
  targetText,
  timesText,
  unreadTitle,
  WAYS,
} from './words.js';

/** A report as Markdown. */
export function markdownOf(report: Report): string {
  const { from, to, features, models, worst, refusals, unread, atHome } = report;
  const parts = [
    `# From ${from} to ${to}`,
    `${summaryOf(report)}.`,
    escaped(targetsOf(report)),
    '## What would be lost',
    features.length === 0 ? 'Nothing.' : featureTable(report),
    '## Models',
    table(
      ['Model', 'Judged as', 'Exchanges', 'With losses', 'Cannot go'],
      models.map((row) => [
        code(modelText(row.model)),
        code(targetText(row)),
        grouped(row.exchanges),
        grouped(row.lossy),
        grouped(row.refused),
      ]),
    ),
    ...list('What cannot go', [
      ...refusals.map((row) => refusal(row, byText(row))),
      ...beyondText(report.refusalsBeyond),
    ]),
    ...list(homeTitle(report), [...atHome.refusals.map((row) => refusal(row)), ...beyondText(atHome.refusalsBeyond)]),
    ...(worst.length === 0 ? [] : ['## The worst exchanges']),
    ...worst.flatMap(({ losses, ...place }) => [`### ${code(placeText(place))}`, bullets(losses.map(item))]),
    ...list(
      unreadTitle(report),
      unread.map((one) => `${code(placeText(one))} ${escaped(one.reason)}`),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function featureTable({ features }: Report): string {
  return table(
    ['Feature', 'Kind', 'Of the', 'Requests', 'Share', 'Strict refuses', 'First', 'What to do'],
    features.map((row) => [
      `${code(row.feature)}<br>${escaped(meaningOf(row.feature))}`,
      row.kind,
      WAYS[row.way],
      grouped(row.requests),
      percent(row.share),
      row.strict ? 'yes' : 'no',
      code(firstText(row)),
      escaped(row.advice),
    ]),
  );
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, bullets(items)];
}

function refusal(row: RefusalRow, by = ''): string {
  const place = row.path === '' ? '' : ` ${code(row.path)}`;
  return `${escaped(timesText(row))}: ${by}${escaped(row.reason)}${place}`;
}

function bullets(items: readonly string[]): string {
  return items.map((one) => `- ${one}`).join('\n');
}

function item({ way, path, feature, kind, detail, value }: LossAt): string {
  const shown = value === undefined ? '' : `, was ${code(value)}`;
  return `${WAYS[way]} ${code(path === '' ? '/' : path)}: ${code(feature)} ${kind}; ${escaped(detail)}${shown}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What came from a body may hold anything. */
function escaped(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>|]/g, '\\$&');
}

function code(text: string): string {
  const plain = oneLine(text).replaceAll('|', '\\|');
  if (plain === '') return '';
  return plain.includes('`') ? `\`\` ${plain.replaceAll('``', "''")} \`\`` : `\`${plain}\``;
}
