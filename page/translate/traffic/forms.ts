import { htmlOf, jsonOf, markdownOf, type Report } from '../../../src/migrate/plain/index.js';

/** The files of a report, as `interlingua migrate --out` writes them. */
export const REPORT_FILES = {
  'report.json': { type: 'application/json', textOf: (report: Report): string => jsonOf(report) },
  'report.md': { type: 'text/markdown', textOf: markdownOf },
  'report.html': { type: 'text/html', textOf: htmlOf },
} as const;

/** Lets the browser save a file of a report. */
export function saveReport(name: keyof typeof REPORT_FILES, report: Report): void {
  const { type, textOf } = REPORT_FILES[name];
  const url = URL.createObjectURL(new Blob([textOf(report)], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${report.from}-to-${report.to}-${name}`;
  link.click();
  // The browser has opened it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
