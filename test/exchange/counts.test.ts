import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { filePart, formHeaders, formOf } from '../media/form.js';
import { dialectAt } from '../support/dialect-at.js';
import {
  ASK,
  DIALECTS,
  json,
  likeVendor,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => {
    const dialect = dialectAt(path);
    const pictures = { created: 1, data: Array.from({ length: 10 }, () => ({ b64_json: 'AAAA' })) };
    json(response, 200, path.includes('/images/') ? pictures : WHOLE[dialect]('hi'));
  };
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: recorder.url }]),
    ),
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      'img-multi': { backend: 'responses' },
      'img-v3': { backend: 'responses' },
      'img-legacy': { backend: 'responses' },
    },
    store: { type: 'memory' },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** So many of something. */
function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A limit of what a client may ask for. */
interface Limit {
  readonly client: DialectId;
  readonly name: string;
  readonly most: number;
  /** A request with so many, or so much. */
  readonly fields: (count: number) => object;
  /** Backends of which dialect have it; absent = all that do not speak the client's own. */
  readonly backends?: readonly DialectId[];
}

const config = (fields: object) => ({ generationConfig: fields });

const LIMITS: readonly Limit[] = [
  {
    client: 'responses',
    name: 'pairs of metadata',
    most: 16,
    fields: (n) => ({ metadata: Object.fromEntries(many(n, (i) => [`k${i}`, 'v'])) }),
  },
  {
    client: 'responses',
    name: 'characters of a key of metadata',
    most: 64,
    fields: (n) => ({ metadata: { ['k'.repeat(n)]: 'v' } }),
  },
  {
    client: 'responses',
    name: 'characters of a value of metadata',
    most: 512,
    fields: (n) => ({ metadata: { k: 'v'.repeat(n) } }),
  },
  { client: 'responses', name: 'temperature', most: 2, fields: (n) => ({ temperature: n }) },
  { client: 'responses', name: 'logprobs', most: 20, fields: (n) => ({ top_logprobs: n }) },
  {
    client: 'responses',
    name: 'characters of the name of a schema',
    most: 64,
    fields: (n) => ({
      text: { format: { type: 'json_schema', name: 'n'.repeat(n), schema: { type: 'object' }, strict: false } },
    }),
  },
  {
    client: 'responses',
    name: 'results of a search',
    most: 50,
    fields: (n) => ({ tools: [{ type: 'file_search', vector_store_ids: ['a'], max_num_results: n }] }),
    backends: ['generateContent'],
  },
  {
    client: 'messages',
    name: 'characters of a user',
    most: 256,
    fields: (n) => ({ metadata: { user_id: 'u'.repeat(n) } }),
  },
  { client: 'messages', name: 'temperature', most: 1, fields: (n) => ({ temperature: n }) },
  {
    client: 'messages',
    name: 'tokens to think',
    most: 2000,
    fields: (n) => ({ max_tokens: 2001, thinking: { type: 'enabled', budget_tokens: n } }),
  },
  {
    client: 'messages',
    name: 'tools',
    most: 512,
    fields: (n) => ({ tools: many(n, (i) => ({ name: `t${i}`, input_schema: { type: 'object', properties: {} } })) }),
    backends: ['generateContent'],
  },
  {
    client: 'generateContent',
    name: 'stop strings',
    most: 5,
    fields: (n) => config({ stopSequences: many(n, (i) => `s${i}`) }),
  },
  { client: 'generateContent', name: 'temperature', most: 2, fields: (n) => config({ temperature: n }) },
  { client: 'generateContent', name: 'answers', most: 1, fields: (n) => config({ candidateCount: n }) },
  { client: 'chatCompletions', name: 'answers', most: 1, fields: (n) => ({ n }) },
  { client: 'chatCompletions', name: 'temperature', most: 2, fields: (n) => ({ temperature: n }) },
  {
    client: 'chatCompletions',
    name: 'log probabilities',
    most: 20,
    fields: (n) => ({ logprobs: true, top_logprobs: n }),
  },
  {
    client: 'chatCompletions',
    name: 'pairs of metadata',
    most: 16,
    fields: (n) => ({ metadata: Object.fromEntries(many(n, (i) => [`k${i}`, 'v'])) }),
  },
  {
    client: 'chatCompletions',
    name: 'characters of the name of a schema',
    most: 64,
    fields: (n) => ({
      response_format: { type: 'json_schema', json_schema: { name: 'n'.repeat(n), schema: { type: 'object' } } },
    }),
  },
];

function backendsOf({ client, backends }: Limit): readonly DialectId[] {
  return backends ?? DIALECTS.filter((dialect) => dialect !== client);
}

const CASES = LIMITS.flatMap((limit) => backendsOf(limit).map((backend) => ({ ...limit, backend })));

describe('hardening.md row 55: counts have a limit where they are translated', () => {
  test.each(CASES)('$name, $client to $backend', async ({ client, backend, most, fields }) => {
    const within = ASK[client](backend, fields(most));
    expect((await send(gateway.url, within.path, { body: within.body })).status).toBe(200);
    expect(recorder.seen).toHaveLength(1);
    for (const count of [most + 1, most * 3 + 1000]) {
      const beyond = ASK[client](backend, fields(count));
      const told = await send(gateway.url, beyond.path, { body: beyond.body });
      expect(told.status).toBe(400);
      messageOf(client, told.body);
    }
    expect(recorder.seen).toHaveLength(1);
  });

  test.each(LIMITS)('$name, relayed: the backend’s to refuse, $client', async ({ client, most, fields }) => {
    const { path, body } = ASK[client](client, fields(most + 1));
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    expect(JSON.parse(recorder.seen[0]?.body ?? '')).toEqual(body);
  });
});

describe('hardening.md row 55: pictures', () => {
  test.each([
    ['img-multi', 10],
    ['img-legacy', 10],
    ['img-v3', 1],
  ])('of %s at most %d', async (model, most) => {
    for (const [n, status] of [
      [most, 200],
      [most + 1, 400],
      [1e9, 400],
      [0, 400],
    ] as const) {
      const told = await send(gateway.url, '/v1/images/generations', { body: { model, prompt: 'a cat', n } });
      expect([n, told.status]).toEqual([n, status]);
    }
  });

  test('and so many parts of a form', async () => {
    const picture = png({ width: 8, height: 8 });
    const upload = (parts: Parameters<typeof formOf>[0]) => {
      const form = formOf([...parts, { name: 'model', value: 'img-multi' }, { name: 'prompt', value: 'a cat' }]);
      return send(gateway.url, '/v1/images/edits', { body: form, headers: formHeaders(form) });
    };
    const files = (n: number) => many(n, (i) => filePart('image[]', picture, `${i}.png`, 'image/png'));
    const texts = (n: number) => many(n, (i) => ({ name: `x${i}`, value: 'y' }));
    expect((await upload(files(16))).status).toBe(200);
    for (const parts of [files(17), files(5000), texts(5000)]) {
      const told = await upload(parts);
      expect([told.status, told.body.error.type]).toEqual([400, 'invalid_request_error']);
    }
  });
});
