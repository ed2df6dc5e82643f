import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { dialectAt } from '../support/dialect-at.js';
import { tableOf } from '../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { CROSS_RING, PAIRS } from '../support/pairs.js';
import { settled } from '../support/settled.js';
import { until } from '../support/until.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [dialect, { dialect, baseUrl: recorder.url }],
        [`${dialect}-always`, { dialect, baseUrl: recorder.url, stream: 'always' as const }],
      ]),
    ),
    models: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [dialect, { backend: dialect }],
        [`${dialect}-always`, { backend: `${dialect}-always` }],
      ]),
    ),
    limits: { heartbeatSeconds: 0.1, writeIdleSeconds: 1 },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.aborted = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const TEXT_OF = tableOf('textOfEvent');
const FINISH = tableOf('finishText');
const OPENING = tableOf('openingFrames');

function textIn(dialect: DialectId, stream: string): string {
  return dataOf(stream)
    .map((event) => TEXT_OF[dialect](event) ?? '')
    .join('');
}

const ended = (dialect: DialectId, stream: string): boolean => stream.includes(FINISH[dialect]);

// biome-ignore lint/suspicious/noExplicitAny: events of three dialects, looked into by tests only
function dataOf(stream: string): any[] {
  return [...stream.matchAll(/^data: (?!\[DONE\])(.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

describe.each(PAIRS)('%s client, %s backend', (client, backend) => {
  test('a stream', async () => {
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      for (const frame of FRAMES[backend]('Grüße 😀')) response.write(frame);
      response.end();
    };
    const { path, body } = STREAM[client](backend);
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(answer.headers['x-interlingua-backend']).toBe(backend);
    expect(textIn(client, answer.text)).toBe('Grüße 😀');
    expect(ended(client, answer.text)).toBe(true);
  });

  test('a plain answer', async () => {
    recorder.reply = (response) => json(response, 200, WHOLE[backend]('Grüße 😀'));
    const { path, body } = ASK[client](backend);
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain('Grüße 😀');
  });

  test('a plain answer from a backend that is always asked for a stream', async () => {
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(FRAMES[backend]('Grüße 😀').join(''));
    };
    const { path, body } = ASK[client](`${backend}-always`);
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain('Grüße 😀');
    const [seen] = recorder.seen;
    if (backend === 'generateContent') expect(seen?.path).toContain(':streamGenerateContent?alt=sse');
    else expect(JSON.parse(seen?.body ?? '').stream).toBe(true);
  });

  test('GW-01: a client that goes away ends the call', async () => {
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(FRAMES[backend]('Grüße 😀').slice(0, -1).join(''));
    };
    const { path, body } = STREAM[client](backend);
    await abandon(path, body);
    await until(() => recorder.aborted === 1);
  });
});

describe('a backend that is silent, in all pairs at once', () => {
  let impatient: TestGateway;
  beforeAll(async () => {
    impatient = await startGateway({
      backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url }])),
      models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      limits: { idleSeconds: 0.5, firstByteSeconds: 0.5 },
    });
  });
  afterAll(() => impatient.close());

  const askAll = () =>
    Promise.all(
      PAIRS.map(async ([client, backend]) => {
        const { path, body } = STREAM[client](backend);
        return { client, answer: await send(impatient.url, path, { body, mayBreak: true }) };
      }),
    );

  test('after the head: it ends with a time-out', async () => {
    recorder.reply = (response, { path }) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(FRAMES[dialectAt(path)]('Grüße').slice(0, -2).join(''));
    };
    for (const { client, answer } of await askAll()) {
      expect(ended(client, answer.text)).toBe(false);
      expect(answer.text).toMatch(/timeout_error|"timeout"|DEADLINE_EXCEEDED/);
    }
  });

  test('from the beginning: 504', async () => {
    recorder.reply = () => {};
    for (const { client, answer } of await askAll()) {
      expect(answer.status).toBe(504);
      messageOf(client, answer.body);
    }
    await until(() => recorder.aborted >= PAIRS.length);
  });
});

/** Sends a request, waits for the first bytes of its answer, and goes away. */
function abandon(path: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(gateway.url, {
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.once('data', () => {
        outgoing.destroy();
        resolve();
      });
      response.on('error', () => {});
    });
    outgoing.end(JSON.stringify(body));
  });
}

describe.each(CROSS_RING)('%s client, %s backend, faults', (client, backend) => {
  const { path, body } = STREAM[client](backend);
  const frames = FRAMES[backend]('Grüße');

  const streamed = async (pieces: readonly (string | Buffer)[], end: 'end' | 'destroy' = 'end') => {
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      for (const piece of pieces) response.write(piece);
      if (end === 'end') response.end();
      else setTimeout(() => response.destroy(), 30);
    };
    return send(gateway.url, path, { body, mayBreak: true });
  };
  const failed = (text: string): boolean =>
    client === 'messages'
      ? text.includes('event: error\n')
      : client === 'responses'
        ? text.includes('event: response.failed\n')
        : text.includes(client === 'generateContent' ? '"error":{"code":' : '\ndata: {"error":{');

  test('an end without the last word is an error', async () => {
    const answer = await streamed(frames.slice(0, backend === 'messages' ? -2 : -1));
    expect(ended(client, answer.text)).toBe(false);
    expect(answer.status === 200 ? failed(answer.text) : answer.status >= 500).toBe(true);
  });

  test('a broken connection is an error, and what came before it stays', async () => {
    const answer = await streamed(frames.slice(0, OPENING[backend]), 'destroy');
    expect(ended(client, answer.text)).toBe(false);
    expect(textIn(client, answer.text)).toContain('Grü');
    expect(failed(answer.text)).toBe(true);
  });

  test('nothing at all is answered with a status', async () => {
    const answer = await streamed([]);
    expect(answer.status).toBe(client === 'generateContent' ? 503 : 502);
    messageOf(client, answer.body);
  });

  test('an event that is no JSON is an error', async () => {
    const answer = await streamed([...frames.slice(0, -2), 'data: {broken\n\n', ...frames.slice(-2)]);
    expect(ended(client, answer.text)).toBe(false);
  });

  test.each([
    ['HTML', 'text/html', '<html></html>'],
    ['plain text', 'text/plain', 'hello'],
  ])('%s in the place of a stream', async (_name, type, text) => {
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(text);
    };
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(client === 'generateContent' ? 503 : 502);
    messageOf(client, answer.body);
  });

  test('SSE-04: silence is filled with heartbeats of the dialect', async () => {
    recorder.reply = async (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(frames.slice(0, -1).join(''));
      await sleep(450);
      response.end(frames.slice(-1).join(''));
    };
    let most = 0;
    // Where the machine is busy, two beats that were due may be one.
    for (let tries = 0; tries < 3 && most < 2; tries += 1) {
      const answer = await send(gateway.url, path, { body });
      expect(ended(client, answer.text)).toBe(true);
      const beats =
        client === 'messages'
          ? answer.text.match(/event: ping\n/g)
          : client === 'responses'
            ? answer.text.match(/event: response\.in_progress\n/g)?.slice(1)
            : client === 'chatCompletions'
              ? answer.text.match(/^: keep-alive$/gm)
              : answer.text.match(/"parts":\[\{"text":""\}\]/g);
      most = Math.max(most, beats?.length ?? 0);
    }
    expect(most).toBeGreaterThanOrEqual(2);
  });
});

describe.each(CROSS_RING)('%s client, %s backend, plain faults', (client, backend) => {
  const { path, body } = ASK[client](backend);
  test.each([
    ['HTML', 'text/html', '<html></html>'],
    ['another type', 'text/html', JSON.stringify(WHOLE.messages('x'))],
    ['broken JSON', 'application/json', '{"id":'],
    ['nothing', 'application/json', ''],
    ['no object', 'application/json', '[1]'],
  ])('%s', async (_name, type, text) => {
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(text);
    };
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(client === 'generateContent' ? 503 : 502);
    messageOf(client, answer.body);
  });

  test('SSE-08: an encoding that was not asked for', async () => {
    recorder.reply = (response) => json(response, 200, WHOLE[backend]('x'), { 'content-encoding': 'gzip' });
    expect((await send(gateway.url, path, { body })).status).toBe(client === 'generateContent' ? 503 : 502);
  });

  test('a redirect is not followed', async () => {
    recorder.reply = (response) => {
      response.writeHead(302, { location: `${recorder.url}/elsewhere-canary` });
      response.end();
    };
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(client === 'generateContent' ? 503 : 502);
    expect(recorder.seen).toHaveLength(1);
    expect(answer.headers.location).toBeUndefined();
  });

  test('a body cut in the middle', async () => {
    recorder.reply = (response) => {
      const text = JSON.stringify(WHOLE[backend]('x'));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, 20), () => setTimeout(() => response.destroy(), 30));
    };
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(client === 'generateContent' ? 503 : 502);
    messageOf(client, answer.body);
  });
});

test.each(['messages', 'responses'] as const)(
  'a slow client of a %s backend holds the backend back',
  async (backend) => {
    const delta = FRAMES[backend]('x'.repeat(20_000));
    let written = 0;
    let open = true;
    recorder.reply = async (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.on('close', () => {
        open = false;
      });
      response.write(delta.slice(0, 3).join(''));
      const frame = delta[backend === 'messages' ? 3 : 5] ?? '';
      if (backend === 'responses') response.write(delta[3] ?? '');
      while (open && written < 60_000_000) {
        written += frame.length;
        if (!response.write(frame))
          await new Promise<void>((resolve) => {
            response.once('drain', resolve);
            response.once('close', resolve);
          });
      }
      response.end();
    };
    const { path, body } = STREAM.messages(backend);
    const payload = JSON.stringify(body);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
    );
    socket.pause();
    expect(await settled(() => written)).toBeLessThan(30_000_000);
    // A client that never reads is dropped by the write-idle limit, and the call ends with it.
    await until(() => !open);
    socket.destroy();
  },
);
