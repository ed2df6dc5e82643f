import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHandler } from '../../src/app/application.js';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGatewayParts } from '../../src/gateway/gateway.js';
import { createServices } from '../../src/gateway/services.js';
import { Failure } from '../../src/ground/plain/failure.js';
import { createPressure, type MemorySample } from '../../src/http/pressure.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  STREAM,
  send,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';
import { listen } from '../support/sockets.js';
import { until } from '../support/until.js';

const CALM: MemorySample = { heap: 50, heapLimit: 100, resident: 50, residentLimit: 100 };

describe('how full the memory is', () => {
  test.each([
    ['the heap', { ...CALM, heap: 93 }, true],
    ['the container', { ...CALM, resident: 93 }, true],
    ['neither', { ...CALM, heap: 91, resident: 91 }, false],
    ['no limit', { ...CALM, heapLimit: Number.POSITIVE_INFINITY, residentLimit: Number.POSITIVE_INFINITY }, false],
  ])('%s', (_name, sample, full) => {
    const pressure = createPressure(1, () => sample);
    const refused = (): unknown => {
      try {
        pressure.check(1);
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    };
    expect(refused() instanceof Failure).toBe(full);
    // With nothing open that could end, waiting would free nothing.
    expect(() => pressure.check(0)).not.toThrow();
  });

  test('is looked at once a second, and only when somebody asks', () => {
    let looked = 0;
    let clock = 0;
    const sample = (): MemorySample => {
      looked += 1;
      return { ...CALM, heap: looked === 1 ? 99 : 1 };
    };
    const pressure = createPressure(1, sample, () => clock);
    expect(looked).toBe(0);
    for (clock = 0; clock < 1000; clock += 100) expect(() => pressure.check(1)).toThrow(Failure);
    expect(looked).toBe(1);
    expect(() => pressure.check(1)).not.toThrow();
    expect(looked).toBe(2);
  });

  test('weighs a body whose size is known, by a look of its own', () => {
    const calm = { heap: 50, heapLimit: 1000, resident: 50, residentLimit: 1000 };
    let sample = calm;
    const pressure = createPressure(
      1,
      () => sample,
      () => 0,
    );
    expect(() => pressure.check(1)).not.toThrow();
    expect(() => pressure.check(1, 200)).not.toThrow();
    expect(() => pressure.check(1, 300)).toThrow(Failure);
    expect(() => pressure.check(0, 300)).not.toThrow();
    sample = { ...calm, resident: 800 };
    expect(() => pressure.check(1, 200)).toThrow(Failure);
    expect(() => pressure.check(1)).not.toThrow();
  });

  test('of this process it is calm', () => {
    expect(() => createPressure(1).check(1)).not.toThrow();
  });
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway whose memory is as full as `full` says. */
async function start(
  baseUrl: string,
  full: () => boolean,
  more: Partial<ConfigInput> = {},
): Promise<{ readonly url: string; readonly server: Server }> {
  const config = parseConfig({
    ...more,
    backends: { m: { dialect: 'messages', baseUrl } },
    models: { m: { backend: 'm' }, 'img-multi': { backend: 'm' } },
    log: { level: 'silent' },
  });
  const lasting = createServices(config, {});
  let clock = 0;
  const pressure = createPressure(
    1,
    () => ({ ...CALM, heap: full() ? 99 : 1 }),
    () => (clock += 1000),
  );
  const parts = createGatewayParts(config, { ...lasting, pressure });
  const server = createServer(createHandler(() => parts));
  const url = await listen(server);
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await parts.close();
    await lasting.close();
  });
  return { url, server };
}

test('with too little memory new exchanges are refused before their body is read, what is open goes on', async () => {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  let goOn = (): void => {};
  const frames = FRAMES.messages('in peace');
  recorder.reply = (response, { method }) => {
    if (method === 'GET') return json(response, 200, { data: [] });
    response.writeHead(200, EVENT_STREAM);
    response.write(frames[0]);
    goOn = () => response.end(frames.slice(1).join(''));
  };
  let full = false;
  const { url } = await start(recorder.url, () => full);
  const asked = () => recorder.seen.filter(({ method }) => method === 'POST').length;
  const streamed = STREAM.messages('m');
  const open = send(url, streamed.path, { body: streamed.body });
  await until(() => asked() === 1);
  full = true;
  const picture = refusedBeforeItsBody(url, '/v1/images/generations');
  const conversations = DIALECTS.map(async (dialect) => {
    const told = await refusedBeforeItsBody(url, ASK[dialect]('m').path);
    expect(told.status).toBe(503);
    expect(Number(told.headers['retry-after'])).toBeGreaterThan(0);
    messageOf(dialect, told.body);
  });
  await Promise.all(conversations);
  expect([(await picture).status, (await picture).body.error.message]).toEqual([503, 'the gateway is short of memory']);
  // What takes no memory is served: who asks how things stand, or ends something.
  expect((await send(url, '/readyz')).status).toBe(200);
  expect((await send(url, '/v1/models')).status).toBe(200);
  expect((await send(url, '/v1/responses/resp_x/cancel', { method: 'POST' })).status).toBe(404);
  expect(asked()).toBe(1);
  goOn();
  expect((await open).text).toBe(frames.join(''));
  full = false;
  const { path, body } = STREAM.messages('m');
  const next = send(url, path, { body });
  await until(() => asked() === 2);
  goOn();
  expect((await next).status).toBe(200);
});

test('while one key fills the memory another is refused, and served as ever once some of that ended', async () => {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  const keys = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
  let reds = 0;
  const { url } = await start(recorder.url, () => reds >= 3, {
    keys: Object.entries(keys).map(([name, key]) => ({ name, key })),
  });
  const ask = (name: keyof typeof keys) => {
    const { path, body } = ASK.messages('m', { metadata: { user_id: name } });
    return send(url, path, { body, headers: { 'x-api-key': keys[name] } });
  };
  const ends: (() => void)[] = [];
  recorder.reply = (response, { body }) => {
    const answer = (): void => json(response, 200, WHOLE.messages('hi'));
    if (!body.includes('red')) return answer();
    reds += 1;
    ends.push(answer);
  };
  const received = (): string => {
    const { method, path, rawHeaders, body } = recorder.seen.at(-1) ?? {};
    return [method, path, ...(rawHeaders ?? []), body].join('\n');
  };
  expect((await ask('blue')).status).toBe(200);
  const alone = received();
  const open = [ask('red'), ask('red'), ask('red')];
  await until(() => reds === 3);
  for (const name of ['red', 'blue'] as const) {
    const { status, headers } = await ask(name);
    expect([name, status]).toEqual([name, 503]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(recorder.seen).toHaveLength(4);
  reds -= 1;
  ends.shift()?.();
  expect((await ask('blue')).status).toBe(200);
  expect(received()).toBe(alone);
  for (const end of ends) end();
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

/** Sends the head of a request, none of the body that it speaks of, and gives the answer. */
function refusedBeforeItsBody(url: string, path: string) {
  return new Promise<{ status: number; headers: Record<string, string>; body: { error: { message: string } } }>(
    (resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n');
        const [status = '', ...lines] = head.split('\r\n');
        const headers = Object.fromEntries(
          lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
        );
        resolve({ status: Number(status.split(' ')[1]), headers, body: JSON.parse(body) });
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`,
      );
    },
  );
}
