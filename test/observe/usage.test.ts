import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { createLosses, createWatcher, type DialectId, dialects, type Usage } from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, recordedExchanges } from '../support/corpus.js';
import { tableOf } from '../support/dialects/index.js';
import {
  ASK,
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

/** What the decoder of a dialect finds in a stream. */
function decoded(dialect: DialectId, stream: Uint8Array) {
  let usage: Usage = {};
  let model: string | undefined;
  let finish: string | undefined;
  const decoder = dialects[dialect].createStreamDecoder({ losses: createLosses(), domain: 'test' }, (event) => {
    if (event.type === 'start') model = event.model;
    if (event.type === 'start' || event.type === 'usage') usage = { ...usage, ...event.usage };
    if (event.type === 'finish') finish = event.finish.raw;
  });
  decoder.push(stream);
  decoder.end();
  return { input: usage.input, output: usage.output, cacheRead: usage.cacheRead, model: model || undefined, finish };
}

/** What the watcher of a relayed stream finds in it, cut into pieces. */
function watched(dialect: DialectId, stream: Uint8Array, size: number) {
  const watcher = createWatcher(dialects[dialect], 'sse');
  for (let at = 0; at < stream.length; at += size) watcher.push(stream.subarray(at, at + size));
  watcher.end();
  const { usage, model, finish } = watcher.facts();
  return { input: usage?.input, output: usage?.output, cacheRead: usage?.cacheRead, model, finish };
}

const TRACED = tableOf('traced');

/** What is told, without what is not. */
function known<T extends object>(facts: T): Partial<T> {
  return JSON.parse(JSON.stringify(facts));
}

const suite = corpusPresent ? describe : describe.skip;

suite(`recorded streams ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(DIALECTS)('%s: a relay learns as much as a decoder', (dialect) => {
    const recorded = recordedExchanges(dialect).filter((one) => isCreate(one) && one.status === 200);
    const streams = recorded.flatMap(({ name, stream }) => (stream === undefined ? [] : [{ name, stream }]));
    const counted = streams.filter(({ name, stream }) => {
      const facts = decoded(dialect, stream);
      const { finish, ...seen } = watched(dialect, stream, 1000);
      // That an answer failed is an error for a decoder, and no end.
      const told = { name, ...seen, finish: facts.finish && finish };
      // Of an answer that failed after it was counted, a relay knows what a decoder leaves out.
      expect(told).toEqual({ ...(facts.finish === undefined && told), name, ...known(facts) });
      return facts.output !== undefined;
    });
    expect(counted.length).toBeGreaterThan(5);
  });
});

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
  gateway = createGateway({ ...pairsConfig(backend), log: { level: 'info' } });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
});

/** The line of the exchange with an id. A warning lets out what waits to be written. */
function lineOf(id: string): Promise<Tree> {
  return until(() => {
    gateway.logger.warn('flush');
    return log.lines().find((line) => line.id === id && line.msg === 'exchange');
  });
}

let count = 0;

/** Relays what the backend sends, and gives the line of the exchange. */
async function relayed(dialect: DialectId, frames: readonly string[], broken = false): Promise<Tree> {
  count += 1;
  const id = `relayed-${count}`;
  backend.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(frames.join(''), () => (broken ? response.destroy() : response.end()));
  };
  const { path, body } = STREAM[dialect](`to-${dialect}`);
  await send(url, path, { body, headers: { 'x-request-id': id } }).catch(() => {});
  return lineOf(id);
}

test.each(DIALECTS)('%s: a stream tells tokens, who answered, and when it began', async (dialect) => {
  const line = await relayed(dialect, FRAMES[dialect]('Hello there'));
  const { answeredBy, inputTokens, outputTokens, outcome, stream } = line;
  expect({ answeredBy, inputTokens, outputTokens, outcome, stream }).toEqual({
    answeredBy: TRACED[dialect].model,
    inputTokens: 3,
    outputTokens: 2,
    outcome: 'ok',
    stream: true,
  });
  expect(line.firstTokenMs).toBeGreaterThanOrEqual(line.firstByteMs);
});

test.each(['incomplete', 'failed'])('responses: usage counts of an answer that is %s', async (status) => {
  const frames = FRAMES.responses('Hello there');
  const response = { ...WHOLE.responses(''), status, output: [] };
  const last = { type: `response.${status}`, sequence_number: 9, response };
  const end = `event: response.${status}\ndata: ${JSON.stringify(last)}\n\n`;
  expect(await relayed('responses', [...frames.slice(0, -1), end])).toMatchObject({ inputTokens: 3, outputTokens: 2 });
});

test('messages: what broke off before its last count tells the input alone', async () => {
  const line = await relayed('messages', FRAMES.messages('Hello there').slice(0, 4), true);
  expect(line).toMatchObject({ inputTokens: 3, outcome: 'upstream', answeredBy: 'm-real' });
  expect(line).not.toHaveProperty('outputTokens');
});

test('generateContent: what broke off tells what was counted so far, and no zero', async () => {
  const frames = FRAMES.generateContent('Hello there');
  expect(await relayed('generateContent', frames.slice(0, 1), true)).toMatchObject({ inputTokens: 3, outputTokens: 2 });
  const early = frames[0]?.replace('"candidatesTokenCount":2,', '') ?? '';
  const line = await relayed('generateContent', [early], true);
  expect(line).toMatchObject({ inputTokens: 3 });
  expect(line).not.toHaveProperty('outputTokens');
});

test('responses: what broke off before its end has told no tokens', async () => {
  const line = await relayed('responses', FRAMES.responses('Hello there').slice(0, -1), true);
  expect(line).toMatchObject({ answeredBy: 'r-real' });
  expect(line).not.toHaveProperty('inputTokens');
  expect(line).not.toHaveProperty('outputTokens');
});

test('a stream without any count counts no tokens', async () => {
  const before = sum(await scrape(url), 'interlingua_tokens_total', { backend: 'messages' });
  const frames = FRAMES.messages('Hello there').map((frame) => frame.replace(/,?"usage":\{[^}]*\}/, ''));
  const line = await relayed('messages', frames);
  expect(line.outcome).toBe('ok');
  expect(line).not.toHaveProperty('inputTokens');
  expect(line).not.toHaveProperty('outputTokens');
  expect(sum(await scrape(url), 'interlingua_tokens_total', { backend: 'messages' })).toBe(before);
});

test('a client that leaves: what was known until then', async () => {
  for (const client of ['messages', 'responses'] as const) {
    const id = `left-${client}`;
    const leaving = new AbortController();
    backend.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(FRAMES.messages('Hello there').slice(0, 4).join(''));
    };
    const { path, body } = STREAM[client]('to-messages');
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await answer.body?.getReader().read();
    leaving.abort();
    const line = await lineOf(id);
    expect(line).toMatchObject({ outcome: 'client_closed', inputTokens: 3, answeredBy: 'm-real' });
    expect(line).not.toHaveProperty('outputTokens');
    expect(line.firstTokenMs).toBeGreaterThanOrEqual(0);
  }
});

test.each(DIALECTS)('%s: a whole answer tells as much', async (dialect) => {
  backend.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(WHOLE[dialect]('Hello there')));
  };
  const { path, body } = ASK[dialect](`to-${dialect}`);
  const id = `whole-${dialect}`;
  await send(url, path, { body, headers: { 'x-request-id': id } });
  const line = await lineOf(id);
  expect(line).toMatchObject({ inputTokens: 3, outputTokens: 2, answeredBy: TRACED[dialect].model });
  expect(line.firstTokenMs).toBe(line.firstByteMs);
});
