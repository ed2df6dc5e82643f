import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ASK, json, type Recorder, send, WHOLE } from '../support/gateway/harness.js';
import { startBackend, startWatched, type WatchedGateway } from './stage.js';

/** Conversations, pictures and videos of a backend each have a breaker of their own (configuration.md#rules `.breaker`). */

let backend: Recorder;
let gateway: WatchedGateway;

const ROUTES = {
  conversations: { path: '/v1/responses', body: ASK.responses('all').body },
  pictures: { path: '/v1/images/generations', body: { model: 'all', prompt: 'a sea otter' } },
  videos: { path: '/v1/videos', body: { model: 'all', prompt: 'a sea otter' } },
} as const;

type Kind = keyof typeof ROUTES;

const ANSWERS: Readonly<Record<Kind, object>> = {
  conversations: WHOLE.responses('hi'),
  pictures: { created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }] },
  videos: { id: 'video_1', object: 'video', model: 'all', status: 'queued', progress: 0, created_at: 1 },
};

/** The video routes have no 503 (media.md 7): their form of it is a 500. */
const REFUSED: Readonly<Record<Kind, number>> = { conversations: 503, pictures: 503, videos: 500 };

const kindOf = (path: string): Kind =>
  path.includes('images') ? 'pictures' : path.includes('videos') ? 'videos' : 'conversations';

beforeAll(async () => {
  backend = await startBackend();
});
beforeEach(async () => {
  backend.seen.length = 0;
  gateway = await startWatched({
    backends: {
      all: {
        dialect: 'responses',
        baseUrl: backend.url,
        retries: 0,
        breaker: { failures: 3, seconds: 600 },
        concurrency: 2,
      },
      other: { dialect: 'responses', baseUrl: backend.url },
    },
    models: { all: { backend: 'all' }, other: { backend: 'other' } },
  });
});
afterAll(() => backend.close());

async function failing(kind: Kind, times = 3): Promise<void> {
  backend.reply = (response, { path }) =>
    kindOf(path) === kind ? json(response, 503, {}) : json(response, 200, ANSWERS[kindOf(path)]);
  for (let index = 0; index < times; index += 1) await ask(kind);
}

function ask(kind: Kind) {
  const { path, body } = ROUTES[kind];
  return send(gateway.url, path, { body });
}

test.each(['conversations', 'pictures', 'videos'] as const)('failing %s keep nothing else away', async (failed) => {
  try {
    await failing(failed);
    expect(backend.seen).toHaveLength(3);
    for (const kind of ['conversations', 'pictures', 'videos'] as const) {
      const { status } = await ask(kind);
      expect([kind, status]).toEqual([kind, kind === failed ? REFUSED[kind] : 200]);
    }
    expect(backend.seen).toHaveLength(5);
  } finally {
    await gateway.close();
  }
});

test('the refusal has the form of its route, and says when to come again', async () => {
  try {
    await failing('videos');
    const { status, body, headers } = await ask('videos');
    expect([status, body.error.message]).toEqual([500, 'the backend failed and is not called for a while']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(300);
  } finally {
    await gateway.close();
  }
});

test('/readyz names who is out, and for what', async () => {
  try {
    expect((await send(gateway.url, '/readyz')).body).toEqual({ status: 'ready' });
    await failing('videos');
    await failing('pictures');
    const { status, body } = await send(gateway.url, '/readyz');
    expect([status, body]).toEqual([200, { status: 'ready', out: { all: ['pictures', 'videos'] } }]);
  } finally {
    await gateway.close();
  }
});

test('two failures of each are not many of one', async () => {
  try {
    for (const kind of ['conversations', 'pictures', 'videos'] as const) await failing(kind, 2);
    expect(gateway.parts.backends.get('all').status()).toMatchObject({ breaker: 'closed', out: [] });
  } finally {
    await gateway.close();
  }
});
