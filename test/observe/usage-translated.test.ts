import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import type { DialectId } from '../../translators/index.js';
import {
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { captureLog, pairsConfig, scrape, sum } from './support.js';

const KEY = 'a-gateway-key-of-tests';

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
  const keys = [{ name: 'tests', key: KEY, tokensPerMinute: 1_000_000 }];
  gateway = createGateway({ ...pairsConfig(backend), keys, log: { level: 'info' } });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
});

let count = 0;

/** Translates what the backend sends, and gives the line of the exchange. */
async function lineOf(client: DialectId, server: DialectId, frames: readonly string[], broken = false): Promise<Tree> {
  count += 1;
  const id = `translated-${count}`;
  backend.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(frames.join(''), () => (broken ? response.destroy() : response.end()));
  };
  const { path, body } = STREAM[client](`to-${server}`);
  await send(url, path, { body, headers: { 'x-request-id': id, 'x-api-key': KEY } }).catch(() => {});
  return until(() => {
    gateway.logger.warn('flush');
    return log.lines().find((line) => line.id === id && line.msg === 'exchange');
  });
}

function ended(status: string): string {
  const response = { ...WHOLE.responses('Hello there'), status, ...(status === 'incomplete' && CUT) };
  return `event: response.${status}\ndata: ${JSON.stringify({ type: `response.${status}`, sequence_number: 9, response })}\n\n`;
}

const CUT = { incomplete_details: { reason: 'max_output_tokens' } };

/** How an answer can end, and the tokens that are known then: nothing is made up (hardening.md row 48). */
const STATES: readonly {
  readonly name: string;
  readonly server: DialectId;
  readonly frames: readonly string[];
  readonly broken?: true;
  readonly tokens: readonly [input: number | undefined, output: number | undefined];
}[] = [
  { name: 'completed', server: 'responses', frames: FRAMES.responses('Hello there'), tokens: [3, 2] },
  {
    name: 'incomplete',
    server: 'responses',
    frames: [...FRAMES.responses('Hello there').slice(0, -1), ended('incomplete')],
    tokens: [3, 2],
  },
  {
    name: 'failed',
    server: 'responses',
    frames: [...FRAMES.responses('Hello there').slice(0, -1), ended('failed')],
    tokens: [3, 2],
  },
  {
    name: 'counted in its last delta alone',
    server: 'messages',
    frames: FRAMES.messages('Hello there').map((frame) => frame.replace('"input_tokens":3,', '')),
    tokens: [undefined, 2],
  },
  {
    name: 'without any count',
    server: 'messages',
    frames: FRAMES.messages('Hello there').map((frame) => frame.replace(/,?"usage":\{[^}]*\}/, '')),
    tokens: [undefined, undefined],
  },
  {
    name: 'without any count',
    server: 'generateContent',
    frames: FRAMES.generateContent('Hello there').map((frame) => frame.replace(/"usageMetadata":\{[^}]*\},/, '')),
    tokens: [undefined, undefined],
  },
  {
    name: 'cut before its last count',
    server: 'messages',
    frames: FRAMES.messages('Hello there').slice(0, 4),
    broken: true,
    tokens: [3, undefined],
  },
  {
    name: 'cut before any count',
    server: 'responses',
    frames: FRAMES.responses('Hello there').slice(0, -1),
    broken: true,
    tokens: [undefined, undefined],
  },
];

const CASES = STATES.flatMap((state) => DIALECTS.map((client) => ({ ...state, client })));

test.each(CASES)('$server to $client, $name', async ({ client, server, frames, broken, tokens }) => {
  const counted = async (direction: string) =>
    sum(await scrape(url, { 'x-api-key': KEY }), 'interlingua_tokens_total', { backend: server, direction });
  const before = [await counted('input'), await counted('output')];
  const line = await lineOf(client, server, frames, broken);
  expect([line.inputTokens, line.outputTokens]).toEqual(tokens);
  const after = [await counted('input'), await counted('output')];
  expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual(tokens.map((value) => value ?? 0));
});

test('the minute of the key has what was counted, and an estimate where nothing was', async () => {
  const { path, body } = STREAM.messages('to-messages');
  const left = async () => {
    const { headers } = await send(url, path, { body, headers: { 'x-api-key': KEY } });
    return Number(headers['anthropic-ratelimit-tokens-remaining']);
  };
  const answer = (frames: readonly string[]) => {
    backend.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(frames.join(''));
    };
  };
  answer(FRAMES.messages('Hello there'));
  const first = await left();
  expect(first - (await left())).toBe(5);
  answer(FRAMES.messages('Hello there').map((frame) => frame.replace(/,?"usage":\{[^}]*\}/, '')));
  const second = await left();
  expect(second - (await left())).toBeGreaterThan(5);
});
