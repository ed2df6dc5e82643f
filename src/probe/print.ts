import type { DialectId } from '../../translators/index.js';
import type { Difference } from './compare.js';
import { isAsked, ROW_NAMES, rowOf } from './rows.js';
import { answering } from './run.js';
import { FAILS, type Finding, type ProbeReport, type Verdict } from './types.js';

const WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  ignored: 'ignored',
  refused: 'refused',
  other: 'other form',
  undecided: 'undecided',
  unasked: 'not asked',
};

/** Colours of a terminal. */
const COLOURS: Readonly<Record<Verdict, number>> = {
  holds: 32,
  ignored: 33,
  refused: 31,
  other: 33,
  undecided: 2,
  unasked: 2,
};

/** A text in the colour of a verdict, or as it is. */
function painted(text: string, verdict: Verdict, isColoured: boolean): string {
  return isColoured ? `\u001b[${COLOURS[verdict]}m${text}\u001b[0m` : text;
}

/** The findings as a table, and below it notes on single ones. */
export function tableOf(report: ProbeReport, isColoured: boolean): readonly string[] {
  const columns = answering(report);
  const rows = ROW_NAMES.filter((row) => columns.some((dialect) => isAsked(row, dialect)));
  const width = Math.max(...rows.map((row) => rowOf(row).title.length)) + 2;
  const widths = columns.map((dialect) => Math.max(dialect.length, WORDS.undecided.length, WORDS.other.length) + 2);
  const cell = (finding: Finding | undefined, room: number): string => {
    if (finding === undefined) return '-'.padEnd(room);
    return painted(WORDS[finding.verdict].padEnd(room), finding.verdict, isColoured);
  };
  const of = (dialect: DialectId, row: string): Finding | undefined =>
    report.findings.find((finding) => finding.dialect === dialect && finding.row === row);
  const lines = rows.map((row) =>
    (
      rowOf(row).title.padEnd(width) +
      columns.map((dialect, index) => cell(of(dialect, row), widths[index] ?? 0)).join('')
    ).trimEnd(),
  );
  const head = (
    ''.padEnd(width) + columns.map((dialect, index) => dialect.padEnd(widths[index] ?? 0)).join('')
  ).trimEnd();
  return [head, ...lines];
}

/** What servers answered where a row does not hold, or what there is to know beside. */
export function notesOf({ findings }: ProbeReport): readonly string[] {
  return findings.flatMap(({ dialect, row, verdict, words }) =>
    words !== undefined && (FAILS.has(verdict) || (row === 'thoughts' && verdict === 'holds'))
      ? [`${dialect}, ${rowOf(row).title}: ${WORDS[verdict]}: ${words}`]
      : [],
  );
}

/** What was found out about the server, before the table. */
export function headOf(report: ProbeReport): readonly string[] {
  const { server, url, models, model, calls, endpoints, stopped } = report;
  const { title = 'a server that does not say which it is', version, by, preset, abilities = [] } = server;
  const known = preset === undefined ? 'no preset' : `preset ${preset}`;
  const silent = endpoints.filter(({ answers }) => !answers);
  return [
    `${url}: ${title}${version === undefined ? '' : ` ${version}`}${by === undefined ? '' : `, by ${by}`}; ${known}`,
    `models: ${models.length === 0 ? 'no list' : shown(models)}${abilities.length === 0 ? '' : `; ${abilities.join(', ')}`}`,
    ...(model === undefined ? [] : [`asked: ${model}, ${calls} calls`]),
    ...silent.map(({ dialect, reason }) => `no ${dialect}: ${reason}`),
    ...(stopped === undefined ? [] : [`stopped: ${stopped}`]),
  ];
}

const SHOWN = 5;

function shown(models: ProbeReport['models']): string {
  const some = models.slice(0, SHOWN).map(({ id, window }) => (window === undefined ? id : `${id} (window ${window})`));
  return `${some.join(', ')}${models.length > SHOWN ? ` and ${models.length - SHOWN} more` : ''}`;
}

/** Where a server differs from its record. */
export function differencesLines(list: readonly Difference[]): readonly string[] {
  return list.map(({ dialect, row, word, record, server, words }) => {
    const said = record === 'holds' ? 'says that it holds' : 'says that it does not hold';
    return `${dialect}, ${rowOf(row).title} (${word}): the record ${said}; the server: ${WORDS[server]}${words === undefined ? '' : `: ${words}`}`;
  });
}
