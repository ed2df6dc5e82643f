import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DialectId, dialectIds, isDialectId } from '../../translators/index.js';
import { errorCode } from '../ground/index.js';
import {
  htmlOf,
  type MigrateOptions,
  markdownOf,
  type Report,
  migrate as readAll,
  SourceError,
  sourceOf,
  tableOf,
} from '../migrate/index.js';
import { addChoice, type Command, complain, EXIT, textOf, UsageError, type Values } from './command.js';
import { createProgress } from './progress.js';

/** `interlingua migrate`: what recorded traffic would lose if it moved to another dialect (contract.md 6). */
export const migrate: Command = {
  describe(parser) {
    parser.argument('[file...]', 'recorded traffic; standard input when - or left out');
    addChoice(parser, '--from <dialect>', 'what the recorded requests speak', dialectIds);
    addChoice(parser, '--to <dialect>', 'where they would go', dialectIds);
    parser
      .option('--all', 'every direction at once: without --from the dialect is told from each request')
      .option('--out <dir>', 'write report.json, report.md and report.html into a folder')
      .option('--json', 'print the report as JSON in place of a table')
      .option('--strict', 'exit with 3 when strict would refuse any of it')
      .option('--show-values', 'show values of bodies in the report')
      .addHelpText(
        'after',
        `
Reads JSON Lines of request bodies or of {request, response, status, stream} as serve --record writes them, HAR files, and the
vendors' batch files; each may be gzip. Interrupted, it reports what was read and exits with 130.`,
      );
  },
  hearsSignals: true,
  async run(values, words) {
    const options = optionsOf(values, words);
    const folder = textOf(values, 'out');
    if (folder !== undefined) makeFolder(folder);
    const interrupted = new AbortController();
    const interrupt = (): void => interrupted.abort();
    process.once('SIGINT', interrupt);
    const progress = createProgress();
    const reports = await readAll({ ...options, signal: interrupted.signal, progress: progress.show }).finally(() => {
      process.off('SIGINT', interrupt);
      progress.clear();
    });
    const all = values.all === true;
    if (folder !== undefined) for (const report of reports) writeReport(folderFor(folder, report, all), report);
    if (values.json === true) process.stdout.write(jsonOf(all ? reports : reports[0]));
    else process.stdout.write(reports.map(tableOf).join('\n'));
    return exitCodeOf(reports, values.strict === true, interrupted.signal.aborted);
  },
};

function optionsOf(values: Values, words: readonly string[]): MigrateOptions {
  const all = values.all === true;
  const from = dialectOf(values, 'from', all);
  const to = dialectOf(values, 'to', all);
  if (from !== undefined && from === to) throw new UsageError('--from and --to are the same dialect');
  try {
    const sources = (words.length === 0 ? ['-'] : words).map(sourceOf);
    return { sources, from, to, showValues: values.showValues === true };
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
  }
}

function dialectOf(values: Values, name: 'from' | 'to', all: boolean): DialectId | undefined {
  const word = values[name];
  if (isDialectId(word)) return word;
  if (all) return undefined;
  throw new UsageError(`--${name} must be one of ${dialectIds.join(', ')}; --all looks at every direction`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot write to ${folder} (${errorCode(error) ?? 'unknown reason'})`);
  }
}

/** With every direction at once each has a folder of its own. */
function folderFor(folder: string, { from, to }: Report, all: boolean): string {
  return all ? join(folder, `${from}-to-${to}`) : folder;
}

function writeReport(folder: string, report: Report): void {
  makeFolder(folder);
  writeFileSync(join(folder, 'report.json'), jsonOf(report));
  writeFileSync(join(folder, 'report.md'), markdownOf(report));
  writeFileSync(join(folder, 'report.html'), htmlOf(report));
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function exitCodeOf(reports: readonly Report[], strict: boolean, interrupted: boolean): number {
  if (interrupted) return EXIT.interrupted;
  const [first] = reports;
  const none = reports.every(({ exchanges }) => exchanges === 0);
  if (none) complain('interlingua migrate: there was no request to look at');
  if (none && (first === undefined || first.unreadable > 0)) return EXIT.invalid;
  return strict && reports.some(({ lossy, refused }) => lossy + refused > 0) ? EXIT.refused : 0;
}
