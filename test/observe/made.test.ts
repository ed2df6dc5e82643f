import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { json, type Recorder, send, startRecorder, type Tree } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { until } from '../support/until.js';
import { captureLog, pairsConfig, replyInKind, scrape, sum } from './support.js';

const PROMPT = 'prompt-canary-77a1';

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
  gateway = createGateway({
    ...pairsConfig(backend),
    store: { type: 'memory' },
    log: { level: 'info', content: true },
  });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
});

/** The lines of one request, as soon as there is one with a message. A warning lets out what waits to be written. */
function linesOf(id: string, msg: string): Promise<Tree[]> {
  return until(() => {
    gateway.logger.warn('flush');
    const lines = log.lines().filter((line) => line.id === id);
    return lines.some((line) => line.msg === msg) && lines;
  });
}

/** How many tokens a backend was counted for so far. */
async function tokensOf(name: string): Promise<number[]> {
  const samples = await scrape(url);
  return ['input', 'output'].map((direction) => sum(samples, 'interlingua_tokens_total', { backend: name, direction }));
}

test('an answer that is made in the background is told when it is made, and its tokens are counted once', async () => {
  backend.reply = replyInKind;
  const id = 'in-the-background';
  const body = { model: 'to-messages', input: PROMPT, background: true };
  const { status, body: queued } = await send(url, '/v1/responses', { body, headers: { 'x-request-id': id } });
  expect([status, queued.status]).toEqual([200, 'queued']);
  const lines = await linesOf(id, 'background answer');
  const made = lines.filter(({ msg }) => msg === 'background answer');
  expect(made).toHaveLength(1);
  const [line] = made;
  expect(line).toMatchObject({
    client: 'responses',
    answer: queued.id,
    model: 'to-messages',
    backend: 'messages',
    dialect: 'messages',
    answeredBy: 'm-real',
    inputTokens: 3,
    outputTokens: 2,
    outcome: 'ok',
  });
  expect(line.firstTokenMs).toBeGreaterThanOrEqual(0);
  const [own] = lines.filter(({ msg }) => msg === 'exchange');
  expect(own).not.toHaveProperty('outputTokens');
  const said = lines.filter(({ msg }) => msg === 'content').map(({ text }) => text);
  expect(said.some((text) => text.includes(PROMPT))).toBe(true);
  expect(said.some((text) => text.includes('Hello there'))).toBe(true);
  expect(await tokensOf('messages')).toEqual([3, 2]);
  const samples = await scrape(url);
  const labels = { backend: 'messages', model: 'to-messages', status: 'completed' };
  expect(sum(samples, 'interlingua_background_answers_total', labels)).toBe(1);
  expect(sum(samples, 'interlingua_background_answers_open')).toBe(0);
});

test('a compaction is one exchange with the tokens of its summary', async () => {
  backend.reply = replyInKind;
  const id = 'compacted';
  const before = await tokensOf('messages');
  const body = { model: 'to-messages', input: [{ type: 'message', role: 'user', content: PROMPT }] };
  const { status } = await send(url, '/v1/responses/compact', { body, headers: { 'x-request-id': id } });
  expect(status).toBe(200);
  const lines = (await linesOf(id, 'exchange')).filter(({ msg }) => msg === 'exchange');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ backend: 'messages', inputTokens: 3, outputTokens: 2, outcome: 'ok', status: 200 });
  const [input = 0, output = 0] = before;
  expect(await tokensOf('messages')).toEqual([input + 3, output + 2]);
});

test('a compaction that fails is one exchange of the backend that failed', async () => {
  backend.reply = (response) =>
    json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: 'no' } });
  const id = 'not-compacted';
  const body = { model: 'to-messages', input: [{ type: 'message', role: 'user', content: PROMPT }] };
  await send(url, '/v1/responses/compact', { body, headers: { 'x-request-id': id } });
  const lines = (await linesOf(id, 'exchange')).filter(({ msg }) => msg === 'exchange');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ backend: 'messages', outcome: 'invalid_request', status: 400 });
});

test('pictures have the tokens that their answers tell, whole and streamed', async () => {
  const usage = { total_tokens: 50, input_tokens: 10, output_tokens: 40, input_tokens_details: {} };
  const b64_json = png({ width: 4, height: 4 }).toString('base64');
  backend.reply = (response, { body }) => {
    if (!body.includes('"stream":true')) {
      json(response, 200, { created: 1, data: [{ b64_json }], usage });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const type = 'image_generation.completed';
    response.end(`event: ${type}\ndata: ${JSON.stringify({ type, b64_json, created_at: 1, usage })}\n\n`);
  };
  for (const stream of [false, true]) {
    const id = `picture-${stream}`;
    const body = { model: 'to-responses', prompt: PROMPT, stream };
    const { status } = await send(url, '/v1/images/generations', { body, headers: { 'x-request-id': id } });
    expect(status).toBe(200);
    const [line] = (await linesOf(id, 'exchange')).filter(({ msg }) => msg === 'exchange');
    expect(line).toMatchObject({ backend: 'responses', inputTokens: 10, outputTokens: 40, outcome: 'ok' });
  }
  expect(await tokensOf('responses')).toEqual([20, 80]);
});
