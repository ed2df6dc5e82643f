import type { Figures, UsageReport } from './report.js';

/** The figures in the order of their columns, each with its head in a table for people. */
export const COLUMNS = {
  requests: 'requests',
  errors: 'errors',
  inputTokens: 'input',
  cachedTokens: 'cached',
  writtenTokens: 'written',
  outputTokens: 'output',
  reasoningTokens: 'reasoning',
  tokensUnknown: 'uncounted',
  cost: 'USD',
  costUnknown: 'unpriced',
  partialCost: 'USD in part',
  seconds: 'seconds',
} as const satisfies Record<keyof Figures, string>;

export const FIGURES = Object.keys(COLUMNS) as readonly (keyof Figures)[];

/** A report as CSV (RFC 4180), with a head and without a total. */
export function csvOf({ by, rows }: UsageReport): string {
  const lines = [[...by, ...FIGURES], ...rows.map((row) => [...by, ...FIGURES].map((name) => cellOf(row[name])))];
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** A name that begins like a formula, in wide signs too, gets an apostrophe, as spreadsheets would compute it: callers choose names of models. */
function cellOf(value: string | number | undefined): string {
  if (typeof value === 'number') return plainNumber(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without an exponent. */
function plainNumber(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 });
}
