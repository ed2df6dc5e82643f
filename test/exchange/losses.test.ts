import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, startRecorder, WHOLE } from '../support/gateway/harness.js';

let recorder: Recorder;
let report: TestApplication;
let strict: TestApplication;

beforeAll(async () => {
  recorder = await startRecorder();
  const backends = { responses: { dialect: 'responses', baseUrl: recorder.url } } as const;
  report = openApplication({ backends });
  strict = openApplication({ backends, losses: { policy: 'strict', allow: ['sampling.topK'] } });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, WHOLE.responses('hi'));
});
afterAll(async () => {
  await report.close();
  await strict.close();
  await recorder.close();
});

const LOSSY = {
  messages: ASK.messages('gpt-4.1', { top_k: 5, stop_sequences: ['END'] }),
  generateContent: ASK.generateContent('gpt-4.1', { generationConfig: { topK: 5, seed: 3 } }),
};

describe('the report', () => {
  test('names what was lost', async () => {
    const { path, body } = LOSSY.messages;
    const { headers } = await report.http.post(path).send(body).expect('x-interlingua-losses', '2;minor=0');
    expect(headers['x-interlingua-loss']).toContain('sampling.topK;kind=dropped;path="/top_k"');
  });

  test('is zero for what is relayed', async () => {
    const { path, body } = ASK.responses('gpt-4.1', { anything: 1 });
    const { headers } = await report.http.post(path).send(body).expect('x-interlingua-losses', '0');
    expect(headers['x-interlingua-loss']).toBeUndefined();
  });

  test('names features of a header that the body uses', async () => {
    const { path, body } = ASK.messages('gpt-4.1', { context_management: { edits: [] } });
    const { headers } = await report.http.post(path).set('anthropic-beta', 'context-management-2025-06-27').send(body);
    expect(headers['x-interlingua-loss']).toContain('headers.beta;kind=dropped;path="/$headers/anthropic-beta"');
    expect(recorder.seen[0]?.headers['anthropic-beta']).toBeUndefined();
  });
});

describe.each(['messages', 'generateContent'] as const)('strict, %s client', (client) => {
  const { path, body } = LOSSY[client];

  test('by header refuses before any call, naming the fields', async () => {
    const answer = await report.http.post(path).set('x-interlingua-losses', 'strict').send(body).expect(400);
    expect(messageOf(client, answer.body)).toMatch(/top_?k sampling\.topK dropped/i);
    expect(recorder.seen).toHaveLength(0);
  });

  test('lets go what the header allows', () =>
    report.http.post(path).set('x-interlingua-losses', 'strict;allow="sampling.* stop"').send(body).expect(200));

  test('by configuration is overridden by the header', async () => {
    await strict.http.post(path).send(body).expect(400);
    await strict.http.post(path).set('x-interlingua-losses', 'report').send(body).expect(200);
  });
});

test('what the configuration allows is let go', async () => {
  const { path, body } = ASK.messages('gpt-4.1', { top_k: 5 });
  await strict.http.post(path).send(body).expect(200);
});

test.each(DIALECTS)('a policy that is none: 400 for %s, relayed or not', async (client) => {
  const { path, body } = ASK[client]('gpt-4.1');
  const answer = await report.http.post(path).set('x-interlingua-losses', 'loose').send(body).expect(400);
  messageOf(client, answer.body);
});
