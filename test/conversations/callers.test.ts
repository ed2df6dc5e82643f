import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { connectResponses } from '../support/clients.js';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';

let own: FakeBackend;
let gateway: GatewayServer;
let url: string;

/** A gateway without keys whose callers bring credentials for one backend, beside one with the operator's. */
beforeAll(async () => {
  own = await startFakeBackend('responses');
  gateway = createGateway({
    backends: {
      own: { dialect: 'responses', state: 'own', baseUrl: own.url },
      theirs: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', auth: 'client' },
    },
    models: { own: { backend: 'own', model: 'gpt-5' } },
    store: { type: 'memory' },
    log: { level: 'silent' },
  });
  ({ url } = await gateway.listen({ port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await own.close();
});

describe('callers that are told apart by what they bring', () => {
  test("cannot use each other's answers at a backend that all share", async () => {
    const one = connectResponses(url, { apiKey: 'credential-one' });
    const two = connectResponses(url, { apiKey: 'credential-two' });
    const { id } = await one.responses.create({ model: 'own', input: 'my secret' });
    const before = own.requests.length;
    await expect(two.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(two.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    await expect(
      two.responses.create({ model: 'own', input: 'what is it?', previous_response_id: id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
    expect(own.requests).toHaveLength(before);
    expect((await one.responses.retrieve(id)).id).toBe(id);
  });
});

test('what can be no id is asked of nobody, and methods that a place has not are named', async () => {
  const alone = createGateway({
    backends: { own: { dialect: 'responses', state: 'own', baseUrl: own.url } },
    log: { level: 'silent' },
  });
  const address = await alone.listen({ port: 0 });
  const before = own.requests.length;
  for (const id of ['%2e%2e', '..%2Ffiles', 'a%00b', `resp_${'x'.repeat(300)}`, 'a%20b', '%E2%82%AC']) {
    const answer = await fetch(`${address.url}/v1/responses/${id}/input_items`);
    expect([id, answer.status]).toEqual([id, 404]);
  }
  expect(own.requests).toHaveLength(before);
  for (const [method, path, allow] of [
    ['PUT', 'resp_1', 'GET, DELETE'],
    ['HEAD', 'resp_1', 'GET, DELETE'],
    ['POST', 'resp_1/input_items', 'GET'],
    ['GET', 'resp_1/cancel', 'POST'],
    ['GET', 'compact', 'POST'],
    ['GET', 'input_tokens', 'POST'],
  ] as const) {
    const answer = await fetch(`${address.url}/v1/responses/${path}`, { method });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
  }
  await alone.close();
});
