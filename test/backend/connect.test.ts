import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBackoff } from '../../src/backend/backoff.js';
import { ASK, type Recorder, send } from '../support/gateway/harness.js';
import {
  type Door,
  freeUrl,
  leavingClient,
  openDoor,
  startBackend,
  startWatched,
  until,
  type WatchedGateway,
} from './stage.js';

describe('the pauses between two connections', () => {
  const series = Array.from({ length: 500 }, () => {
    const next = createBackoff();
    return Array.from({ length: 7 }, () => next());
  });

  test('double up to two seconds, shortened by up to a half', () => {
    [200, 400, 800, 1600, 2000, 2000, 2000].forEach((longest, index) => {
      const pauses = series.map((one) => one[index] ?? 0);
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    });
  });

  test('are not the same for all', () => {
    expect(new Set(series.map(([first]) => first)).size).toBeGreaterThan(20);
  });
});

describe('a connection that cannot be made', () => {
  /** Ends each connection in the middle of the handshake. */
  let door: Door;
  /** Takes the request and ends the connection. */
  let rude: Door;
  let spare: Recorder;
  let gateway: WatchedGateway;

  beforeAll(async () => {
    door = await openDoor((socket: Socket) => socket.destroy());
    rude = await openDoor((socket: Socket) => socket.once('data', () => socket.destroy()));
    spare = await startBackend();
    const secure = door.url.replace('http:', 'https:');
    const at = (retries: number, breaker: false | { failures: number; seconds: number } = false) => ({
      dialect: 'messages' as const,
      baseUrl: secure,
      retries,
      breaker,
    });
    gateway = await startWatched({
      backends: {
        never: at(0),
        once: at(1),
        twice: at(2),
        often: at(10),
        breaking: at(5, { failures: 2, seconds: 600 }),
        refused: { dialect: 'messages', baseUrl: await freeUrl(), retries: 1 },
        rude: { dialect: 'messages', baseUrl: rude.url, retries: 5 },
        spare: { dialect: 'responses', baseUrl: spare.url },
      },
      models: Object.fromEntries([
        ...['never', 'once', 'twice', 'often', 'breaking', 'refused', 'rude'].flatMap((backend) => [
          [backend, { backend }],
          [`${backend}-then`, [{ backend }, { backend: 'spare' }]],
        ]),
      ]),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([door.close(), rude.close(), spare.close()]);
  });

  const ask = (model: string) => {
    const { path, body } = ASK.messages(model);
    return send(gateway.url, path, { body });
  };

  test.each([
    ['never', 1],
    ['once', 2],
    ['twice', 3],
  ])('is tried again as often as is configured, and then the next target serves: %s', async (model, visits) => {
    door.visits = 0;
    spare.seen.length = 0;
    gateway.passed.length = 0;
    const answer = await ask(`${model}-then`);
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'spare']);
    expect([door.visits, spare.seen.length]).toEqual([visits, 1]);
    expect(gateway.passed).toEqual([`${model} unreachable`]);
  });

  test('is not tried again when the breaker has opened, and that is not what is told', async () => {
    door.visits = 0;
    const answer = await ask('breaking');
    expect([answer.status, answer.body.error.message]).toEqual([502, 'the backend cannot be reached']);
    expect(door.visits).toBe(2);
    expect((await ask('breaking')).status).toBe(503);
    expect(door.visits).toBe(2);
  });

  test('a request that may have left is not sent again, here or elsewhere', async () => {
    rude.visits = 0;
    spare.seen.length = 0;
    expect((await ask('rude-then')).status).toBe(502);
    expect([rude.visits, spare.seen.length]).toEqual([1, 0]);
  });

  test('is not tried again for a client that went away', async () => {
    door.visits = 0;
    spare.seen.length = 0;
    const { path, body } = ASK.messages('often-then');
    const ended = () => gateway.lines.find(({ msg, model }) => msg === 'exchange' && model === 'often-then');
    const client = leavingClient(gateway.url, path, body);
    // The pause after the fourth connection is 800 ms or longer.
    await until(() => door.visits === 4, 'the fourth connection');
    const left = performance.now();
    client.leave();
    await until(() => ended() !== undefined, 'the exchange is over');
    await until(() => gateway.parts.state.open.size === 0, 'nothing is open');
    const pause = performance.now() - left;
    expect(ended()).toMatchObject({ outcome: 'client_closed', backend: 'often' });
    await until(() => performance.now() - left > Math.max(1700, pause), 'the pause would be over');
    expect([door.visits, spare.seen.length]).toEqual([4, 0]);
  });
});
