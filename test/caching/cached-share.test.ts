import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../sdk/stage.js';
import { pairsOf, ringOf } from '../support/pairs.js';
import { SHORT } from '../support/runs.js';
import { type Measured, openStand, type Stand } from './measure.js';

const PAGE = new URL('../../docs/performance.md', import.meta.url);
const TABLE = /(?<=<!-- cached share -->\n)[\s\S]*?(?=\n<!-- end of cached share -->)/;
const UPDATE = process.env.UPDATE === '1';

/** What a client of another dialect keeps at least of the native client's share (configuration.md#prompt-caches). */
const KEPT = 0.95;

/** In the short run each dialect once on each side. */
const TRIED = SHORT && !UPDATE ? ringOf(DIALECTS) : pairsOf(DIALECTS);

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

/** Whole per cent, rounded down. */
function percentOf({ share }: Measured): number {
  return Math.floor(share * 100);
}

/** The shares that docs/performance.md has: a row for each client, a column for each backend. */
function readTable(): number[][] {
  const [table = ''] = TABLE.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const rows = table.split('\n').slice(2);
  return rows.map((row) => [...row.matchAll(/(\d+) %/g)].map(([, percent]) => Number(percent)));
}

function printTable(rows: readonly (readonly number[])[]): string {
  const head = `| Client | ${DIALECTS.map((backend) => `to ${backend}`).join(' | ')} |`;
  const lines = rows.map(
    (row, index) => `| ${DIALECTS[index]} | ${row.map((percent) => `${percent} %`).join(' | ')} |`,
  );
  return [head, `|---|${DIALECTS.map(() => '---|').join('')}`, ...lines].join('\n');
}

const table = readTable();
const measured = DIALECTS.map((_, row) => DIALECTS.map((_, column) => table[row]?.[column] ?? 0));

describe('a session of thirty requests', () => {
  test.each(TRIED)('%s to %s: the client is told what was billed', async (client, backend) => {
    const session = await stand.through(client, backend);
    const { bills, told } = session;
    expect(told.map(({ input, cached }) => ({ input, cached }))).toEqual(
      bills.map(({ input, cached }) => ({ input, cached })),
    );
    (measured[DIALECTS.indexOf(client)] ?? [])[DIALECTS.indexOf(backend)] = percentOf(session);
    // What is relayed costs what it costs a client with nothing in between.
    if (client === backend) expect((await stand.native(backend)).bills).toEqual(bills);
  });

  test('the table of docs/performance.md is what was measured', () => {
    const printed = printTable(measured);
    if (UPDATE) writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(TABLE, printed));
    else expect(TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(printed);
  });

  test.each(pairsOf(DIALECTS))(
    '%s to %s: as much is read from the cache as for the native client',
    (client, backend) => {
      const column = DIALECTS.indexOf(backend);
      const native = measured[column]?.[column] ?? 0;
      const share = measured[DIALECTS.indexOf(client)]?.[column] ?? 0;
      expect(native).toBeGreaterThan(85);
      expect(share / native).toBeGreaterThanOrEqual(KEPT);
    },
  );
});
