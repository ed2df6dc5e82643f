import type { LossAt, Report } from './report.js';
import { firstText, grouped, meaningOf, modelText, oneLine, percent, placeText, summaryOf, WAYS } from './words.js';

/** A report as Markdown. */
export function markdownOf(report: Report): string {
  const { from, to, features, models, worst, refusals, unread } = report;
  const parts = [
    `# From ${from} to ${to}`,
    `${summaryOf(report)}.`,
    '## What would be lost',
    features.length === 0 ? 'Nothing.' : featureTable(report),
    '## Models',
    table(
      ['Model', 'Exchanges', 'With losses'],
      models.map(({ model, exchanges, lossy }) => [code(modelText(model)), grouped(exchanges), grouped(lossy)]),
    ),
    ...list(
      'What cannot go',
      refusals.map(({ path, reason, ...place }) => `${code(placeText(place))} ${code(path)} ${escaped(reason)}`),
    ),
    ...(worst.length === 0 ? [] : ['## The worst exchanges']),
    ...worst.flatMap(({ losses, ...place }) => [`### ${code(placeText(place))}`, bullets(losses.map(item))]),
    ...list(
      'What could not be read',
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
