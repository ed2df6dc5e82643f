import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FaultyBackend, startFaultyBackend } from '../support/faulty-backend.js';
import {
  ASK,
  DIALECTS,
  json,
  likeVendor,
  type Recorder,
  startGateway,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { asking, exchange, inParallel, type Mode, type Outcome } from './faults/cells.js';
import type { Cell, Fault } from './faults/fault.js';
import { FAULTS } from './faults/table.js';
import { dialectOf, startBackend } from './stage.js';

/** Answers of a first target that lead to the second (configuration.md#rules). */
const PASSED_OVER = [401, 403, 404, 429, 500, 502, 503, 529];

const LIMITS = {
  calm: { connect: 10, firstByte: 12, idle: 12, total: 14 },
  hasty: { connect: 10, firstByte: 0.6, idle: 0.6, total: 14 },
  brief: { connect: 10, firstByte: 12, idle: 12, total: 1.2 },
} as const;

interface Case {
  readonly id: string;
  readonly title: string;
  readonly fault: Fault;
  readonly cell: Cell;
}

const MODES: readonly Mode[] = ['plain', 'stream', 'array'];

/** Every fault three times, so that each dialect is once that of the client and once that of the backend. */
const CASES: readonly Case[] = FAULTS.flatMap((fault, index) =>
  DIALECTS.map((client, turn): Case => {
    const backend = DIALECTS[(turn + index) % 3] ?? 'messages';
    const modes = MODES.filter(
      (mode) => (fault.modes ?? MODES).includes(mode) && (mode !== 'array' || client === 'generateContent'),
    );
    const mode = modes[(index + turn) % modes.length] ?? 'plain';
    return {
      id: `once-${index}-${turn}`,
      title: `row ${fault.row}, ${mode}, ${client} client, ${backend} backend: ${fault.name}`,
      fault,
      cell: { client, backend, mode },
    };
  }),
);

function leadsOn({ row, name }: Fault): boolean {
  if ([11, 12, 13, 14, 16].includes(row)) return true;
  return row === 15 && (/: internal$/.test(name) || PASSED_OVER.some((status) => name.includes(` with ${status}`)));
}

let faulty: FaultyBackend;
let first: Recorder;
let second: Recorder;
let gateway: TestGateway;
const outcomes = new Map<string, Outcome>();

/** How often the second target was asked by the request that says `word`. */
const asked = (recorder: Recorder, word: string): number =>
  recorder.seen.filter(({ path, body }) => `${path} ${body}`.includes(`${word}.`)).length;

function saying(client: Cell['client'], mode: Mode, model: string, word: string) {
  const { path, body } = asking(client, mode, model);
  return { path, body: JSON.parse(JSON.stringify(body).replace('Hello', `${word}.`)) };
}

beforeAll(async () => {
  [faulty, first, second] = await Promise.all([startFaultyBackend(), startBackend(), startBackend()]);
  first.reply = (response, { path, body }) =>
    json(response, Number(/status-(\d+)/.exec(path + body)?.[1]), { error: { message: 'no' } });
  const names = DIALECTS.flatMap((dialect) =>
    Object.entries(LIMITS).map(([name, timeouts]) => ({ name: `${dialect}-${name}`, dialect, timeouts })),
  );
  gateway = await startGateway({
    backends: {
      ...Object.fromEntries(
        names.map(({ name, dialect, timeouts }) => [
          name,
          { ...likeVendor(dialect), baseUrl: faulty.url, breaker: false, timeouts },
        ]),
      ),
      ...Object.fromEntries(
        DIALECTS.map((dialect) => [
          `${dialect}-status`,
          { ...likeVendor(dialect), baseUrl: first.url, breaker: false },
        ]),
      ),
      second: { dialect: 'messages', baseUrl: second.url },
    },
    models: Object.fromEntries(
      [...names.map(({ name }) => name), ...DIALECTS.map((dialect) => `${dialect}-status`)].map((name) => [
        `${name}-*`,
        [
          { backend: name, model: '*' },
          { backend: 'second', model: 'second' },
        ],
      ]),
    ),
    limits: { eventMb: 0.25, drainSeconds: 1 },
    store: { type: 'off' },
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([faulty.close(), first.close(), second.close()]);
});

describe('a fault after the request had left (hardening.md rows 45 and 46)', () => {
  beforeAll(async () => {
    second.reply = (response, { path, body }) =>
      body.includes('"stream":true') ? response.destroy() : json(response, 200, WHOLE[dialectOf(path)]('hi'));
    await inParallel(
      CASES.map(({ id, fault, cell }) => async () => {
        faulty.on(id, fault.serve);
        const model = `${cell.backend}-${fault.limits ?? 'calm'}-${id}`;
        const { path, body } = saying(cell.client, cell.mode, model, id);
        outcomes.set(id, await exchange(gateway.url, path, body));
      }),
      48,
    );
  }, 60_000);

  test.each(CASES)('$title', ({ id, fault, cell }) => {
    expect(outcomes.has(id)).toBe(true);
    expect(faulty.seen.get(id)).toHaveLength(fault.requests?.(cell) ?? 1);
    expect(asked(second, id)).toBe(leadsOn(fault) ? 1 : 0);
  });
});

describe('a status (hardening.md row 45)', () => {
  const statuses = Array.from({ length: 300 }, (_one, index) => 300 + index);

  test.each(DIALECTS)(
    'of any number is asked for once by a %s client, and led on from when that costs nothing',
    async (client) => {
      second.reply = (response, { path }) => json(response, 200, WHOLE[dialectOf(path)]('hi'));
      first.seen.length = 0;
      second.seen.length = 0;
      const results: string[] = [];
      await inParallel(
        statuses.map((status) => async () => {
          const dialect = DIALECTS[status % 3] ?? 'messages';
          const word = `status-${status}`;
          const { path, body } = ASK[client](`${dialect}-status-${word}`);
          const text = JSON.stringify(body).replace('Hello', `${word}.`);
          const answer = await exchange(gateway.url, path, text);
          results.push(`${status} ${answer.status === 200} ${asked(first, word)} ${asked(second, word)}`);
        }),
        16,
      );
      const expected = statuses.map((status) => {
        const leads = PASSED_OVER.includes(status);
        return `${status} ${leads} 1 ${leads ? 1 : 0}`;
      });
      expect(results.sort()).toEqual(expected);
    },
  );
});
