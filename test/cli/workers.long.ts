import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  type Tree,
} from '../support/gateway/harness.js';
import { createWorkplace, type Served, until, type Workplace } from '../support/gateway/program.js';
import { endingOf, type SlowBackends, startSlowBackends } from '../support/gateway/slow-backends.js';
import { png } from '../support/pictures.js';

const SIM = { dialect: 'responses', simulator: true, state: 'none' } as const;
const FILM = { id: 'video_1', object: 'video', model: 'sora-2', seconds: '4', size: '720x1280', created_at: 1 };
const OLD = 'canary-gateway-key-old-1';
const NEW = 'canary-gateway-key-new-1';

let slow: SlowBackends;
let makers: Recorder;
let place: Workplace;
let served: Served;

beforeAll(async () => {
  slow = await startSlowBackends();
  makers = await startRecorder();
  const picture = png().toString('base64');
  makers.reply = (response, { method, path }) => {
    if (path.startsWith('/v1/images')) return json(response, 200, { created: 1, data: [{ b64_json: picture }] });
    json(response, 200, { ...FILM, status: method === 'POST' ? 'queued' : 'completed', progress: 100 });
  };
  place = createWorkplace();
  served = await place.serve(['--config', configuration()]);
}, 60_000);

afterAll(async () => {
  await place.end();
  await slow.close();
  await makers.close();
});

/** Writes the configuration file, which both workers are started with. */
function configuration(more: object = {}): string {
  const { backends, models } = slow;
  const config = {
    backends: {
      ...backends,
      sim: SIM,
      media: { dialect: 'responses', baseUrl: makers.url },
      narrow: { ...backends.messages, concurrency: 2, queue: 0 },
    },
    models: {
      ...models,
      sim: { backend: 'sim' },
      'sora-2': { backend: 'media' },
      'dall-e-3': { backend: 'media' },
      narrow: { backend: 'narrow' },
    },
    keys: [{ name: 'a', key: OLD }],
    workers: 2,
    store: { path: `${place.folder}/store` },
    limits: { drainSeconds: 1.5 },
    ...more,
  };
  return place.file('gateway.json', JSON.stringify(config));
}

/** The processes that were started as workers, in their order. */
function pids(): number[] {
  return served.entries().flatMap(({ msg, pid }) => (msg === 'a worker was started' ? [Number(pid)] : []));
}

/** Which workers logged an exchange with this part in its path. */
function workersOf(path: string): Set<unknown> {
  return new Set(served.entries().flatMap((entry) => (String(entry.path).includes(path) ? [entry.worker] : [])));
}

const both = (path: string) => until(() => workersOf(path).size === 2, `${path} by both workers`);

const headers = { 'x-api-key': OLD };
const ask = ASK.messages('sim');
const status = async (key: string) =>
  (await send(served.url, ask.path, { body: ask.body, headers: { 'x-api-key': key } })).status;

describe('over one store, whichever worker answers', () => {
  const call = async (method: string, path: string, body?: object): Promise<Tree> => {
    const answer = await send(served.url, path, { method, body, headers });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body ?? answer.text;
  };

  test('a conversation goes on', async () => {
    let previous: string | undefined;
    for (let turn = 0; turn < 10; turn += 1) {
      const answer = await call('POST', '/v1/responses', {
        model: 'sim',
        input: `turn ${turn}`,
        ...(previous !== undefined && { previous_response_id: previous }),
      });
      expect(answer.previous_response_id).toBe(previous ?? null);
      previous = answer.id;
    }
    const items = await call('GET', `/v1/responses/${previous}/input_items?limit=100`);
    expect(items.data.filter(({ role }: Tree) => role === 'user').length).toBeGreaterThan(0);
    await both('/v1/responses');
  });

  test('pictures are found behind their URLs, and videos by their ids', async () => {
    const made = await call('POST', '/v1/images/generations', {
      model: 'dall-e-3',
      prompt: 'A cat',
      response_format: 'url',
    });
    const { url } = made.data[0];
    expect(url).toMatch(new RegExp(`^${served.url}/media/[0-9a-f]{32}$`));
    const video = await call('POST', '/v1/videos', { model: 'sora-2', prompt: 'A cat' });
    for (let index = 0; index < 6; index += 1) {
      const file = await send(served.url, new URL(url).pathname);
      expect([file.status, file.headers['content-type']]).toEqual([200, 'image/png']);
    }
    for (let index = 0; index < 6; index += 1) {
      expect((await call('GET', `/v1/videos/${video.id}`)).status).toBe('completed');
    }
    await both('/v1/videos/');
  });

  test('background answers are followed and cancelled', async () => {
    const ask = { model: 'messages-slow', input: 'q', background: true };
    const queued = await Promise.all(Array.from({ length: 4 }, () => call('POST', '/v1/responses', ask)));
    for (const { id } of queued) {
      for (const status of [1, 2].map(() => call('GET', `/v1/responses/${id}`))) {
        expect(['queued', 'in_progress']).toContain((await status).status);
      }
      expect((await call('POST', `/v1/responses/${id}/cancel`)).status).toBe('cancelled');
    }
    await both('/cancel');

    const begun = slow.waiting();
    const opened = send(served.url, '/v1/responses', {
      headers,
      body: { ...ask, model: 'messages-followed', stream: true },
    });
    await until(() => slow.waiting() === begun + 1);
    const entries = () => served.entries().filter(({ model }) => model === 'messages-followed');
    slow.release('followed');
    const text = (await opened).text;
    const id = /"id": ?"(resp_il\w+)"/.exec(text)?.[1];
    const followed = await Promise.all(
      Array.from({ length: 4 }, () => send(served.url, `/v1/responses/${id}?stream=true`, { headers })),
    );
    for (const answer of followed) {
      expect([answer.status, endingOf('responses', answer.text)]).toEqual([200, 'complete']);
    }
    await until(() => entries().length > 0);
  });
});

test('both serve, behind one address', async () => {
  expect(served.lines).toEqual([expect.stringMatching(/^interlingua listening on http:\/\/127\.0\.0\.1:\d+$/)]);
  const statuses = await Promise.all(Array.from({ length: 12 }, () => status(OLD)));
  expect(statuses.filter((one) => one !== 200)).toEqual([]);
  await both(ask.path);
});

test('the places of a backend are those of both together', async () => {
  const begun = slow.waiting();
  const { path, body } = ASK.messages('narrow');
  const asked = Array.from({ length: 8 }, () => send(served.url, path, { body, headers }));
  let refused = 0;
  for (const one of asked) void one.then(({ status }) => (refused += status === 503 ? 1 : 0));
  await until(() => refused + slow.waiting() - begun === 8, 'every call runs or is refused');
  expect(slow.waiting() - begun).toBe(2);
  slow.release('narrow');
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(2);
});

test('a reload reaches all, one that is not valid is told once, and who takes a dead worker’s place has what is in force', async () => {
  const statuses = (key: string) => Promise.all(Array.from({ length: 6 }, () => status(key)));
  configuration({ keys: [{ name: 'a', key: NEW }] });
  served.child.kill('SIGHUP');
  await until(async () => (await statuses(NEW)).every((one) => one === 200));
  expect(new Set(await statuses(OLD))).toEqual(new Set([401]));
  await until(() => served.logs().includes('configuration reloaded'));

  configuration({ frobnicate: 1 });
  served.child.kill('SIGHUP');
  await until(() => served.logs().includes('cannot be used'));
  const counted = async (result: string) => {
    const { text } = await send(served.url, '/metrics', { headers: { 'x-api-key': NEW } });
    return new RegExp(`reloads_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1];
  };
  await until(async () => (await counted('failed')) === '2');
  expect(await counted('ok')).toBe('2');
  await until(() => pids().length === 2);
  process.kill(pids()[1] ?? 0, 'SIGKILL');
  await until(() => served.logs().includes('a worker ended'));
  await until(async () => {
    expect(await status(NEW)).toBe(200);
    return workersOf(ask.path).has(3);
  }, 'an exchange of the new worker');
  expect(new Set(await statuses(OLD))).toEqual(new Set([401]));
  expect(served.entries().filter(({ level }) => level === 50)).toEqual([
    expect.objectContaining({ reasons: [expect.stringMatching(/^\S+:\d+:\d+ frobnicate: unknown key;/)] }),
  ]);
}, 40_000);

test('one SIGTERM drains all, and what does not end in time is told so', async () => {
  const begun = slow.waiting();
  const open = Array.from({ length: 18 }, (_, index) => {
    const client = DIALECTS[index % 3] ?? 'messages';
    const word = index % 2 === 0 ? 'quick' : 'stuck';
    const { path, body } = STREAM[client](`responses-${word}`);
    return send(served.url, path, { body, headers: { 'x-api-key': NEW }, mayBreak: true }).then(({ text }) => ({
      client,
      word,
      text,
    }));
  });
  await until(() => slow.waiting() === begun + 18);
  served.child.kill('SIGTERM');
  await until(() => served.logs().includes('stopping'));
  slow.release('quick');
  for (const { client, word, text } of await Promise.all(open)) {
    expect([client, endingOf(client, text)]).toEqual([client, word === 'quick' ? 'complete' : 'error']);
  }
  expect(await served.exit).toBe(0);
  await expect(status(NEW)).rejects.toThrow(/ECONNREFUSED/);
  expect(served.lines).toHaveLength(1);
  expect(served.logs()).not.toContain('canary');
});

test.each([
  ['cannot be used', { store: { path: '/dev/null/store' } }, /^store\.path: \/dev\/null\/store [^\n]*\n$/],
  ['is one of its own for each', { store: { type: 'memory' } }, /^\S+:\d+:\d+ workers: [^\n]*lmdb, redis or off\n$/],
])('a store that %s: one line and a non-zero exit', async (_name, more, line) => {
  const child = place.start(['serve', '--port', '0', '--config', configuration({ ...more, log: { level: 'warn' } })]);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(1);
  expect(errors).toMatch(line);
});

test('workers that end at once are not started for ever: one line and a non-zero exit', async () => {
  const crash = place.file('crash.cjs', 'if (process.env.INTERLINGUA_WORKER) process.exit(3);');
  const config = configuration({ log: { level: 'silent' } });
  const child = place.start(['serve', '--port', '0', '--config', config], { NODE_OPTIONS: `--require ${crash}` });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
  expect(text).toBe('interlingua serve: workers end as soon as they are started\n');
});
