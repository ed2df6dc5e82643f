import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tableOf } from '../support/dialects/index.js';
import { rawAnswer, startFaultyBackend } from '../support/faulty-backend.js';
import {
  ASK,
  DIALECTS,
  json,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { ask, questions, startEcho } from './crossing.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function gatewayAt(baseUrl: string): Promise<TestGateway> {
  const gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    limits: { drainSeconds: 1 },
  });
  closers.push(gateway.close);
  return gateway;
}

const ODD = tableOf('oddMembers');

describe.each(DIALECTS)('a %s client', (client) => {
  test.each(DIALECTS)(
    'hardening.md row 35: an odd request changes nothing for the next one, %s backend',
    async (dialect) => {
      const recorder = await startRecorder();
      closers.push(recorder.close);
      recorder.reply = (response) => json(response, 200, WHOLE[dialect]('hi'));
      const gateway = await gatewayAt(recorder.url);
      const ordinary = ASK[client](dialect);
      const odd = ASK[client](dialect, ODD[client]);
      const headers = { 'anthropic-beta': 'odd-2025-01-01', 'x-interlingua-losses': 'strict;allow="*"' };
      const first = await send(gateway.url, ordinary.path, { body: ordinary.body });
      expect((await send(gateway.url, odd.path, { body: odd.body, headers })).status).toBe(200);
      const last = await send(gateway.url, ordinary.path, { body: ordinary.body });
      const [before, between, after] = recorder.seen;
      expect(between?.body).not.toBe(before?.body);
      expect([after?.path, after?.body, after?.rawHeaders]).toEqual([before?.path, before?.body, before?.rawHeaders]);
      expect(last.status).toBe(first.status);
      expect(JSON.stringify(last.body)).not.toContain('odd');
    },
  );
});

test('hardening.md row 36: 150 exchanges at once of all pairs, three of ten left at some point: each has its own answer', async () => {
  const echo = await startEcho();
  closers.push(echo.close);
  const { url } = await gatewayAt(echo.url);
  const told = await Promise.all(questions(150).map((question, index) => ask(url, `first${index}`, question)));
  expect(told.flatMap(({ foreign }) => foreign)).toEqual([]);
  expect(told.filter(({ outcome }) => outcome === 'whole').length).toBeGreaterThanOrEqual(105);
  // On the connections that are left over.
  const again = await Promise.all(questions(60).map((question, index) => ask(url, `again${index}`, question)));
  expect(again.flatMap(({ foreign }) => foreign)).toEqual([]);
});

test('hardening.md row 37: an answer written on a connection that nobody uses is nobody’s answer, 60 times', async () => {
  const backend = await startFaultyBackend();
  closers.push(backend.close);
  let evil = 0;
  const { url } = await gatewayAt(backend.url);
  const told: string[] = [];
  const rounds = DIALECTS.flatMap((dialect) => Array.from({ length: 15 }, (_, round) => ({ dialect, round })));
  for (const { dialect } of rounds) {
    backend.on(dialect, ({ socket }) => {
      socket.write(rawAnswer('200 OK', JSON.stringify(WHOLE[dialect]('own'))));
      // It lies in wait for whoever is next on this connection.
      setTimeout(() => {
        evil += 1;
        socket.write(rawAnswer('200 OK', JSON.stringify(WHOLE[dialect]('EVIL'))));
      }, 1);
    });
  }
  for (const { dialect } of rounds) {
    const { path, body } = ASK.messages(dialect);
    const { status, text } = await send(url, path, { body });
    told.push(`${status} ${text.includes('own')} ${text.includes('EVIL')}`);
    // What comes while the next question is on its way cannot be told from its answer: it comes before.
    await sleep(8);
  }
  expect(new Set(told)).toEqual(new Set(['200 true false']));
  expect(evil).toBe(told.length);
});
