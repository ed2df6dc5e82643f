import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, parse, visit } from 'yaml';
import type { KnownFault } from '../clients/known.js';
import { isOf, type Row } from '../clients/verdict.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { type Client, clientOf } from './clients.js';

/** What a client got over a backend in one run. */
export interface Cell {
  readonly client: string;
  readonly backend: string;
  readonly passed: number;
  readonly run: number;
  /** What fell, and why. */
  readonly fell?: readonly { readonly checks: readonly string[]; readonly why: string }[];
}

/** What answers: a server of one version at one of its endpoints, or what stands in for a vendor's service. */
export interface Backend {
  /** What belongs together on the page; one and the same for all endpoints of a server. */
  readonly group: string;
  readonly endpoint: string;
}

/** One run of a script, as a data file holds it. */
export interface Run {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The command line. */
  readonly command: string;
  /** By the name that cells have for it. */
  readonly clients: Readonly<Record<string, Client>>;
  readonly backends: Readonly<Record<string, Backend>>;
  readonly cells: readonly Cell[];
}

/** What stands in for the vendors' services: the simulator of the product, and the fakes of the tests. */
export const SIMULATED = 'Simulated services';

const FOLDER = join(PACKAGE_ROOT, 'test', 'compatibility', 'results');

/** All runs by the name of their file. A newer run of the same kind has replaced an older one. */
export function readRuns(): ReadonlyMap<string, Run> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  return new Map(
    files.sort().map((file) => [file.replace('.yaml', ''), parse(readFileSync(join(FOLDER, file), 'utf8'))]),
  );
}

/** What a run is told by who made it. */
export interface Told extends Pick<Run, 'command' | 'backends'> {
  /** The part of clients.yaml in which the names of the clients stand. */
  readonly language: string;
  readonly rows: readonly Row[];
  readonly known: readonly KnownFault[];
  readonly date?: string;
}

/** A run of rows: counts by client and backend, and what fell by its reason, in the words of the known fault where it is one. */
export function runOf({ language, rows, known, backends, command, date }: Told): Run {
  const cells = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.client}\t${row.backend}`;
    cells.set(key, [...(cells.get(key) ?? []), row]);
  }
  const names = [...new Set(rows.map(({ client }) => client))].sort();
  return {
    date: date ?? new Date().toISOString().slice(0, 10),
    command,
    clients: Object.fromEntries(names.map((name) => [name, clientOf(language, name)])),
    backends,
    cells: [...cells.values()].map((of) => cellOf(of, known)),
  };
}

function cellOf(rows: readonly Row[], known: readonly KnownFault[]): Cell {
  const [{ client, backend } = { client: '', backend: '' }] = rows;
  const reasons = new Map<string, string[]>();
  for (const row of rows) {
    if (row.why === null) continue;
    const why = known.find((fault) => isOf(fault, row))?.why ?? row.why.replace(/\s+/g, ' ').trim();
    reasons.set(why, [...(reasons.get(why) ?? []), row.check]);
  }
  const fell = [...reasons].map(([why, checks]) => ({ checks, why }));
  const passed = rows.filter(({ why }) => why === null).length;
  return { client, backend, passed, run: rows.length, ...(fell.length > 0 && { fell }) };
}

/** Writes a run as the data file of its kind. */
export function saveRun(name: string, run: Run): void {
  const document = new Document(run);
  // A line for each client, backend and cell.
  visit(document, {
    Map(_, map, path) {
      if (path.length > 4) map.flow = true;
    },
  });
  writeFileSync(join(FOLDER, `${name}.yaml`), document.toString({ lineWidth: 0 }));
}

/** A test that leaves a row, whether it passes or fails. */
export function noted(rows: Row[], row: Omit<Row, 'why'>, run: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await run();
      rows.push({ ...row, why: null });
    } catch (error) {
      rows.push({ ...row, why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) });
      throw error;
    }
  };
}
