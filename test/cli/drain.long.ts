import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { ASK, DIALECTS, messageOf, STREAM, send } from '../support/gateway/harness.js';
import { createWorkplace, until, type Workplace } from '../support/gateway/program.js';
import { endingOf, type SlowBackends, startSlowBackends } from '../support/gateway/slow-backends.js';

let slow: SlowBackends;
let place: Workplace;

beforeEach(async () => {
  slow = await startSlowBackends();
  place = createWorkplace();
});
afterEach(async () => {
  await place.end();
  await slow.close();
});

function configuration(more: object = {}): string {
  const { backends, models } = slow;
  return place.file('gateway.json', JSON.stringify({ backends, models, store: { type: 'off' }, ...more }));
}

test('SIGTERM over 60 streams of all pairs: whole in time, told as errors afterwards, exit code 0', async () => {
  const config = configuration({ limits: { drainSeconds: 2 } });
  const { child, url, exit, logs } = await place.serve(['--config', config]);
  const pairs = DIALECTS.flatMap((client) => DIALECTS.map((backend) => ({ client, backend })));
  const open = Array.from({ length: 60 }, (_, index) => {
    const { client, backend } = pairs[index % pairs.length] ?? { client: 'messages', backend: 'messages' };
    const word = index % 2 === 0 ? 'quick' : 'stuck';
    const { path, body } = STREAM[client](`${backend}-${word}`);
    return send(url, path, { body, mayBreak: true }).then(({ status, text }) => ({
      client,
      backend,
      word,
      status,
      text,
    }));
  });
  const plain = DIALECTS.map((client) => {
    const { path, body } = ASK[client]('messages-stuck');
    return send(url, path, { body });
  });
  await until(() => slow.waiting() === open.length + plain.length, 'the answer of every backend');
  child.kill('SIGTERM');
  await until(() => logs().includes('stopping'));
  slow.release('quick');
  for (const { client, backend, word, status, text } of await Promise.all(open)) {
    const wanted = word === 'quick' ? 'complete' : 'error';
    expect([client, backend, status, endingOf(client, text)]).toEqual([client, backend, 200, wanted]);
  }
  for (const [index, answer] of (await Promise.all(plain)).entries()) {
    const client = DIALECTS[index] ?? 'messages';
    expect([client, answer.status]).toEqual([client, 503]);
    expect(messageOf(client, answer.body)).toBe('the gateway is stopping');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers.connection).toBe('close');
  }
  expect(await exit).toBe(0);
  await until(() => slow.aborted() === open.length / 2 + plain.length, 'the end of every call');
});

test('a second signal does not wait', async () => {
  const { child, url, exit, logs } = await place.serve(['--config', configuration()]);
  const { path, body } = STREAM.messages('messages-stuck');
  const open = send(url, path, { body });
  open.catch(() => {});
  await until(() => slow.waiting() === 1);
  child.kill('SIGINT');
  await until(() => logs().includes('stopping'));
  child.kill('SIGTERM');
  expect(await exit).toBe(1);
  await expect(open).rejects.toThrow();
});

/** A request on a connection that is kept, where the server lets it. */
function ask(agent: Agent, url: string): Promise<{ readonly status?: number; readonly connection?: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    })
      .on('error', reject)
      .end();
  });
}

test('in the notice period it is not ready, serves all the same, and keeps no connection', async () => {
  const gateway = createGateway({
    backends: { sim: { dialect: 'responses', simulator: true } },
    limits: { drainSeconds: 30 },
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await ask(agent, `${url}/readyz`)).toEqual({ status: 200, connection: 'keep-alive' });
  const closed = gateway.close({ noticeSeconds: 1.5 });
  expect(await ask(agent, `${url}/readyz`)).toEqual({ status: 503, connection: 'close' });
  expect(await ask(agent, `${url}/healthz`)).toEqual({ status: 200, connection: 'close' });
  const { path, body } = ASK.messages('any');
  const answer = await send(url, path, { body, headers: { expect: '100-continue', connection: 'keep-alive' } });
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  await closed;
  await expect(send(url, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
});

test('connections without a request do not keep it from ending', async () => {
  const gateway = createGateway({
    backends: { sim: { dialect: 'responses', simulator: true } },
    // Longer than a test may take.
    limits: { drainSeconds: 600 },
    log: { level: 'silent' },
  });
  const { url, port } = await gateway.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true });
  await ask(agent, `${url}/healthz`);
  const sockets = ['', 'GET /healthz HTTP/1.1\r\n'].map((bytes) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('error', () => {});
    return socket;
  });
  await until(() => sockets.every((socket) => !socket.connecting));
  await sleep(50);
  await gateway.close();
  await until(() => sockets.every((socket) => socket.closed));
  agent.destroy();
});

test('a body that does not come is refused when the time is over', async () => {
  const gateway = createGateway({
    backends: { sim: { dialect: 'responses', simulator: true } },
    limits: { drainSeconds: 0.2 },
    log: { level: 'silent' },
  });
  const { port } = await gateway.listen({ port: 0 });
  let text = '';
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    ),
  );
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await until(() => !socket.connecting);
  await sleep(100);
  await gateway.close();
  await until(() => socket.closed);
  expect(text).toMatch(/^HTTP\/1\.1 503 /);
  expect(text).toContain('the gateway is stopping');
});

describe('when the time is over', () => {
  /** What became of a request that was open when its gateway ended. */
  async function cutShort(path: string, body: object) {
    const { backends, models } = slow;
    const gateway = createGateway({
      backends,
      models: { ...models, 'dall-e-3': { backend: 'responses' } },
      limits: { drainSeconds: 0.1 },
      log: { level: 'silent' },
    });
    const { url } = await gateway.listen({ port: 0 });
    const open = send(url, path, { body });
    await until(() => slow.waiting() === 1);
    await sleep(50);
    await gateway.close();
    await until(() => slow.aborted() === 1, 'the end of the call');
    return open;
  }

  test('a picture that may be paid is not to be asked for again', async () => {
    const { status, headers, body } = await cutShort('/v1/images/generations', { model: 'dall-e-3', prompt: 'A cat' });
    expect([status, body.error.message]).toEqual([503, 'the gateway is stopping']);
    expect(headers['x-should-retry']).toBe('false');
    expect(headers).not.toHaveProperty('retry-after');
  });

  test('who follows a background answer is told', async () => {
    const { body } = ASK.responses('messages-stuck', { background: true, stream: true });
    const { status, text } = await cutShort('/v1/responses', body);
    expect([status, endingOf('responses', text)]).toEqual([200, 'error']);
    const frames = text.trimEnd().split('\n\n');
    const last = JSON.parse(frames.at(-1)?.split('\ndata: ')[1] ?? '');
    expect(last).toMatchObject({
      type: 'error',
      message: 'the gateway is stopping',
      sequence_number: frames.length - 1,
    });
  });

  test('a compaction is refused', async () => {
    const { status, body } = await cutShort('/v1/responses/compact', { model: 'messages-stuck', input: 'q' });
    expect([status, body.error.message]).toEqual([503, 'the gateway is stopping']);
  });
});
