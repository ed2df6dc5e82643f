import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createExchange, createLosses, type DialectId, dialects } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { type Fakes, startFakes } from '../support/fakes.js';
import { ASK, send, startGateway, type TestGateway } from '../support/gateway/harness.js';
import { ringOf } from '../support/pairs.js';
import { requestTo } from '../support/requests.js';
import { text } from '../support/wire/wire.js';

/** Large ordinary bodies are worked on in steps, between which others are served (attacks.md finding 18). */

const MODEL = tableOf('model');

const PICTURE = `${'iVBORw0KGgoAAAANSUhEUgAA'.padEnd(4_000_000, 'Ab3/')}`;
const TEXT = 'The quick "brown" fox\njumps over the lazy dög. '.repeat(85);
/** Texts of a user and a model in turn. */
const TURNS = Array.from({ length: 801 }, (_, index) => (index % 2 === 0 ? TEXT : { says: [text(TEXT)] }));

let started: Fakes;
let fakes: Fakes['backends'];
let gateway: TestGateway;

beforeAll(async () => {
  started = await startFakes(() => ({ strict: false }));
  fakes = started.backends;
  gateway = await startGateway({
    backends: Object.fromEntries(FAKE_DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: fakes[dialect].url }])),
    models: Object.fromEntries(FAKE_DIALECTS.map((id) => [`to-${id}`, { backend: id, model: MODEL[id] }])),
  });
});

beforeEach(() => started.reset());

afterAll(async () => {
  await gateway.close();
  await started.close();
});

/** What the library makes of a body, in one go. */
function translateText(text: string, client: DialectId, backend: FakeDialectName): string {
  const losses = createLosses();
  const body = JSON.parse(text);
  const model = `to-${backend}`;
  const request = dialects[client].decodeRequest(body, { losses, model, stream: false });
  const { sent } = createExchange({
    client: dialects[client],
    backend: dialects[backend],
    request: { ...request, model: MODEL[backend], stream: false },
    requestBody: body,
    requestedModel: model,
    target: dialects[backend].target(MODEL[backend], { host: new URL(fakes[backend].url).host }),
    domain: 'example.org',
    losses,
    now: 0,
    nonce: '0',
  });
  return JSON.stringify(sent.body);
}

describe.each(['picture', 'turns'] as const)('a large request (%s)', (parts) => {
  test.each(ringOf(FAKE_DIALECTS))(
    '%s to %s arrives byte by byte as the library prints it',
    async (client, backend) => {
      const turns = parts === 'turns' ? TURNS : [{ picture: PICTURE }];
      const { path, body } = requestTo(client, { model: `to-${backend}`, turns, stored: false });
      const answer = await send(gateway.url, path, { body });
      expect(answer.status).toBe(200);
      // Not compared by the matcher, which would print both.
      expect(fakes[backend].requests[0]?.raw === translateText(JSON.stringify(body), client, backend)).toBe(true);
    },
  );
});

test.each(ringOf(FAKE_DIALECTS))('a large answer from %s reaches %s whole', async (backend, client) => {
  const text = `${TEXT.repeat(400)}\u{1f600}`;
  fakes[backend].script({ kind: 'text', text });
  const { path, body } = ASK[client](`to-${backend}`);
  const answer = await send(gateway.url, path, { body });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body).includes(JSON.stringify(text).slice(1, -1))).toBe(true);
});
