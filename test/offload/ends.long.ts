import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer, type OffloadOptions } from '../../src/index.js';
import {
  ASK,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';
import { SHORT } from '../support/runs.js';
import { until } from '../support/until.js';

/** What becomes of the requests of a thread when somebody or something ends. */

const run = promisify(execFile);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: OffloadOptions = { largeBytes: -1 }) {
  const recorder: Recorder = await startRecorder();
  closers.push(recorder.close);
  const config = {
    log: { level: 'silent' },
    backends: { one: { dialect: 'messages', baseUrl: recorder.url } },
    models: { m: { backend: 'one' } },
    limits: { drainSeconds: 1 },
  } as const;
  const gateway: GatewayServer = createGateway(config, options);
  const { url, port } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => gateway.close());
  recorder.reply = (response) => json(response, 200, WHOLE.messages('Yes.'));
  return { recorder, gateway, config, url, port };
}

test('a client that leaves ends the call to the backend', async () => {
  const { recorder, port } = await start();
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(FRAMES.messages('Yes.').slice(0, 3).join(''));
  };
  const { path, body } = STREAM.messages('m');
  const payload = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
  );
  await once(socket, 'data');
  socket.destroy();
  await until(async () => recorder.aborted === 1);
});

test('a gateway that ends says so in what its threads have begun', async () => {
  const { recorder, gateway, url } = await start();
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(FRAMES.messages('Yes.').slice(0, 4).join(''));
  };
  const streaming = send(url, STREAM.messages('m').path, { body: STREAM.messages('m').body, mayBreak: true });
  await until(async () => recorder.seen.length === 1);
  recorder.reply = () => {};
  const waiting = send(url, ASK.messages('m').path, { body: ASK.messages('m').body });
  await until(async () => recorder.seen.length === 2);
  await gateway.close();
  expect((await streaming).text).toContain('the gateway is stopping');
  expect((await waiting).status).toBe(503);
});

test('what a thread has begun goes on with the configuration it began with', async () => {
  const { recorder, gateway, config, url } = await start();
  let answer = (): void => {};
  recorder.reply = (response) => {
    answer = () => json(response, 200, WHOLE.messages('Before.'));
  };
  const before = send(url, ASK.messages('m').path, { body: ASK.messages('m').body });
  await until(async () => recorder.seen.length === 1);
  gateway.reload({ ...config, models: { n: { backend: 'one' } } });
  recorder.reply = (response) => json(response, 200, WHOLE.messages('After.'));
  const unknown = await send(url, ASK.messages('m').path, { body: ASK.messages('m').body });
  const after = await send(url, ASK.messages('n').path, { body: ASK.messages('n').body });
  answer();
  expect([(await before).body.content[0].text, unknown.status, after.body.content[0].text]).toEqual([
    'Before.',
    404,
    'After.',
  ]);
});

/** Runs in a process of its own: what is tried here may end it. */
const FULL = `
const { createGateway } = await import(process.argv[1]);
const gateway = createGateway(
  { log: { level: 'silent' }, backends: { one: { dialect: 'messages', simulator: true } }, models: { m: { backend: 'one' } } },
  { threadMb: 40 },
);
const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
const ask = async (size, texts) => {
  const content = Array.from({ length: texts }, () => ({ type: 'text', text: 'x'.repeat(size) }));
  const body = JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content }] });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(url + '/v1/messages', { method: 'POST', headers, body });
  return status;
};
console.log(await ask(20000, 2000), await ask(1, 1), await ask(20000, 100));
await gateway.close();
`;

// Its three requests take several seconds: for the long run.
(SHORT ? test.skip : test)(
  'a thread whose memory is full ends, and nothing else does',
  async () => {
    const built = new URL('../../dist/src/index.js', import.meta.url).href;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', FULL, built]);
    expect(stdout.trim()).toBe('503 200 200');
  },
  120_000,
);

test('a large answer to a small request is given once, by one call to its backend', async () => {
  const { recorder, url } = await start({});
  const text = 'A "large" answer.\n'.repeat(200_000);
  recorder.reply = (response) => json(response, 200, WHOLE.messages(text));
  for (const client of ['messages', 'responses', 'generateContent'] as const) {
    recorder.seen.length = 0;
    const { path, body } = ASK[client]('m');
    const answer = await send(url, path, { body });
    expect([answer.status, answer.headers['x-interlingua-backend'], recorder.seen.length]).toEqual([200, 'one', 1]);
    // Not compared by the matcher, which would print both.
    expect(answer.text.includes(JSON.stringify(text).slice(1, -1))).toBe(true);
  }
});

/** How nice each thread of this process is to the others: the 19th field of its `stat` (proc(5)). */
function niceOfThreads(): string[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? '';
  });
}

(process.platform === 'linux' ? test : test.skip)('a thread lets the one that serves everybody go first', async () => {
  const before = niceOfThreads();
  const { url } = await start();
  const { path, body } = ASK.messages('m');
  expect((await send(url, path, { body })).status).toBe(200);
  const after = niceOfThreads();
  expect(before.filter((nice) => nice === '10')).toEqual([]);
  expect(after.filter((nice) => nice === '10')).toHaveLength(1);
});
