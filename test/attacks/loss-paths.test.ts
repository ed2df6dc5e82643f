import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leastOf, processorMs } from '../support/cost.js';
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
function cost(items: number): Promise<number> {
  const body = { model: 'forgetful', input: foreignState('other.example', items) };
  return processorMs(async () => {
    const answer = await send(gateway.url, '/v1/responses', { body });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-interlingua-losses']).toMatch(new RegExp(`^${items}\\b`));
  });
}

test('what losses cost is in line with their number', async () => {
  await cost(1000);
  // Quadratic work would cost 16 times as much.
  expect(await leastOf(8, async () => (await cost(4000)) / (await cost(1000)))).toBeLessThan(8);
  expect(JSON.parse(recorder.seen.at(-1)?.body ?? '').input).toHaveLength(1);
});
