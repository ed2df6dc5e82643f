import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeCarrier } from '../../translators/wire/carrier.js';
import { json, type Recorder, send, startGateway, startRecorder, type TestGateway, WHOLE } from '../gateway/harness.js';

/** A relayed history that loses something at each of its items: the places of losses are found once (attacks.md finding 8). */

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response) => json(response, 200, WHOLE.responses('Yes.'));
  gateway = await startGateway({
    backends: {
      forgetful: { dialect: 'responses', baseUrl: recorder.url, state: 'none', domain: 'forgetful.example' },
      other: { dialect: 'responses', baseUrl: recorder.url, domain: 'other.example' },
    },
    models: { forgetful: { backend: 'forgetful' } },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const entry = {
  dialect: 'messages',
  domain: 'other.example',
  kind: 'signature' as const,
  payload: '{"signature":"c2ln"}',
};
const carrier = encodeCarrier('messages', 'other.example', [entry]);

/** The processor time, in ms, of a request with so many reasoning items of another backend. */
async function cost(items: number): Promise<number> {
  const state = { type: 'reasoning', summary: [], encrypted_content: carrier };
  const input = [...Array.from({ length: items }, () => state), { role: 'user', content: 'go on' }];
  const body = { model: 'forgetful', input };
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
