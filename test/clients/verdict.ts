import type { KnownFault } from './known.js';

/** One check of one client over one backend; `why` says what fell. */
export interface Row {
  readonly client: string;
  readonly backend: string;
  readonly check: string;
  readonly why: string | null;
}

/** What a run comes to. */
export interface Verdict {
  /** A table of client, backend and passed of run, and below it what fell. */
  readonly text: string;
  readonly good: boolean;
}

/** A row of a program's output; undefined for what else it prints. A line that only looks like a row is one that fell. */
export function readRow(line: string): Row | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { client, backend, check, why } = JSON.parse(line);
    if ([client, backend, check].every((word) => typeof word === 'string')) return { client, backend, check, why };
  } catch {
    // No JSON: as if it had no members.
  }
  return { client: 'none', backend: 'none', check: 'a line of the program', why: `it is no row: ${line}` };
}

/** Whether a row is of a known fault. */
export function isOf({ client, backend, check }: KnownFault, row: Row): boolean {
  return client.test(row.client) && backend.test(row.backend) && check.test(row.check);
}

/** Judges rows: what fell has to be known, and what is known has to fall. */
export function judge(rows: readonly Row[], known: readonly KnownFault[]): Verdict {
  const fallen = rows.filter(({ why }) => why !== null);
  const unknown = fallen.filter((row) => !known.some((fault) => isOf(fault, row)));
  const lines = unknown.map((row) => `FELL  ${row.client} over ${row.backend}, ${row.check}: ${row.why}`);
  let mended = 0;
  for (const fault of known) {
    const its = rows.filter((row) => isOf(fault, row));
    const fell = its.filter(({ why }) => why !== null);
    if (fell.length === its.length && its.length > 0) {
      lines.push(
        `known ${its.length} rows of ${[...new Set(its.map(({ client }) => client))].join(', ')}: ${fault.why}`,
      );
      continue;
    }
    mended += 1;
    const which = its.filter(({ why }) => why === null).map((row) => `${row.client} over ${row.backend}, ${row.check}`);
    lines.push(`MENDED, take it from the list: ${fault.why} (${which.join('; ') || 'no row is of it'})`);
  }
  return { text: [tableOf(rows), '', ...lines].join('\n'), good: rows.length > 0 && unknown.length + mended === 0 };
}

function tableOf(rows: readonly Row[]): string {
  const counts = new Map<string, { passed: number; run: number }>();
  for (const { client, backend, why } of rows) {
    const key = `${client}\t${backend}`;
    const count = counts.get(key) ?? { passed: 0, run: 0 };
    counts.set(key, { passed: count.passed + (why === null ? 1 : 0), run: count.run + 1 });
  }
  const clients = [...new Set(rows.map(({ client }) => client))].sort();
  const backends = [...new Set(rows.map(({ backend }) => backend))];
  const cell = (client: string, backend: string): string => {
    const count = counts.get(`${client}\t${backend}`);
    return count === undefined ? '-' : `${count.passed} of ${count.run}`;
  };
  const table = [
    ['client', ...backends],
    ...clients.map((client) => [client, ...backends.map((b) => cell(client, b))]),
  ];
  const widths = ['client', ...backends].map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
