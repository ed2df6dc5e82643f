import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import type { ConfigInput } from '../../src/config/schema.js';
import { connectResponses } from '../support/clients.js';
import { REDIS_ABSENT, redisPresent, startRedis, type TestRedis } from '../support/redis.js';
import { SHORT } from '../support/runs.js';
import { type Served, serve } from '../support/served.js';
import { backendsOf, KINDS, MODELS, openStage, type Stage } from './stage.js';
import { START, takeTurn } from './turns.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-shared-'));
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** Two processes that take turns, and what they do. */
function suite(store: () => ConfigInput['store']): void {
  let served: Served[] = [];
  let clients: OpenAI[] = [];

  beforeAll(async () => {
    const config: ConfigInput = {
      backends: backendsOf(stage),
      models: Object.fromEntries(KINDS.map((kind) => [kind, { backend: kind, model: MODELS[kind] }])),
      store: store(),
    };
    served = await Promise.all([serve(folder, config), serve(folder, config)]);
    clients = served.map(({ url }) => connectResponses(url));
  });

  afterAll(async () => {
    for (const { kill } of served) await kill();
  });

  test.each(KINDS)('hold one conversation of ten turns with a %s backend', async (model) => {
    let point = START;
    while (point.turn < 10) {
      const client = clients[point.turn % 2] ?? connectResponses('');
      point = await takeTurn(client, stage.backends[model], model, point, point.turn % 3 === 0);
    }
  });

  test('see and cancel what the other makes in the background', async () => {
    const [one, two] = clients;
    stage.backends.messages.script({ kind: 'text', text: 'word '.repeat(40), paceMs: 20 });
    const queued = await one?.responses.create({ model: 'messages', input: 'q', background: true, stream: true });
    let id = '';
    for await (const event of queued ?? []) {
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') break;
    }
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await two?.responses.retrieve(id, { stream: true, starting_after: 1 });
    for await (const event of stream ?? []) events.push(event);
    expect(events[0]?.sequence_number).toBe(2);
    expect(events.at(-1)?.type).toBe('response.completed');
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index + 2));

    stage.backends.messages.script({ kind: 'text', text: 'never said', delayMs: 20_000 });
    const aborted = stage.backends.messages.aborted;
    const slow = await one?.responses.create({ model: 'messages', input: 'q', background: true });
    expect((await two?.responses.cancel(slow?.id ?? ''))?.status).toBe('cancelled');
    while (stage.backends.messages.aborted === aborted) await new Promise((resolve) => setTimeout(resolve, 20));
    const stands = async () => (await one?.responses.retrieve(slow?.id ?? ''))?.status;
    // The backend is left before that is kept.
    while ((await stands()) !== 'cancelled') await new Promise((resolve) => setTimeout(resolve, 20));
  }, 20_000);
}

describe('two processes over one folder', () => suite(() => ({ type: 'lmdb', path: join(folder, 'store') })));

// The short run has the one store, the long run both.
const overRedis = redisPresent && !SHORT ? describe : describe.skip;
overRedis(`two processes over one redis server ${redisPresent ? '' : REDIS_ABSENT}`, () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.close());

  suite(() => ({ type: 'redis', url: redis.url }));
});
