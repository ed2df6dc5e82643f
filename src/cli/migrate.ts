import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DialectId, dialectIds, isDialectId } from '../../translators/index.js';
import { errorCode } from '../ground/index.js';
import {
  htmlOf,
  jsonOf,
  markdownOf,
  type ReadOptions,
  type Report,
  migrate as readAll,
  SourceError,
  sourceOf,
  type Target,
  tableOf,
  targetAt,
} from '../migrate/index.js';
import {
  addChoice,
  type Command,
  complain,
  EXIT,
  gather,
  textOf,
  textsOf,
  UsageError,
  type Values,
} from './command.js';
import { createProgress } from './progress.js';
import { atHost, type ForModels, readForModels, valueFor } from './target.js';

/** `interlingua migrate`: what recorded traffic would lose if it moved to another dialect (migration.md). */
export const migrate: Command = {
  describe(parser) {
    parser.argument('[file...]', 'recorded traffic; standard input when - or left out');
    addChoice(parser, '--from <dialect>', 'what the recorded requests speak', dialectIds);
    addChoice(parser, '--to <dialect>', 'where they would go', dialectIds);
    for (const [flags, text] of TARGET_OPTIONS) parser.option(flags, text, gather);
    parser
      .option('--all', 'every direction at once; without --from the dialect is detected for each request')
      .option('--out <dir>', 'write report.json, report.md and report.html into a folder')
      .option('--json', 'print the report as JSON in place of a table')
      .option('--strict', 'exit with 3 when strict would refuse any of it')
      .option('--show-values', 'show values of bodies in the report')
      .addHelpText(
        'after',
        `
--model, --profile and --host hold for all requests, or with PATTERN= in front for those whose recorded model fits, such as
--model 'claude-opus-*=gpt-5.5' --model gpt-5.5-mini.

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

const TARGET_OPTIONS = [
  ['--model <name>', 'the model that the requests would ask for; may be given several times'],
  ['--profile <name>', 'a known model with the same abilities, where the name is unknown'],
  ['--host <host>', "where it is served: a known host such as openrouter, or an address; default the vendor's own"],
] as const;

function optionsOf(values: Values, words: readonly string[]): ReadOptions {
  const all = values.all === true;
  const from = dialectOf(values, 'from', all);
  const to = dialectOf(values, 'to', all);
  if (from !== undefined && from === to) throw new UsageError('--from and --to are the same dialect');
  const targetOf = targetsOf(values, to);
  try {
    const sources = (words.length === 0 ? ['-'] : words).map(sourceOf);
    return { sources, from, to, ...(targetOf && { targetOf }), showValues: values.showValues === true };
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
  }
}

/** Where each recorded model would lead; undefined where nothing is said of that. Throws UsageError. */
function targetsOf(values: Values, to: DialectId | undefined): ReadOptions['targetOf'] {
  const [models, profiles, hosts] = [
    forModels(values, 'model'),
    forModels(values, 'profile'),
    forModels(values, 'host'),
  ];
  if (models.length + profiles.length + hosts.length === 0) return undefined;
  if (to === undefined) throw new UsageError('--model, --profile and --host need --to: a target has one dialect');
  // What is none is said before anything is read.
  for (const { value } of hosts) atHost(to, value, undefined);
  for (const { value } of profiles) atHost(to, undefined, value);
  return (recorded): Target => {
    const model = valueFor(models, recorded);
    const profileName = valueFor(profiles, recorded);
    const host = valueFor(hosts, recorded);
    return targetAt(atHost(to, host, profileName), {
      ...(model !== undefined && { model }),
      ...(profileName !== undefined && { profileName }),
      ...(host !== undefined && { host }),
    });
  };
}

function forModels(values: Values, name: string): readonly ForModels[] {
  return readForModels(textsOf(values, name));
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

function exitCodeOf(reports: readonly Report[], strict: boolean, interrupted: boolean): number {
  if (interrupted) return EXIT.interrupted;
  const [first] = reports;
  const none = reports.every(({ exchanges }) => exchanges === 0);
  if (none) complain('interlingua migrate: there was no request to look at');
  if (none && (first === undefined || first.unreadable > 0)) return EXIT.invalid;
  return strict && reports.some(({ lossy, refused }) => lossy + refused > 0) ? EXIT.refused : 0;
}
