import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createTurns, takeTurn } from '../../src/http/turns.js';
import { json, startGateway, WHOLE } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { until } from '../support/until.js';

const MB = 1024 * 1024;

describe('turns of the event loop', () => {
  /** Turns whose event loop goes on when it is told to, and who began in each. */
  function stage() {
    const nexts: (() => void)[] = [];
    const turns = createTurns((next) => nexts.push(next));
    const begun: string[] = [];
    const take = (name: string, bytes: number): void => {
      const turn = turns.take(name.startsWith('-') ? undefined : name.slice(0, 1), bytes);
      if (turn === undefined) begun.push(name);
      else void turn.then(() => begun.push(name));
    };
    return {
      take,
      /** Who begins in the next turn. */
      async next(): Promise<string[]> {
        begun.length = 0;
        for (const next of nexts.splice(0)) next();
        await new Promise(setImmediate);
        return [...begun];
      },
      begun,
    };
  }

  test('small bodies do not wait', () => {
    const { take, begun } = stage();
    for (let count = 0; count < 20; count += 1) take(`a${count}`, 1000);
    expect(begun).toHaveLength(20);
  });

  test('of many large ones one begins in each turn, whoever sent them', async () => {
    const { take, next, begun } = stage();
    for (const name of ['-1', '-2', '-3']) take(name, MB);
    expect(begun).toEqual(['-1']);
    expect(await next()).toEqual(['-2']);
    expect(await next()).toEqual(['-3']);
    expect(await next()).toEqual([]);
    take('-4', 5 * MB);
    expect(begun).toEqual(['-4']);
  });

  test('another key waits for one body, however many wait before it', async () => {
    const { take, next } = stage();
    for (let count = 0; count < 50; count += 1) take(`a${count}`, MB);
    expect(await next()).toEqual(['a1']);
    take('b0', 1000);
    take('b1', MB);
    expect(await next()).toEqual(['b0']);
    expect(await next()).toEqual(['a2']);
    expect(await next()).toEqual(['b1']);
    expect(await next()).toEqual(['a3']);
  });

  test('a key that did not wait comes behind one that did', async () => {
    const { take, next } = stage();
    for (const name of ['a0', 'a1', 'b0']) take(name, MB);
    expect(await next()).toEqual(['b0']);
    expect(await next()).toEqual(['a1']);
  });

  test('is none of a call whose client left while it waited', async () => {
    const call = { gone: false, key: undefined };
    const turns = {
      take: async () => {
        call.gone = true;
      },
    };
    await expect(takeTurn({ config: { keys: [] }, state: { turns } }, call, MB)).rejects.toMatchObject({
      error: { message: expect.stringMatching(/client/) },
    });
  });
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };

test.each([
  [40, 0.9, 9],
  [1, 30, 0],
])(
  '%d bodies of %d MB of one key that end at once let another wait for %d, and change no byte of it',
  async (count, megabytes, most) => {
    /** Whose requests began to arrive at the backend, and what the second key's said. */
    const begun: string[] = [];
    const said: string[] = [];
    const backend = createServer(async (request, response) => {
      const name = Number(request.headers['content-length']) > MB / 2 ? 'red' : 'blue';
      begun.push(name);
      const text = Buffer.concat(await request.toArray()).toString();
      if (name === 'blue') said.push([request.method, request.url, ...request.rawHeaders, text].join('\n'));
      json(response, 200, WHOLE.messages('hi'));
    });
    const baseUrl = await listen(backend);
    closers.push(() => shut(backend));
    const gateway = await startGateway({
      backends: { one: { dialect: 'messages', baseUrl } },
      models: { m: { backend: 'one' } },
      keys: Object.entries(KEYS).map(([name, key]) => ({ name, key })),
      limits: { drainSeconds: 0.1 },
      store: { type: 'off' },
    });
    closers.push(gateway.close);
    /** A request, and all of it but the last byte. */
    const begin = (name: keyof typeof KEYS, length: number): Socket => {
      const body = JSON.stringify({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x'.repeat(length) }],
      });
      const socket = connect(gateway.port, '127.0.0.1');
      closers.push(() => socket.destroy());
      const head = `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEYS[name]}\r\ncontent-type: application/json\r\n`;
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
      return socket;
    };
    const answered = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('data', resolve));
    const alone = begin('blue', 100);
    alone.write('}');
    await answered(alone);
    begun.length = 0;

    const reds = Array.from({ length: count }, () => begin('red', megabytes * MB));
    const blue = begin('blue', 100);
    await until(() => [...reds, blue].every(({ connecting, writableLength }) => !connecting && writableLength === 0));
    // The gateway, which is in this process, has read it all.
    for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
    for (const red of reds) red.write('}');
    blue.write('}');
    await Promise.all([...reds, blue].map(answered));
    expect(begun).toHaveLength(count + 1);
    expect(begun.indexOf('blue')).toBeLessThanOrEqual(most);
    expect(said[1]).toBe(said[0]);
  },
);
