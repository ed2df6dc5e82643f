import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import { FAKE_DIALECTS, type FakeBackend, type RecordedRequest } from '../../support/fake-backend/index.js';
import { type Fakes, startFakes } from '../../support/fakes.js';
import { likeVendor, startGateway, type TestGateway } from '../../support/gateway/harness.js';
import { crossPairsOf } from '../../support/pairs.js';
import { SHORT } from '../../support/runs.js';
import { createSession, type Session } from '../../support/sessions/index.js';
import { modelOf } from '../carriers/chain.js';
import { apartFromStreaming, difference, takeApart } from '../prefix/grown.js';

/** Official clients, two listening gateways one behind the other, and strict backends that know what they issued. */

const LOOK = {
  name: 'look',
  description: 'Looks at a place',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'], additionalProperties: false },
};
const TWO = [
  { name: 'look', arguments: { at: 'here' } },
  { name: 'look', arguments: { at: 'there' } },
];

const STRICTNESS = tableOf('fakeOptions');

let started: Fakes;
let backends: Fakes['backends'];
let inner: TestGateway;
let outer: TestGateway;
let switching: TestGateway;

beforeAll(async () => {
  started = await startFakes((id) => STRICTNESS[id]);
  backends = started.backends;
  inner = await startGateway({
    backends: Object.fromEntries(
      FAKE_DIALECTS.map((to) => [to, { ...likeVendor(to), baseUrl: backends[to].url, retries: 0 }]),
    ),
    models: Object.fromEntries(FAKE_DIALECTS.map((to) => [`real-${to}`, { backend: to, model: modelOf(to) }])),
  });
  const byInner = Object.fromEntries(
    FAKE_DIALECTS.map((by) => [`by-${by}`, { dialect: by, baseUrl: inner.url, retries: 0 }]),
  );
  const throughInner = Object.fromEntries(
    FAKE_DIALECTS.flatMap((by) =>
      FAKE_DIALECTS.map((to) => [
        `${by}-${to}`,
        // The model of chat completions is one that nobody knows by name.
        {
          backend: `by-${by}`,
          model: `real-${to}`,
          ...(by === to && to !== 'chatCompletions' && { profile: modelOf(to) }),
        },
      ]),
    ),
  );
  outer = await startGateway({ backends: byInner, models: throughInner });
  // This one knows the backends themselves as well.
  switching = await startGateway({
    backends: {
      ...byInner,
      ...Object.fromEntries(
        FAKE_DIALECTS.map((to) => [`to-${to}`, { ...likeVendor(to), baseUrl: backends[to].url, retries: 0 }]),
      ),
    },
    models: {
      ...throughInner,
      ...Object.fromEntries(FAKE_DIALECTS.map((to) => [`direct-${to}`, { backend: `to-${to}`, model: modelOf(to) }])),
    },
  });
});

afterAll(async () => {
  await switching.close();
  await outer.close();
  await inner.close();
  await started.close();
});

/** Thinks and calls, thinks again, answers in words, and once more; every answer is strict about what came before. */
async function talk(session: Session, backend: FakeBackend, model?: string): Promise<void> {
  // Streamed, some answers end in state alone, which clients of one dialect are not given (translation.md 4.3.4).
  const streams = model !== undefined;
  backend.script([
    { kind: 'reasoning+calls', reasoning: 'Both places.', calls: TWO },
    { kind: 'reasoning+calls', reasoning: 'Once more.', calls: TWO.slice(1) },
    { kind: 'text', reasoning: 'That is all.', text: 'Nothing there.' },
    { kind: 'text', text: 'Bye.' },
  ]);
  const send = (stream: boolean) => session.send({ stream, ...(model !== undefined && { model }) });
  session.user('Look around.');
  const first = await send(true);
  session.results(first.calls.map(({ id, name }) => ({ id, name, output: 'dark' })));
  const second = await send(false);
  session.results(second.calls.map(({ id, name }) => ({ id, name, output: 'dark' })));
  expect((await send(streams)).text).toBe('Nothing there.');
  session.user('Thanks.');
  expect((await send(!streams)).text).toBe('Bye.');
}

/** How many pieces of state a request gives back; the empty `reasoning_content` of translation.md 4.5 is none. */
function stateIn({ raw }: RecordedRequest): number {
  return (raw.match(/"(?:signature|encrypted_content|thoughtSignature|reasoning_content)":"[^"]/g) ?? []).length;
}

function growth(dialect: DialectId, requests: readonly RecordedRequest[]): (string | undefined)[] {
  const sent = requests.map(({ body }) => apartFromStreaming(takeApart(dialect, body)));
  return sent.slice(1).flatMap((longer, index) => {
    const shorter = sent[index];
    return shorter === undefined ? [] : [difference(shorter, longer)];
  });
}

/** In the short run every client meets every dialect between the gateways, and one backend. */
const CHAINS = FAKE_DIALECTS.flatMap((client, shift) =>
  crossPairsOf(FAKE_DIALECTS)
    .filter(([, to]) => !SHORT || FAKE_DIALECTS.indexOf(to) === (shift + 1) % FAKE_DIALECTS.length)
    .map(([by, to]) => ({ client, by, to })),
);

describe('two gateways', () => {
  test.each(CHAINS)(
    '$client to a gateway by $by to $to: state comes home and the prefix stays',
    async ({ client, by, to }) => {
      const backend = backends[to];
      backend.reset();
      const session = createSession(client, outer.url, { model: `${by}-${to}`, tools: [LOOK], reasoning: true });
      await talk(session, backend);
      expect(backend.requests.map(stateIn)).toEqual([0, 1, 2, 3]);
      expect(backend.requests.filter(({ raw }) => raw.includes('ilingua1'))).toEqual([]);
      expect(growth(to, backend.requests).filter((found) => found !== undefined)).toEqual([]);
    },
  );
});

describe('one session and all backends', () => {
  test.each(SHORT ? FAKE_DIALECTS.slice(0, 2) : FAKE_DIALECTS)(
    'a client of %s: away and back, with a gateway more and one less',
    async (client) => {
      const session = createSession(client, switching.url, {
        model: 'direct-messages',
        tools: [LOOK],
        reasoning: true,
      });
      const order = [
        'direct-messages',
        'direct-generateContent',
        'direct-messages',
        'direct-chatCompletions',
        'direct-responses',
        'responses-generateContent',
        'direct-messages',
        'messages-responses',
        'generateContent-chatCompletions',
        'chatCompletions-messages',
        'direct-generateContent',
      ];
      for (const model of order) {
        const to = FAKE_DIALECTS.find((dialect) => model.endsWith(dialect)) ?? 'messages';
        backends[to].reset();
        await talk(session, backends[to], model);
        expect(backends[to].requests.filter(({ raw }) => raw.includes('ilingua1'))).toEqual([]);
      }
    },
  );
});
