import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { costOf } from '../support/cost.js';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { TURNS, withValues } from './support/bodies.js';

/** Bodies of very many very small values: they are counted before anything is built of them (attacks.md findings 4 and 7). */

const VALUES = 7_000_000;

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [`to-${dialect}`, { backend: dialect }])),
  });
  // What it costs to start a thread is no part of what a body costs.
  await send(gateway.url, ASK.messages('to-messages').path, { body: `[${' '.repeat(2_000_000)}]` });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** A body of a dialect with so many empty objects in a member. */
function bodyWith(client: (typeof DIALECTS)[number], member: string, entries: number): string {
  return withValues(ASK[client]('to-messages').body, member, entries);
}

/** How many values JSON has, objects and lists among them. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + valuesIn(child), 1);
}

describe.each(DIALECTS)('a body of %s', (client) => {
  // The values are counted before a backend is chosen: one for each member is enough.
  const members = [TURNS[client], 'tools', 'unknown'].map((member, index) => [member, DIALECTS[index]] as const);
  test.each(members)('with millions of values in %s is refused before it costs anything', async (member, backend) => {
    const body = bodyWith(client, member, VALUES);
    const ask = async (): Promise<void> => {
      const answer = await send(gateway.url, ASK[client](`to-${backend}`).path, { body });
      expect([answer.status, messageOf(client, answer.body)]).toEqual([
        400,
        'the body has more than 250000 values (limits.jsonValues)',
      ]);
    };
    // The client in this process has its part of it; building the values took minutes.
    expect(await costOf(ask, 400)).toBeLessThan(400);
  });

  test('may have as many values as the bound says', async () => {
    recorder.reply = (response) => json(response, 200, WHOLE[client]('Yes.'));
    const { path, body } = ASK[client](`to-${client}`);
    const own = JSON.stringify(body);
    const values = (count: number) => `${own.slice(0, -1)},"unknown":[${'0,'.repeat(count - 1)}0]}`;
    const ownCount = valuesIn(body);
    const statuses: number[] = [];
    for (const more of [0, 1]) {
      const answer = await send(gateway.url, path, { body: values(250_000 - ownCount - 1 + more) });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 400]);
  });
});
