import { SERVERS } from '../real/servers.js';
import { TITLES } from './clients.js';
import type { Cell, Run } from './results.js';

/** A cell with what it is of. */
interface Told extends Cell {
  readonly row: string;
  readonly group: string;
  readonly endpoint: string;
  /** The letter of its run. */
  readonly letter: string;
}

const RUNS = 'Runs';

const letterOf = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index);

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** What a row of a client begins with: the cells of its title and its version. */
const rowOf = (title: string, version: string): string => `${title} | ${version}`;

/** A link to a heading of the page. */
const linkTo = (text: string, heading: string): string => `[${text}](#${anchorOf(heading)})`;

/** Rows of the page in the order of clients.yaml, those of one title by version; a client that nobody has run has no version. */
function rowsOf(runs: readonly Run[]): string[] {
  const versions = new Map(TITLES.map((title) => [title, new Set<string>()]));
  for (const { clients } of runs)
    for (const { title, version } of Object.values(clients)) versions.get(title)?.add(version);
  return TITLES.flatMap((title) => {
    const known = [...(versions.get(title) ?? [])].sort();
    return known.length === 0 ? [rowOf(title, '')] : known.map((version) => rowOf(title, version));
  });
}

function toldBy({ clients, backends, cells }: Run, letter: string): Told[] {
  return cells.map((cell) => {
    const [client, backend] = [clients[cell.client], backends[cell.backend]];
    if (client === undefined || backend === undefined)
      throw new Error(`${cell.client} over ${cell.backend} is of nobody`);
    return { ...cell, ...backend, row: rowOf(client.title, client.version), letter };
  });
}

const sum = (cells: readonly Told[], key: 'passed' | 'run'): number => cells.reduce((all, cell) => all + cell[key], 0);

const countOf = (cells: readonly Told[]): string => `${sum(cells, 'passed')} of ${sum(cells, 'run')}`;

/** Everything between the marks of docs/compatibility.md. */
export function printPage(runs: readonly Run[]): string {
  const told = runs.flatMap((run, index) => toldBy(run, letterOf(index)));
  const groups = [...new Set(told.map(({ group }) => group))];
  // A server that `npm run real` could start and nobody has run has an empty column.
  const unrun = Object.values(SERVERS).flatMap(({ title }) =>
    groups.some((group) => group.startsWith(`${title} `)) ? [] : [title],
  );
  const overview = table(
    ['Client', 'Version', ...groups.map((group) => linkTo(group, group)), ...unrun],
    rowsOf(runs).map((row) => [
      row,
      ...groups.map((group) => {
        const cells = told.filter((cell) => cell.row === row && cell.group === group);
        return cells.length === 0 ? '' : countOf(cells);
      }),
      ...unrun.map(() => ''),
    ]),
  );
  const reasons: string[] = [];
  const sections = groups.map((group) =>
    section(
      group,
      told.filter((cell) => cell.group === group),
      rowsOf(runs),
      reasons,
    ),
  );
  const how = table(
    ['', 'Date', 'Command'],
    runs.map(({ date, command }, index) => [letterOf(index), date, `\`${command}\``]),
  );
  return [overview, ...sections, `## ${RUNS}\n\n${how}`].join('\n\n');
}

/** A server's own table by endpoint, and below it why something fails, numbered through the page. */
function section(group: string, told: readonly Told[], rows: readonly string[], reasons: string[]): string {
  const endpoints = [...new Set(told.map(({ endpoint }) => endpoint))];
  const here: string[] = [];
  const numberOf = (why: string): number => {
    if (!here.includes(why)) {
      here.push(why);
      reasons.push(why);
    }
    return reasons.length - here.length + here.indexOf(why) + 1;
  };
  const failures = `What fails: ${group}`;
  const cellOf = (row: string, endpoint: string): string => {
    const cells = told.filter((cell) => cell.row === row && cell.endpoint === endpoint);
    if (cells.length === 0) return '';
    const numbers = [...new Set(cells.flatMap(({ fell = [] }) => fell.map(({ why }) => numberOf(why))))];
    const links = numbers.map((number) => linkTo(String(number), failures)).join(' ');
    const letters = [...new Set(cells.map(({ letter }) => letter))].map((letter) => linkTo(letter, RUNS)).join(' ');
    return `${countOf(cells)} ${letters}${links === '' ? '' : `, fails ${links}`}`;
  };
  const body = rows
    .filter((row) => told.some((cell) => cell.row === row))
    .map((row) => [row, ...endpoints.map((endpoint) => cellOf(row, endpoint))]);
  const list = here.map((why) => {
    const checks = new Set(
      told.flatMap(({ fell = [] }) => fell.flatMap((fall) => (fall.why === why ? fall.checks : []))),
    );
    return `${numberOf(why)}. ${[...checks].map((check) => `*${check}*`).join(', ')}: ${why}`;
  });
  const parts = [`## ${group}`, table(['Client', 'Version', ...endpoints], body)];
  return [...parts, ...(list.length > 0 ? [`### ${failures}`, list.join('\n')] : [])].join('\n\n');
}
