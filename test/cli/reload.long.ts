import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { ConfigError, createGateway } from '../../src/index.js';
import { ASK, EVENT_STREAM, FRAMES, json, STREAM, send, startRecorder, WHOLE } from '../support/gateway/harness.js';
import { createWorkplace, type Served, until, type Workplace } from '../support/gateway/program.js';
import { endingOf, type SlowBackends, startSlowBackends } from '../support/gateway/slow-backends.js';
import { png } from '../support/pictures.js';
import { listen, shut } from '../support/sockets.js';

const OLD = 'canary-gateway-key-old-1';
const NEW = 'canary-gateway-key-new-1';

const keyed = (key: string) => ({ 'x-api-key': key });

describe('by the library', () => {
  const base = { log: { level: 'silent' }, models: { '*': { backend: 'm' } } } satisfies Partial<ConfigInput>;

  test('connections to a backend that is gone close after its last exchange, those of the others stay', async () => {
    let connections = 0;
    let finish = (): void => {};
    const frames = FRAMES.messages('until the end');
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, EVENT_STREAM);
      response.write(frames.slice(0, 4).join(''));
      finish = () => response.end(frames.slice(4).join(''));
    });
    server.on('connection', (socket) => {
      connections += 1;
      socket.on('close', () => {
        connections -= 1;
      });
    });
    const old = await listen(server);
    const kept = await startRecorder();
    kept.reply = (response) => json(response, 200, WHOLE.responses('hi'));
    const gateway = createGateway({
      ...base,
      backends: { m: { dialect: 'messages', baseUrl: old }, r: { dialect: 'responses', baseUrl: kept.url } },
      models: { m: { backend: 'm' }, r: { backend: 'r' } },
    });
    const { url } = await gateway.listen({ port: 0 });
    try {
      const { path, body } = STREAM.messages('m');
      const open = send(url, path, { body });
      await until(() => connections === 1);
      gateway.reload({
        ...base,
        backends: { r: { dialect: 'responses', baseUrl: kept.url } },
        models: { r: { backend: 'r' } },
      });
      expect((await send(url, path, { body })).status).toBe(404);
      const other = ASK.responses('r');
      expect((await send(url, other.path, { body: other.body })).status).toBe(200);
      await sleep(50);
      expect(connections).toBe(1);
      finish();
      expect(endingOf('messages', (await open).text)).toBe('complete');
      await until(() => connections === 0, 'the end of the connection');
    } finally {
      await gateway.close();
      await shut(server);
      await kept.close();
    }
  });

  test('what only a new start changes is named and stays; what is not valid changes nothing', async () => {
    const recorder = await startRecorder();
    recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
    const backends = { m: { dialect: 'messages', baseUrl: recorder.url } } as const;
    const gateway = createGateway({ ...base, backends });
    const { url } = await gateway.listen({ port: 0 });
    const { path, body } = ASK.messages('m');
    try {
      const listenNow = { port: 1, cors: ['https://a.example'] };
      const kept = gateway.reload({
        ...base,
        backends,
        listen: listenNow,
        store: { type: 'off' },
        limits: { bodyMb: 1 },
      });
      expect(kept).toEqual(['listen', 'store']);
      expect((await send(url, path, { body: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413);
      expect(() => gateway.reload({ ...base, backends: { m: { dialect: 'chat' } } } as unknown as ConfigInput)).toThrow(
        ConfigError,
      );
      const broken = (): never => {
        throw new Error('cannot be read');
      };
      expect(() => gateway.reload(broken)).toThrow('cannot be read');
      expect((await send(url, path, { body })).status).toBe(200);
    } finally {
      await gateway.close();
      await recorder.close();
    }
  });

  test('pictures stay behind their URLs, and videos with their owners, though no store keeps them', async () => {
    const film = { object: 'video', model: 'sora-2', status: 'queued', seconds: '4', size: '720x1280', created_at: 1 };
    const recorder = await startRecorder();
    recorder.reply = (response, { method, path }) => {
      if (path.startsWith('/v1/images')) {
        return json(response, 200, { created: 1, data: [{ b64_json: png().toString('base64') }] });
      }
      const others = [
        { ...film, id: 'video_1' },
        { ...film, id: 'video_2' },
      ];
      json(response, 200, method === 'POST' ? others[0] : { object: 'list', data: others, has_more: false });
    };
    const config: ConfigInput = {
      ...base,
      backends: { m: { dialect: 'responses', baseUrl: recorder.url } },
      store: { type: 'off' },
      keys: [{ name: 'a', key: OLD }],
    };
    const gateway = createGateway(config);
    const { url } = await gateway.listen({ port: 0 });
    const headers = keyed(OLD);
    try {
      const ask = { model: 'dall-e-3', prompt: 'A cat', response_format: 'url' };
      const made = await send(url, '/v1/images/generations', { headers, body: ask });
      const video = await send(url, '/v1/videos', { headers, body: { model: 'sora-2', prompt: 'A cat' } });
      expect(gateway.reload({ ...config, limits: { bodyMb: 1 } })).toEqual([]);
      expect((await send(url, new URL(made.body.data[0].url).pathname)).status).toBe(200);
      const { body } = await send(url, '/v1/videos', { headers });
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([video.body.id]);
    } finally {
      await gateway.close();
      await recorder.close();
    }
  });

  test('the level of the log follows, also from silence', () => {
    const backends = { m: { dialect: 'messages', simulator: true } } as const;
    const gateway = createGateway({ ...base, backends });
    expect(gateway.logger.isLevelEnabled('info')).toBe(false);
    gateway.reload({ ...base, backends, log: { level: 'info' } });
    expect(gateway.logger.isLevelEnabled('info')).toBe(true);
    gateway.reload({ ...base, backends, log: { level: 'error' } });
    expect(gateway.logger.isLevelEnabled('warn')).toBe(false);
    return gateway.close();
  });

  test.each(['0.0.0.0', '127.0.0.1'])('keys cannot be taken away from a gateway on %s', async (host) => {
    const backends = { m: { dialect: 'messages', simulator: true } } as const;
    const gateway = createGateway({ ...base, backends, keys: [{ name: 'a', key: OLD }] });
    const { port } = await gateway.listen({ host, port: 0 });
    const { path, body } = ASK.messages('m');
    try {
      expect(() => gateway.reload({ ...base, backends })).toThrow(ConfigError);
      expect((await send(`http://127.0.0.1:${port}`, path, { body })).status).toBe(401);
      expect(gateway.reload({ ...base, backends, keys: [{ name: 'a', key: NEW }] })).toEqual([]);
    } finally {
      await gateway.close();
    }
  });
});

describe('by the program', () => {
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

  const reloads = (served: Served): number => served.logs().split('"configuration reloaded"').length - 1;

  const text = (key: string, more: object = {}): string => {
    const sim = { dialect: 'responses', simulator: true, apiKey: 'sk-canary-upstream' };
    return JSON.stringify({
      backends: { ...slow.backends, sim },
      models: { ...slow.models, sim: { backend: 'sim' } },
      keys: [{ name: 'team', key }],
      store: { type: 'off' },
      ...more,
    });
  };

  test('keys change while streams run and requests come: none fails, and the old key is refused at once', async () => {
    const served = await place.serve(['--config', place.file('gateway.json', text(OLD))]);
    const { url, child } = served;
    const streams = Array.from({ length: 12 }, () => {
      const { path, body } = STREAM.messages('responses-slow');
      return send(url, path, { body, headers: keyed(OLD) });
    });
    await until(() => slow.waiting() === 12);

    let key = OLD;
    let stopped = false;
    const statuses: number[] = [];
    const { path, body } = ASK.messages('sim');
    const steady = Array.from({ length: 4 }, async () => {
      // Both keys are valid while callers change over.
      while (!stopped) statuses.push((await send(url, path, { body, headers: keyed(key) })).status);
    });
    const both = [
      { name: 'team', key: OLD },
      { name: 'next', key: NEW },
    ];
    for (const [keys, next] of [
      [both, NEW],
      [[{ name: 'next', key: NEW }], NEW],
    ] as const) {
      const before = reloads(served);
      place.file('gateway.json', text(OLD, { keys }));
      child.kill('SIGHUP');
      await until(() => reloads(served) > before);
      key = next;
      // Those that began with the old key are answered before it is taken away.
      const seen = statuses.length;
      await until(() => statuses.length > seen + 8);
    }
    expect((await send(url, path, { body, headers: keyed(OLD) })).status).toBe(401);
    stopped = true;
    await Promise.all(steady);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    slow.release('slow');
    for (const { text: streamed } of await Promise.all(streams))
      expect(endingOf('messages', streamed)).toBe('complete');
    expect(served.logs()).not.toContain('canary');
  });

  test('the file is watched, also where it is replaced; one that is not valid leaves the old in force', async () => {
    const file = place.file('gateway.json', text(OLD));
    const served = await place.serve(['--config', file]);
    const { path, body } = ASK.messages('sim');
    const status = async (key: string) => (await send(served.url, path, { body, headers: keyed(key) })).status;
    const replace = (content: string): void => {
      writeFileSync(join(place.folder, 'next.json'), content);
      renameSync(join(place.folder, 'next.json'), file);
    };
    replace(text(NEW, { limits: { bodyMb: 'canary-value' }, frobnicate: 'canary-value' }));
    const refused = () => served.entries().filter(({ level }) => level === 50);
    await until(() => refused().length > 0);
    expect(await status(OLD)).toBe(200);
    expect(refused()).toEqual([
      expect.objectContaining({
        reasons: [
          expect.stringMatching(/gateway\.json:1:\d+ limits\.bodyMb: /),
          expect.stringMatching(/ frobnicate: unknown key;/),
        ],
        msg: 'the new configuration cannot be used; the old one stays in force',
      }),
    ]);
    // As a file that was cut in front of its keys.
    replace(text(OLD, { keys: undefined }));
    await until(() => refused().length > 1);
    expect(refused()[1]).toMatchObject({ reasons: [expect.stringMatching(/^keys: none are configured any more/)] });
    expect((await send(served.url, path, { body })).status).toBe(401);
    replace(text(NEW, { workers: 3 }));
    await until(async () => (await status(NEW)) === 200);
    expect(await status(OLD)).toBe(401);
    await until(() => reloads(served) > 0);
    expect(served.entries()).toContainEqual(
      expect.objectContaining({ level: 30, msg: 'configuration reloaded', untilRestart: ['workers'] }),
    );
    expect(served.logs()).not.toContain('canary');
  });

  test('files with texts of it are watched too; one that is gone leaves the old in force', async () => {
    const key = place.file('team.key', `${OLD}\n`);
    const named = text('', { keys: [{ name: 'team', key: `\${file:team.key}` }] });
    const served = await place.serve(['--config', place.file('gateway.json', named)]);
    const { path, body } = ASK.messages('sim');
    const status = async (sent: string) => (await send(served.url, path, { body, headers: keyed(sent) })).status;
    expect(await status(OLD)).toBe(200);
    place.file('team.key', `${NEW}\n`);
    await until(async () => (await status(NEW)) === 200);
    expect(await status(OLD)).toBe(401);
    await until(() => reloads(served) === 1);
    rmSync(key);
    const refused = () => served.entries().filter(({ level }) => level === 50);
    await until(() => refused().length > 0);
    expect(refused()).toMatchObject([
      { reasons: [expect.stringContaining(` keys[0].key: the file ${key} cannot be read (ENOENT)`)] },
    ]);
    expect(await status(NEW)).toBe(200);
    place.file('team.key', OLD);
    await until(async () => (await status(OLD)) === 200);
    expect(served.logs()).not.toContain('canary');
  });

  test('without a file SIGHUP reads the environment again', async () => {
    const served = await place.serve([], { lines: 3 });
    served.child.kill('SIGHUP');
    await until(() => reloads(served) === 1);
    const { path, body } = ASK.messages('sim-responses');
    expect((await send(served.url, path, { body })).status).toBe(200);
  });
});
