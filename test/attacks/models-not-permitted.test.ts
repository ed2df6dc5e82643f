import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DIALECTS,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

/** Models that a key may not use, named wherever a backend reads a name (attacks.md finding 13). */

const LIMITED = 'the-key-of-the-limited-team';
const FREE = 'the-key-of-the-free-team';

let gateway: TestGateway;
const recorders = new Map<string, Recorder>();

beforeAll(async () => {
  for (const dialect of DIALECTS) recorders.set(dialect, await startRecorder());
  const urlOf = (dialect: string): string => recorders.get(dialect)?.url ?? '';
  gateway = await startGateway({
    backends: {
      m: { dialect: 'messages', baseUrl: urlOf('messages'), apiKey: 'k' },
      r: { dialect: 'responses', baseUrl: urlOf('responses'), apiKey: 'k' },
      g: { dialect: 'generateContent', baseUrl: urlOf('generateContent'), apiKey: 'k' },
    },
    models: {
      'm-*': { backend: 'm' },
      'r-*': { backend: 'r' },
      'g-*': { backend: 'g' },
      'alias-g': { backend: 'g', model: 'g-real' },
    },
    keys: [
      { name: 'limited', key: LIMITED, models: ['m-ok', 'r-ok', 'g-ok', 'alias-g'] },
      { name: 'free', key: FREE },
    ],
    passthrough: { messages: 'm', responses: 'r', generateContent: 'g' },
  });
});
afterEach(() => {
  for (const recorder of recorders.values()) recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  for (const recorder of recorders.values()) await recorder.close();
});

const post = (path: string, body: string, key = LIMITED) =>
  send(gateway.url, path, { body, headers: { authorization: `Bearer ${key}` } });
const calls = (): number => [...recorders.values()].reduce((sum, { seen }) => sum + seen.length, 0);

const M = '"max_tokens":9,"messages":[{"role":"user","content":"hi"}]';
const R = '"input":"hi","store":false';
const G = '"contents":[{"role":"user","parts":[{"text":"hi"}]}]';
const G_PATH = '/v1beta/models/g-ok:generateContent';
const COUNT = '/v1beta/models/g-ok:countTokens';

describe('A key with a list of models cannot name another one in a body that is relayed', () => {
  it.each([
    ['twice, the forbidden first', '/v1/messages', `{"model":"m-no","model":"m-ok",${M}}`],
    ['twice, the permitted twice', '/v1/messages', `{"model":"m-ok",${M},"model":"m-ok"}`],
    ['twice, one of them escaped', '/v1/messages', `{"mod\\u0065l":"m-no","model":"m-ok",${M}}`],
    ['in a capital', '/v1/messages', `{"model":"m-ok","Model":"m-no",${M}}`],
    ['in capitals', '/v1/responses', `{"model":"r-ok","MODEL":"r-no",${R}}`],
    ['twice in responses', '/v1/responses', `{"model":"r-no","model":"r-ok",${R}}`],
    ['twice in a tool', '/v1/messages', `{"model":"m-ok",${M},"tools":[{"model":"m-no","model":"m-ok"}]}`],
    ['twice in a count', '/v1/messages/count_tokens', `{"model":"m-no","model":"m-ok",${M}}`],
    ['twice in generateContent', G_PATH, `{"model":"models/g-no","model":"models/g-ok",${G}}`],
    ['in a capital in generateContent', G_PATH, `{"Model":"models/g-ok",${G}}`],
    ['twice in embeddings', '/v1/embeddings', '{"model":"r-no","model":"r-ok","input":"x"}'],
  ])('%s: 400', async (_name, path, body) => {
    const answer = await post(path, body);
    expect({ status: answer.status, calls: calls() }).toEqual({ status: 400, calls: 0 });
    expect(answer.body.error.message).toMatch(/^model: must not be named/);
  });

  it.each([
    ['fallbacks', '/v1/messages', `{"model":"m-ok",${M},"fallbacks":[{"model":"m-ok"},{"model":"m-no"}]}`],
    ['fallbacks by name', '/v1/messages', `{"model":"m-ok",${M},"fallbacks":["m-no"]}`],
    ['models', '/v1/responses', `{"model":"r-ok",${R},"models":["r-ok","r-no"]}`],
    ['an advisor', '/v1/messages', `{"model":"m-ok",${M},"tools":[{"type":"advisor_x","name":"a","model":"m-no"}]}`],
    ['tools twice', '/v1/messages', `{"model":"m-ok",${M},"tools":[{"name":"a","model":"m-no"}],"tools":[]}`],
    [
      'a tool for pictures',
      '/v1/responses',
      `{"model":"r-ok",${R},"tools":[{"type":"image_generation","model":"r-no"}]}`,
    ],
    ['the body of generateContent', G_PATH, `{"model":"models/g-no",${G}}`],
    ['generateContentRequest', COUNT, `{"generateContentRequest":{"model":"models/g-no",${G}}}`],
    ['generate_content_request', COUNT, `{"generate_content_request":{"model":"models/g-no",${G}}}`],
    ['a router', G_PATH, `{${G},"generationConfig":{"routingConfig":{"manualMode":{"modelName":"g-no"}}}}`],
    ['a batch', '/v1/messages/batches', '{"model":"m-ok","requests":[{"custom_id":"1","params":{"model":"m-no"}}]}'],
    ['embeddings', '/v1beta/models/g-ok:batchEmbedContents', '{"requests":[{"model":"models/g-no","content":{}}]}'],
  ])('%s: 403', async (_name, path, body) => {
    const answer = await post(path, body);
    expect({ status: answer.status, calls: calls() }).toEqual({ status: 403, calls: 0 });
  });

  it('a body that is not read: 403', async () => {
    const answer = await send(gateway.url, '/v1beta/models/g-ok:predict', {
      body: '{"model":"models/g-no"}',
      headers: { authorization: `Bearer ${LIMITED}`, 'content-type': 'text/plain' },
    });
    expect({ status: answer.status, calls: calls() }).toEqual({ status: 403, calls: 0 });
  });

  it.each([
    [
      'what is said',
      '/v1/messages',
      '"content":[{"type":"tool_use","id":"t","name":"n","input":{"model":"T","Model":"X"}}]',
    ],
    ['what is in a text', '/v1/messages', '"content":"{\\"model\\":\\"m-no\\",\\"model\\":1}"'],
  ])('%s is no name of a model', async (_name, path, content) => {
    json200(recorders.get('messages'));
    const answer = await post(path, `{"model":"m-ok","max_tokens":9,"messages":[{"role":"assistant",${content}}]}`);
    expect({ status: answer.status, calls: calls() }).toEqual({ status: 200, calls: 1 });
  });

  it('nor are schemas and metadata', async () => {
    const tool = '{"type":"function","name":"f","parameters":{"properties":{"model":{"enum":["x"],"default":"x"}}}}';
    json200(recorders.get('responses'));
    const answer = await post('/v1/responses', `{"model":"r-ok",${R},"metadata":{"Model":"x"},"tools":[${tool}]}`);
    expect({ status: answer.status, calls: calls() }).toEqual({ status: 200, calls: 1 });
  });

  it('permitted names pass wherever they stand', async () => {
    json200(recorders.get('messages'));
    const body = `{"model":"m-ok",${M},"fallbacks":[{"model":"m-ok"}],"tools":[{"name":"a","model":"m-ok"}]}`;
    expect((await post('/v1/messages', body)).status).toBe(200);
    expect(recorders.get('messages')?.seen[0]?.body).toBe(body);
  });

  it('a key without a list may say what it wants', async () => {
    json200(recorders.get('messages'));
    const body = `{"model":"m-a","model":"m-b",${M},"fallbacks":[{"model":"m-no"}]}`;
    expect((await post('/v1/messages', body, FREE)).status).toBe(200);
    expect(recorders.get('messages')?.seen[0]?.body).toBe(body);
  });
});

describe('Names in generateContent bodies are the target of the path', () => {
  it.each([
    ['g-ok', 'generateContent', `{"model":"models/g-no",${G}}`, `{"model":"models/g-ok",${G}}`],
    ['alias-g', 'generateContent', `{"model":"models/x",${G}}`, `{"model":"models/g-real",${G}}`],
    [
      'g-ok',
      'countTokens',
      `{"generateContentRequest":{"model":"models/g-no",${G}},"generateContentRequest":{"model":"x"}}`,
      `{"generateContentRequest":{"model":"models/g-ok",${G}},"generateContentRequest":{"model":"models/g-ok"}}`,
    ],
    ['g-ok', 'generateContent', `{ ${G}, "a" : 1.0 }`, `{ ${G}, "a" : 1.0 }`],
    [
      'g-ok',
      'batchEmbedContents',
      '{"requests":[{"model":"models/g-no","content":{}},{"content":{}}]}',
      '{"requests":[{"model":"models/g-ok","content":{}},{"content":{}}]}',
    ],
  ])('%s:%s %s', async (model, verb, body, sent) => {
    await post(`/v1beta/models/${model}:${verb}`, body, FREE);
    expect(recorders.get('generateContent')?.seen[0]?.body).toBe(sent);
  });
});

function json200(recorder: Recorder | undefined): void {
  if (recorder !== undefined) recorder.reply = (response) => json(response, 200, {});
}
