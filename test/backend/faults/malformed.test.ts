import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { DIALECTS, messageOf, startGateway, type TestGateway } from '../../support/gateway/harness.js';
import { runs } from '../../support/runs.js';
import { exchange, type Outcome } from './cells.js';
import { eventsOf } from './checks.js';
import { type Sent, sendings } from './sendings.js';
import { SLIPS } from './slips.js';

let gateway: TestGateway;
const unforeseen: unknown[] = [];
const note = (thrown: unknown): unknown => unforeseen.push(thrown);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    media: { fetch: false },
  });
});

afterAll(async () => {
  await gateway.close();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

function judge(dialect: DialectId, { body }: Sent, outcome: Outcome): void {
  expect(outcome.status).toBeLessThan(500);
  expect(outcome.complete).toBe(true);
  if (SLIPS.exec(body) === null) expect(outcome.text).not.toMatch(SLIPS);
  if (outcome.status >= 400) {
    expect(outcome.headers['content-type']).toMatch(/^application\/json/);
    messageOf(dialect, JSON.parse(outcome.text));
  } else if (String(outcome.headers['content-type']).startsWith('text/event-stream')) {
    expect(eventsOf(outcome.text, 'stream').length).toBeGreaterThan(0);
  } else JSON.parse(outcome.text);
}

describe.each(DIALECTS)('malformed bodies of %s', (dialect) => {
  test('are answered in its own words', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(sendings(dialect), async (sent) => {
        const outcome = await exchange(gateway.url, sent.path, sent.body);
        statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
        judge(dialect, sent, outcome);
      }),
      { numRuns: runs(170), endOnFailure: true },
    );
    expect(statuses.get(400) ?? 0).toBeGreaterThan(0);
    expect(unforeseen).toEqual([]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  }, 600_000);
});
