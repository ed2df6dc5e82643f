import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FAKE_DIALECTS, type FakeDialectName } from '../../support/fake-backend/index.js';
import { share } from '../../support/runs.js';
import { createSession, type DescribedError, describeError } from '../../support/sessions/index.js';
import { leaksIn } from './canaries.js';
import { inParallel } from './cells.js';
import { type Cell, type Fault, relaysBytes } from './fault.js';
import { type Stage, startStage } from './stage.js';
import { FAULTS } from './table.js';
import { refusalOf } from './told.js';

/** One fault of each sort. */
const SAMPLE = [
  'closes with no byte',
  'never answers',
  'half a body, then silence',
  'half a stream, then silence',
  'a refusal: invalid_request',
  'a refusal: model',
  'a refusal: rate_limit',
  'a refusal: overloaded',
  'a refusal of our own key: authentication',
  'a page of HTML with 502 Bad Gateway',
  '302 Found',
  '200 with a page as text/html',
  'a body of broken JSON',
  'RST between two events',
  'FIN in the middle of a body',
  'ends without its last word',
  'an error after the first words: overloaded',
  'a malformed event between good ones: {broken',
  'an event above the limit',
];

interface Case {
  readonly id: string;
  readonly title: string;
  readonly fault: Fault;
  readonly cell: Cell & { readonly client: FakeDialectName };
}

const CASES: readonly Case[] = FAULTS.filter(({ name }) => SAMPLE.includes(name))
  .flatMap((fault, turn) =>
    share(
      FAKE_DIALECTS.flatMap((client) =>
        FAKE_DIALECTS.flatMap((backend) =>
          (['plain', 'stream'] as const)
            .filter((mode) => fault.modes?.includes(mode) !== false)
            .map((mode) => ({
              title: `${client}, ${backend} backend, ${mode}: ${fault.name}`,
              fault,
              cell: { client, backend, mode },
            })),
        ),
      ),
      turn,
    ),
  )
  .map((found, index) => ({ ...found, id: `sdk-${index}` }));

let stage: Stage;
const thrown = new Map<string, unknown>();

beforeAll(async () => {
  stage = await startStage();
  await inParallel(
    CASES.map(({ id, fault, cell }) => async () => {
      stage.backend.on(id, fault.serve);
      const model = `${cell.backend}-${fault.limits ?? 'calm'}-${id}`;
      const session = createSession(cell.client, stage.gateway.url, { model });
      session.user('Hello');
      const outcome = await session.send({ stream: cell.mode === 'stream' }).then(
        () => 'an answer',
        (error: unknown) => error,
      );
      thrown.set(id, outcome);
    }),
    32,
  );
}, 60_000);

afterAll(() => stage.close());

test('the sample is complete', () => {
  expect([...new Set(CASES.map(({ fault }) => fault.name))].sort()).toEqual([...SAMPLE].sort());
});

describe('the official SDK throws', () => {
  test.each(CASES)('$title', ({ id, fault, cell }) => {
    const error = describeError(thrown.get(id));
    expect(error.message).not.toBe('');
    expect(leaksIn(JSON.stringify(error), stage.host)).toEqual([]);
    expect(stage.backend.seen.get(id)).toHaveLength(1);
    const told = typeof fault.told === 'function' ? fault.told(cell) : fault.told;
    const relayed = cell.client === cell.backend;
    if (told === 'answer' || relaysBytes(fault, cell) || (relayed && fault.breaksFrame === true)) return;
    const [status, word] = refusalOf(cell.client, told);
    expect(error.sdk).toBe(true);
    expect(wordIn(cell, error)).toMatch(new RegExp(`^${word.replace(/\/null$/, '/.*')}$`));
    if (fault.said === undefined) expect(error.status).toBe(status);
  });
});

function wordIn({ client }: Cell, { type = '', code = '' }: DescribedError): string {
  return client === 'responses' || client === 'chatCompletions' ? `${type}/${code}` : type;
}
