import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fromMessages, toMessages } from '../../src/fetch/dialects/messages.js';
import { fromResponses, toResponses } from '../../src/fetch/dialects/responses.js';
import { type CoreHandlerOptions, createHandler } from '../../src/handler/core.js';
import { BACKEND_KEY, BACKEND_MODELS, openFakes } from '../sdk/stage.js';
import type { Fakes } from '../support/fakes.js';
import { createSession } from '../support/sessions/index.js';

let fakes: Fakes;
beforeAll(async () => {
  fakes = await openFakes();
});
afterAll(() => fakes.close());
beforeEach(() => fakes.reset());

const SIDES = {
  messages: { from: fromMessages, to: toMessages },
  responses: { from: fromResponses, to: toResponses },
} as const;
type Side = keyof typeof SIDES;

function optionsOf(client: Side, backend: Side): CoreHandlerOptions {
  const { url } = fakes.backends[backend];
  return {
    from: [SIDES[client].from],
    to: [SIDES[backend].to],
    backends: { only: { dialect: backend, baseUrl: url, apiKey: BACKEND_KEY } },
    models: { '*': { backend: 'only', model: BACKEND_MODELS[backend] } },
    open: true,
  };
}

const WAYS: readonly (readonly [Side, Side, boolean])[] = [
  ['messages', 'responses', false],
  ['messages', 'responses', true],
  ['responses', 'messages', false],
  ['responses', 'messages', true],
];

test.each(WAYS)('a conversation of %s with %s, stream: %s', async (client, backend, stream) => {
  fakes.backends[backend].script({ kind: 'text', text: 'Grüezi.' });
  const handler = createHandler(optionsOf(client, backend));
  const session = createSession(client, 'http://handler.example', {
    model: 'any',
    apiKey: 'any',
    fetch: (input, init) => handler(new Request(input, init)),
  });
  session.user('Hello.');
  await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Grüezi.', finish: 'end' });
});

const post = (path: string, body: unknown): Request =>
  new Request(`http://handler.example${path}`, { method: 'POST', body: JSON.stringify(body) });

test('a call of another dialect is answered with what is missing', async () => {
  const response = await createHandler(optionsOf('messages', 'responses'))(
    post('/v1/chat/completions', { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }),
  );
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining('calls of chatCompletions are not served here, only those of messages'),
  ]);
});

test('an answer that is continued is not known', async () => {
  const response = await createHandler(optionsOf('responses', 'messages'))(
    post('/v1/responses', { model: 'any', input: 'Hello', previous_response_id: 'resp_1' }),
  );
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('previous_response_not_found'),
  ]);
  expect(fakes.backends.messages.requests).toEqual([]);
});

test.each<[string, (options: CoreHandlerOptions) => object]>([
  ['from: must hold dialects', (options) => ({ ...options, from: [] })],
  ['to: must hold dialects', (options) => ({ ...options, to: [fromMessages] })],
  ['from: must not hold responses', (options) => ({ ...options, from: [fromMessages, fromResponses] })],
  [
    'the half of messages for services is missing',
    (options) => ({ ...options, backends: { only: { preset: 'anthropic' } } }),
  ],
  ['store: unknown option', (options) => ({ ...options, store: {} })],
])('an option that cannot be meant is named: %s', (message, change) => {
  const options = change(optionsOf('messages', 'responses')) as CoreHandlerOptions;
  expect(() => createHandler(options)).toThrow(message);
});
