import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { migrate, sourceOf } from '../../src/migrate/index.js';
import { withoutContent } from '../../src/observe/record/content-free.js';
import { startWatched, type WatchedGateway } from '../backend/stage.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';

/** `record`: exchanges in a file, for `interlingua migrate` (migration.md#recording-traffic). */

const KEY = 'the-key-of-the-backend';
const CALLER = 'the-key-of-the-caller';

let backend: Recorder;
let folder: string;
let path: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  backend = await startRecorder();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interlingua-record-'));
  path = join(folder, 'traffic.jsonl');
  backend.reply = (response) => json(response, 200, WHOLE.messages('Yes.'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => backend.close());

function configOf(record: object): ConfigInput {
  return {
    backends: { one: { dialect: 'messages', baseUrl: backend.url, apiKey: KEY, retries: 0 } },
    models: { '*': { backend: 'one' } },
    keys: [{ name: 'caller', key: CALLER }],
    record,
  };
}

async function start(record: object = { path }, largeBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const gateway = await startGateway(configOf(record), { largeBytes });
  closers.push(gateway.close);
  return gateway.url;
}

const headers = { 'x-api-key': CALLER };

async function lines(count: number): Promise<Tree[]> {
  const read = (): string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
  await until(() => read().length >= count);
  return read().map((line) => JSON.parse(line));
}

test('requests with their answers, streams and errors, as the client sent and saw them', async () => {
  const url = await start();
  const asked = DIALECTS.map((id) => ASK[id]('some-model'));
  const answers: Tree[] = [];
  for (const { path: where, body } of asked) answers.push((await send(url, where, { body, headers })).body);
  backend.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES.messages('Yes.').join(''));
  };
  const streamed = await send(url, STREAM.responses('m').path, { body: STREAM.responses('m').body, headers });
  backend.reply = (response) => json(response, 400, { type: 'error', error: { type: 'x', message: `no ${KEY}` } });
  const failed = await send(url, ASK.messages('m').path, { body: ASK.messages('m').body, headers });
  const found = await lines(DIALECTS.length + 2);
  expect(found.slice(0, -2)).toEqual(
    asked.map(({ body }, index) => ({
      request: body,
      dialect: DIALECTS[index],
      ...(!('model' in body) && { model: 'some-model' }),
      status: 200,
      response: answers[index],
    })),
  );
  expect(found.at(-2)).toEqual({
    request: STREAM.responses('m').body,
    dialect: 'responses',
    status: 200,
    stream: streamed.text,
  });
  expect(found.at(-1)).toMatchObject({ status: 400, response: failed.body });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('no credential and no large data, and what stays is valid', async () => {
  const url = await start();
  const picture = `iVBORw0KGgo${'A'.repeat(4001)}`;
  const signature = 'c2ln'.repeat(500);
  const { path: where, body } = ASK.messages('m', {
    messages: [
      { role: 'user', content: [{ type: 'text', text: `My keys are ${CALLER} and ${KEY}.` }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature }] },
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
          { type: 'text', text: `data:image/png;base64,${picture}` },
        ],
      },
    ],
    mcp_servers: [{ type: 'url', name: 'w', url: 'https://example.org', authorization_token: 'a-token "of" somebody' }],
  });
  await send(url, where, { body, headers });
  const [line] = await lines(1);
  const text = JSON.stringify(line);
  for (const secret of [CALLER, KEY, 'somebody']) expect(text).not.toContain(secret);
  const [, , last] = line.request.messages;
  expect(last.content[0].source.data).toBe(picture.slice(0, 64));
  expect(last.content[1].text).toBe(`data:image/png;base64,${picture.slice(0, 64)}`);
  expect(line.request.messages[1].content[0].signature).toBe(signature);
  expect(line.request.mcp_servers[0].authorization_token).toBe('***');
});

test('without content the form stays, and the report of the requests is the same', async () => {
  const bodies = DIALECTS.flatMap((id) => [ASK[id]('m'), STREAM[id]('m')]);
  const report = async (content: boolean): Promise<unknown> => {
    rmSync(path, { force: true });
    const url = await start({ path, content });
    for (const [index, { path: where, body }] of bodies.entries()) {
      backend.reply = (response) => {
        if (index % 2 === 0) return json(response, 200, WHOLE.messages('A word of the model.'));
        response.writeHead(200, EVENT_STREAM);
        return response.end(FRAMES.messages('A word of the model.').join(''));
      };
      await send(url, where, { body, headers });
    }
    await lines(bodies.length);
    if (!content) expect(readFileSync(path, 'utf8')).not.toMatch(/Hello|A word|of the model/);
    const reports = await migrate({ sources: [sourceOf(path)], from: undefined, to: undefined });
    return reports.map(({ from, to, features, exchanges, clean, answers }) => ({
      from,
      to,
      exchanges,
      clean,
      answers,
      features: features
        .filter(({ way }) => way === 'there')
        .map(({ feature, kind, requests }) => `${feature} ${kind} ${requests}`),
    }));
  };
  expect(await report(false)).toEqual(await report(true));
});

test.each([
  ['\n', 'A word.'],
  ['\r\n', 'A word.'],
  ['\n', 'A \u2028 word.'],
])('the form of a stream stays without content: lines that end with %j, text %j', (end, text) => {
  const stream = (said: string): string =>
    ['event: delta', `data: ${JSON.stringify({ delta: { text: said }, index: 0 })}`, '', 'data: [DONE]', '', ''].join(
      end,
    );
  expect(withoutContent(stream(text))).toBe(stream('…'));
});

test('a large request that a thread serves is recorded too', async () => {
  const url = await start({ path }, -1);
  const { path: where, body } = ASK.messages('m');
  await send(url, where, { body, headers });
  const [line] = await lines(1);
  expect(line).toMatchObject({ request: body, status: 200, response: { content: [{ text: 'Yes.' }] } });
});

test('what is not a conversation, or was only explained, is not recorded', async () => {
  const url = await start();
  const { path: where, body } = ASK.messages('m');
  await send(url, where, { body, headers: { ...headers, 'x-interlingua-explain': 'true' } });
  await send(url, '/v1/models', { headers });
  await send(url, where, { body: '{"model":', headers });
  await send(url, where, { body, headers: { 'x-api-key': 'wrong' } });
  await send(url, where, { body, headers });
  expect(await lines(1)).toHaveLength(1);
});

test('at its size the file is put aside', async () => {
  const url = await start({ path, maxMb: 1 });
  const { path: where, body } = ASK.messages('m', { system: 'Some words. '.repeat(40_000) });
  for (let count = 0; count < 3; count += 1) await send(url, where, { body, headers });
  await until(() => existsSync(`${path}.1`) && existsSync(path));
  expect(statSync(`${path}.1`).size).toBeLessThan(1024 * 1024);
});

describe('a disk that takes nothing', () => {
  let gateway: WatchedGateway;

  test('fails no exchange, is logged once, and what is left out is counted', async () => {
    gateway = await startWatched(configOf({ path: join(folder, 'nowhere', 'traffic.jsonl') }));
    closers.push(gateway.close);
    const { path: where, body } = ASK.messages('m');
    for (let count = 0; count < 3; count += 1) {
      const answer = await send(gateway.url, where, { body, headers });
      expect([answer.status, answer.body.content[0].text]).toEqual([200, 'Yes.']);
    }
    const scrape = async (): Promise<string> => (await gateway.parts.meter.render()).text;
    await until(async () => (await scrape()).includes('interlingua_record_dropped_total{reason="disk"} 3'));
    const logged = gateway.lines.filter(({ msg }) => msg === 'exchanges cannot be recorded');
    expect(logged.length).toBeLessThanOrEqual(1);
  });

  test('another file is followed without a start', async () => {
    gateway = await startWatched(configOf({ path: join(folder, 'nowhere', 'traffic.jsonl') }));
    closers.push(gateway.close);
    gateway.reload(configOf({ path }));
    const { path: where, body } = ASK.messages('m');
    await send(gateway.url, where, { body, headers });
    expect(await lines(1)).toHaveLength(1);
  });
});
