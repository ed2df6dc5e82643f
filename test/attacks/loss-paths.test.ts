import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { foreignState } from './support/bodies.js';

/** A relayed history that loses something at each of its items: the places of losses are found once (attacks.md finding 8). */

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response) => json(response, 200, WHOLE.responses('Yes.'));
  gateway = await startGateway({
    backends: {
      forgetful: { dialect: 'responses', baseUrl: recorder.url, state: 'none', domain: 'forgetful.example' },
      other: { dialect: 'responses', state: 'own', baseUrl: recorder.url, domain: 'other.example' },
    },
    models: { forgetful: { backend: 'forgetful' } },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** The processor time, in ms, of a request with so many reasoning items of another backend. */
async function cost(items: number): Promise<number> {
  const body = { model: 'forgetful', input: foreignState('other.example', items) };
  const before = process.cpuUsage();
  const answer = await send(gateway.url, '/v1/responses', { body });
  const { user, system } = process.cpuUsage(before);
  expect(answer.status).toBe(200);
  expect(answer.headers['x-interlingua-losses']).toMatch(new RegExp(`^${items}\\b`));
  return (user + system) / 1000;
}

test('4,000 losses cost no more than the request itself', async () => {
  await cost(100);
  expect(await cost(4000)).toBeLessThan(1500);
  expect(JSON.parse(recorder.seen.at(-1)?.body ?? '').input).toHaveLength(1);
});
