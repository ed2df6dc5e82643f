import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { createGateway } from '../../src/index.js';
import { openApplication } from '../support/gateway/application.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  STREAM,
  send,
  startGateway,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { until } from '../support/until.js';

test('mounted in an application of somebody else, behind its body parser or not', async () => {
  const recorder = await startRecorder();
  recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
  const gateway = createGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    log: { level: 'silent' },
  });
  const app = express();
  app.use('/llm', gateway.app);
  app.use('/parsed', express.json(), gateway.app);
  const http = supertest(app);
  try {
    const { path, body } = ASK.messages('m');
    await http.post(`/llm${path}`).send(body).expect(200);
    await http.post(`/parsed${path}`).send(body).expect(200);
    expect(JSON.parse(recorder.seen[1]?.body ?? '')).toEqual(body);
    await http.get('/llm/healthz').expect(200);
    await http.get('/elsewhere').expect(404);
  } finally {
    await gateway.close();
    await recorder.close();
  }
});

test('mounted behind something slow, a client that left meanwhile counts for nothing', async () => {
  const recorder = await startRecorder();
  recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
  const gateway = createGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    limits: { exchanges: 1 },
    log: { level: 'silent' },
  });
  const app = express();
  let left = 0;
  let leave = (): void => {};
  app.use((request, response, next) => {
    if (request.headers['x-slow'] === undefined) return next();
    response.on('close', () => {
      left += 1;
      setImmediate(next);
    });
    leave();
  });
  app.use(gateway.app);
  const server = createServer(app);
  const url = await listen(server);
  try {
    const { path, body } = ASK.messages('m');
    const controller = new AbortController();
    leave = () => controller.abort();
    const { signal } = controller;
    await fetch(url + path, { method: 'POST', body: '{', headers: { 'x-slow': '1' }, signal }).catch(() => {});
    await until(() => left > 0);
    await sleep(20);
    expect([left, (await send(url, path, { body })).status]).toEqual([1, 200]);
  } finally {
    await shut(server);
    await gateway.close();
    await recorder.close();
  }
});

test('above the number of exchanges: 503 in the shape of the dialect, and room again afterwards', async () => {
  const recorder = await startRecorder();
  const gateway = await startGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    limits: { exchanges: 2 },
  });
  try {
    const waiting: (() => void)[] = [];
    recorder.reply = (response) => waiting.push(() => json(response, 200, WHOLE.messages('hi')));
    const { path, body } = ASK.messages('m');
    const open = [send(gateway.url, path, { body }), send(gateway.url, path, { body })];
    while (waiting.length < 2) await sleep(5);
    for (const dialect of DIALECTS) {
      const ask = ASK[dialect]('m');
      const answer = await send(gateway.url, ask.path, { body: ask.body });
      expect(answer.status).toBe(503);
      messageOf(dialect, answer.body);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await send(gateway.url, '/healthz')).status).toBe(200);
    for (const answer of waiting.splice(0)) answer();
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200]);
    const next = send(gateway.url, path, { body });
    while (waiting.length < 1) await sleep(5);
    waiting[0]?.();
    expect((await next).status).toBe(200);
  } finally {
    await gateway.close();
    await recorder.close();
  }
});

test('closing lets open exchanges finish and takes no new ones', async () => {
  const recorder = await startRecorder();
  const gateway = await startGateway({ backends: { m: { dialect: 'messages', baseUrl: recorder.url } } });
  const frames = FRAMES.messages('until the end');
  recorder.reply = async (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(frames.slice(0, 4).join(''));
    await sleep(300);
    response.end(frames.slice(4).join(''));
  };
  const { path, body } = STREAM.messages('m');
  const open = send(gateway.url, path, { body });
  while (recorder.seen.length === 0) await sleep(5);
  await sleep(50);
  const closed = gateway.close();
  await expect(send(gateway.url, path, { body })).rejects.toThrow(/ECONNREFUSED/);
  expect((await open).text).toBe(frames.join(''));
  await closed;
  await recorder.close();
});

test('closing ends what does not finish in time', async () => {
  const recorder = await startRecorder();
  const gateway = await startGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    limits: { drainSeconds: 0.2 },
  });
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(FRAMES.messages('x')[0]);
  };
  const { path, body } = STREAM.messages('m');
  const headers = { 'content-type': 'application/json' };
  // It is open when its head has come.
  const open = await fetch(gateway.url + path, { method: 'POST', body: JSON.stringify(body), headers });
  const pieces: Uint8Array[] = [];
  const write = (piece: Uint8Array): void => {
    pieces.push(piece);
  };
  // Behind the error the connection breaks.
  const broken = expect(open.body?.pipeTo(new WritableStream({ write }))).rejects.toThrow('terminated');
  await gateway.close();
  await broken;
  expect(Buffer.concat(pieces).toString()).toMatch(/^event: error\ndata: .*"the gateway is stopping".*\n\n$/m);
  await until(() => recorder.aborted === 1);
  await recorder.close();
});

test('one client’s odd request changes nothing for the next', async () => {
  const recorder = await startRecorder();
  const { http, close } = openApplication({ backends: { r: { dialect: 'responses', baseUrl: recorder.url } } });
  recorder.reply = (response) => json(response, 200, WHOLE.responses('hi'));
  const { path, body } = ASK.messages('gpt-4.1');
  await http.post(path).send(body);
  await http.post(path).send({ ...body, temperature: 0.1, top_k: 3, metadata: { user_id: 'odd' } });
  await http.post(path).send(body);
  expect(recorder.seen[2]?.body).toBe(recorder.seen[0]?.body);
  await close();
  await recorder.close();
});
