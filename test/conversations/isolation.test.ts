import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { clientOf, KEYS, KINDS, type Kind, openStage, type Stage } from './stage.js';

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  ({ url } = await stage.gateway({ type: 'memory' }));
});

afterAll(() => stage.close());

/** What can be tried with an id, as an HTTP request. */
const ATTEMPTS: readonly [string, string, (id: string) => string, ((kind: Kind, id: string) => unknown)?][] = [
  ['retrieve', 'GET', (id) => `/v1/responses/${id}`],
  ['stream', 'GET', (id) => `/v1/responses/${id}?stream=true&starting_after=1`],
  ['list', 'GET', (id) => `/v1/responses/${id}/input_items`],
  ['cancel', 'POST', (id) => `/v1/responses/${id}/cancel`],
  ['delete', 'DELETE', (id) => `/v1/responses/${id}`],
  [
    'continue',
    'POST',
    () => '/v1/responses',
    (model, id) => ({ model, input: 'what did I say?', previous_response_id: id }),
  ],
  [
    'refer',
    'POST',
    () => '/v1/responses',
    (model, id) => ({
      model,
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'what is it?' },
      ],
    }),
  ],
  [
    'compact',
    'POST',
    () => '/v1/responses/compact',
    (model, id) => ({ model, input: 'what did I say?', previous_response_id: id }),
  ],
  [
    'background',
    'POST',
    () => '/v1/responses',
    (model, id) => ({ model, input: 'what did I say?', previous_response_id: id, background: true }),
  ],
  [
    'count',
    'POST',
    () => '/v1/responses/input_tokens',
    (model, id) => ({ model, input: 'what did I say?', previous_response_id: id }),
  ],
];

/** Attempts that name the answer in their body. */
const CONTINUING = new Set(['continue', 'compact', 'background', 'count']);

async function tried(key: keyof typeof KEYS, attempt: (typeof ATTEMPTS)[number], kind: Kind, id: string) {
  const [, method, path, body] = attempt;
  const answer = await fetch(url + path(id), {
    method,
    headers: { authorization: `Bearer ${KEYS[key]}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body(kind, id)) }),
  });
  return { status: answer.status, body: (await answer.text()).replaceAll(id, 'ID') };
}

function flipped(id: string): string {
  return id.slice(0, -1) + (id.endsWith('a') ? 'b' : 'a');
}

describe.each(KINDS)("another tenant's answer of a %s backend", (kind) => {
  let answer: OpenAI.Responses.Response;

  beforeAll(async () => {
    answer = await clientOf(url, 'a').responses.create({ model: kind, input: 'my secret' });
  });

  test.each(ATTEMPTS.map((attempt) => [attempt[0], attempt] as const))(
    '%s: is as unknown as an id that never was',
    async (name, attempt) => {
      const backend = stage.backends[kind];
      const id = name === 'refer' ? (answer.output[0]?.id ?? '') : answer.id;
      const before = backend.requests.length;
      const unknown = await tried('b', attempt, kind, `${id.slice(0, 8)}0123456789abcdef0123456789abcdef`);
      expect(unknown.status).toBe(CONTINUING.has(name) ? 400 : 404);
      expect(await tried('b', attempt, kind, id)).toEqual(unknown);
      expect(await tried('b', attempt, kind, flipped(id))).toEqual(unknown);
      expect(await tried('a', attempt, kind, flipped(id))).toEqual(unknown);
      expect(backend.requests).toHaveLength(before);
    },
  );

  test('is still there for its own', async () => {
    const next = await clientOf(url, 'a').responses.create({
      model: kind,
      input: 'go on',
      previous_response_id: answer.id,
    });
    expect(next.status).toBe('completed');
  });
});

test("an id that a backend made without the gateway's knowledge is unknown to every key", async () => {
  const direct = clientOf(stage.backends.responses.url);
  const { id } = await direct.responses.create({ model: 'gpt-5', input: 'not through the gateway' });
  for (const attempt of ATTEMPTS) {
    if (attempt[0] === 'refer') continue;
    const { status } = await tried('a', attempt, 'responses', id);
    expect([attempt[0], status]).toEqual([attempt[0], CONTINUING.has(attempt[0]) ? 400 : 404]);
  }
});

test('ids cannot be guessed', async () => {
  const ids = new Set<string>();
  for (let n = 0; n < 20; n += 1) {
    const { id } = await clientOf(url).responses.create({ model: 'messages', input: 'q' });
    expect(id).toMatch(/^resp_il[0-9a-f]{44}$/);
    // Behind the time.
    ids.add(id.slice(19, 27));
  }
  expect(ids.size).toBe(20);
});
