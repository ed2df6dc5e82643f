import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WAY_TITLE, waysOf } from '../sdk/stage.js';
import { viewOf } from '../sdk/wire-view.js';
import { describeError } from '../support/sessions/index.js';
import { BACKEND_KEY, CALLER_KEY, type HandlerStage, openHandlerStage } from './stage.js';

let stage: HandlerStage;
beforeAll(async () => {
  stage = await openHandlerStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const WEATHER = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe.each(waysOf(1))(`the official SDKs over the handler: ${WAY_TITLE}`, ({ client, backend, stream }) => {
  const model = `via-${backend}`;

  test('a conversation', async () => {
    stage.backends[backend].script({
      kind: 'text',
      text: 'Grüezi 👩‍👩‍👧.',
      usage: { input: 1234, cached: 1000, output: 56 },
    });
    const session = stage.session(client, { model, system: 'Be brief. ✓' });
    session.user('Hello.');
    const { text, finish, usage } = await session.send({ stream });
    expect([text, finish]).toEqual(['Grüezi 👩‍👩‍👧.', 'end']);
    expect(usage).toMatchObject({ input: 1234, cached: 1000, output: 56 });
    const [request] = stage.backends[backend].requests;
    expect(viewOf(backend, request, 'system')).toBe('Be brief. ✓');
    expect(JSON.stringify([request?.headers, request?.path, request?.raw])).not.toContain(CALLER_KEY);
  });

  test('a tool loop that reasons keeps its state', async () => {
    stage.backends[backend].script([
      { kind: 'reasoning+calls', reasoning: 'Look it up.', calls: [{ name: 'weather', arguments: { city: 'Bern' } }] },
      { kind: 'text', text: 'Snow.', reasoning: 'Simple.' },
    ]);
    const session = stage.session(client, { model, tools: [WEATHER], reasoning: true });
    session.user('How is the weather?');
    const { calls, finish } = await session.send({ stream });
    expect(finish).toBe('calls');
    expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Bern' } }]);
    session.results(calls.map(({ id, name }) => ({ id, name, output: 'snow' })));
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Snow.', finish: 'end' });
    const last = stage.backends[backend].requests.at(-1);
    expect(viewOf(backend, last, 'results').map(({ text }) => text)).toEqual(['snow']);
    expect(viewOf(backend, last, 'states')).toHaveLength(1);
  });

  test('a refusal has its status and its words', async () => {
    stage.backends[backend].script({ kind: 'error', status: 429, message: 'Too many bananas.', retryAfter: 7 });
    const session = stage.session(client, { model });
    session.user('Hello.');
    const error = describeError(await session.send({ stream }).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ status: 429 });
    expect(JSON.stringify(error)).toContain('Too many bananas.');
  });

  test('that the key of the handler is refused is no fault of the caller, who does not see it', async () => {
    const session = stage.session(client, { model: `locked-${backend}` });
    session.user('Hello.');
    const error = describeError(await session.send({ stream }).catch((thrown: unknown) => thrown));
    expect([502, 503]).toContain(error.status);
    expect(JSON.stringify(error)).not.toMatch(new RegExp(`nobody-accepts|${BACKEND_KEY}`));
  });

  if (stream) {
    test('a stream that breaks off is an error', async () => {
      stage.backends[backend].script({ kind: 'cut', text: 'one two three four five six seven', reset: true });
      const session = stage.session(client, { model });
      session.user('Count.');
      await expect(session.send({ stream })).rejects.toThrow();
    });
  }
});
