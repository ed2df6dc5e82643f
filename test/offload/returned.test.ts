import { expect, test } from '@jest/globals';
import { json, send, startGateway, startRecorder, WHOLE } from '../support/gateway/harness.js';

test('a large answer whose request a thread gives back is read here, and not paid for again and again', async () => {
  const broken = await startRecorder();
  const large = await startRecorder();
  broken.reply = (response) => json(response, 500, { error: { message: 'out of order', type: 'server_error' } });
  const text = 'x'.repeat(1.5 * 1024 * 1024);
  large.reply = (response) => json(response, 200, WHOLE.responses(large.seen.length > 4 ? 'again and again' : text));
  const gateway = await startGateway({
    backends: {
      native: { dialect: 'responses', state: 'own', baseUrl: broken.url, retries: 0, breaker: false },
      other: { dialect: 'responses', state: 'none', baseUrl: large.url, retries: 0, breaker: false },
    },
    models: { m: [{ backend: 'native' }, { backend: 'other' }] },
    store: { type: 'memory' },
  });
  const body = { model: 'm', input: 'Hi', background: true };
  const answer = await send(gateway.url, '/v1/responses', { body });
  expect([answer.status, answer.text.includes(text)]).toEqual([200, true]);
  // In the thread the second target is the first, for which the gateway makes answers in the background: not there.
  expect([broken.seen.length, large.seen.length]).toEqual([2, 2]);
  await gateway.close();
  await Promise.all([broken.close(), large.close()]);
}, 60_000);
