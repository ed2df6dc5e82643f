import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { json, type Recorder, startRecorder } from '../support/gateway/harness.js';

let recorder: Recorder;
let gateway: TestApplication;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = openApplication({ backends: { claude: { dialect: 'messages', baseUrl: recorder.url } } });
});

afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const SIGNATURE = 'c2lnbmF0dXJlLXRoYXQtZXhwaXJlcw==';
const TOOLS = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false }];
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
const THOUGHT = { type: 'thinking', thinking: 'let me look', signature: SIGNATURE };

function answer(...content: unknown[]) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  };
}

test('a conversation goes on when the issuer itself refuses the state that came back', async () => {
  const ask = { model: 'claude-sonnet-4-5', tools: TOOLS, reasoning: { effort: 'low' }, store: false };
  recorder.reply = (response) => json(response, 200, answer(THOUGHT, CALL));
  const { body: first } = await gateway.http.post('/v1/responses').send({ ...ask, input: 'what is there?' });

  recorder.seen.length = 0;
  const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
  recorder.reply = (response, seen) =>
    seen.body.includes(SIGNATURE)
      ? json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } })
      : json(response, 200, answer({ type: 'text', text: 'a door' }));
  const input = [
    { role: 'user', content: 'what is there?' },
    ...first.output,
    { type: 'function_call_output', call_id: 'toolu_1', output: 'a door' },
  ];
  const second = await gateway.http
    .post('/v1/responses')
    .send({ ...ask, input })
    .expect(200);
  expect(recorder.seen).toHaveLength(2);
  expect(recorder.seen[0]?.body).toContain(SIGNATURE);
  expect(recorder.seen[1]?.body).not.toContain(SIGNATURE);
  expect(second.headers['x-interlingua-loss']).toContain('reasoning.state;kind=dropped;path="/input/1"');

  recorder.seen.length = 0;
  recorder.reply = (response) =>
    json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } });
  await gateway.http
    .post('/v1/responses')
    .send({ ...ask, input })
    .expect(400);
  expect(recorder.seen).toHaveLength(2);
});
