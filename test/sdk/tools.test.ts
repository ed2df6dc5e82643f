import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { ToolSpec } from '../support/sessions/index.js';
import { openStage, type Stage, WAY_TITLE, waysOf } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const WEATHER: ToolSpec = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      units: { anyOf: [{ enum: ['metric', 'imperial'] }, { type: 'null' }] },
    },
    required: ['city'],
  },
};
const CLOCK: ToolSpec = { name: 'clock', description: 'Time of day', parameters: { type: 'object', properties: {} } };

/** Legal for the client's dialect and for none of the others, or only as an alias. */
const ODD_NAMES: Readonly<Record<FakeDialectName, string>> = {
  messages: `very_long_${'x'.repeat(100)}`,
  responses: '7-zip-archive',
  generateContent: 'files.read:line',
  chatCompletions: '7-zip-archive',
};

/** gpt-5 and gemini-3-pro think without being asked, and the latter wants the signatures of its calls back. */
const THOUGHTS = {
  messages: {},
  responses: { reasoning: 'Unasked.' },
  generateContent: { reasoning: 'Unasked.' },
  chatCompletions: { reasoning: 'Unasked.' },
} satisfies Readonly<Record<FakeDialectName, object>>;

const NONE = {
  messages: { type: 'none' },
  responses: 'none',
  generateContent: { mode: 'NONE' },
  chatCompletions: 'none',
};
const REQUIRED = {
  messages: { type: 'any' },
  responses: 'required',
  generateContent: { mode: 'ANY' },
  chatCompletions: 'required',
};
const FORCED = {
  messages: { type: 'tool', name: 'clock' },
  responses: { type: 'function', name: 'clock' },
  generateContent: { mode: 'ANY', allowedFunctionNames: ['clock'] },
  chatCompletions: { type: 'function', function: { name: 'clock' } },
};

describe.each(waysOf(1))(WAY_TITLE, ({ client, backend, stream }) => {
  const model = `via-${backend}`;

  test.each([{ order: 'the order of the calls' }, { order: 'another order' }])(
    'two parallel calls, results in $order',
    async ({ order }) => {
      const fake = stage.backends[backend];
      const wanted = [
        { name: 'weather', arguments: { city: 'Zürich', days: 3, units: null } },
        { name: 'weather', arguments: { city: 'São Paulo "SP"', nested: { list: [1, 2.5, true, ''] } } },
      ];
      fake.script([
        { kind: 'calls', text: 'I look it up.', calls: wanted, ...THOUGHTS[backend] },
        { kind: 'text', text: 'Both are fine.' },
        { kind: 'text', text: 'Gladly.' },
      ]);
      const session = stage.session(client, { model, tools: [WEATHER, CLOCK] });
      session.user('Compare the weather.');
      const asked = await session.send({ stream });
      expect(asked).toMatchObject({ text: 'I look it up.', finish: 'calls' });
      expect(asked.calls.map(({ name, args }) => ({ name, arguments: args }))).toEqual(wanted);
      expect(new Set(asked.calls.map(({ id }) => id)).size).toBe(2);

      const results = asked.calls.map(({ id, name }, index) => ({ id, name, output: `result ${index}` }));
      session.results(order === 'another order' ? results.toReversed() : results);
      await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Both are fine.', finish: 'end' });
      const seen = viewOf(backend, fake.requests[1], 'results');
      const answers = new Map(seen.map(({ id, text }) => [id, text]));
      expect([...answers.values()].toSorted()).toEqual(['result 0', 'result 1']);
      expect(results.map(({ id }) => answers.get(id))).toEqual(['result 0', 'result 1']);

      session.user('Thanks.');
      await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Gladly.' });
    },
  );

  test('a call without arguments, and a tool whose name the backend does not take', async () => {
    const fake = stage.backends[backend];
    const name = ODD_NAMES[client];
    fake.script((request) => {
      const [, odd = ''] = viewOf(backend, request, 'toolNames');
      return fake.requests.length === 1
        ? {
            kind: 'calls',
            calls: [{ name: 'clock' }, { name: odd, arguments: { city: 'Bern' } }],
            ...THOUGHTS[backend],
          }
        : { kind: 'text', text: 'Done.' };
    });
    const session = stage.session(client, { model, tools: [CLOCK, { ...WEATHER, name }] });
    session.user('Now?');
    const asked = await session.send({ stream });
    expect(asked.calls.map((call) => [call.name, call.args])).toEqual([
      ['clock', {}],
      [name, { city: 'Bern' }],
    ]);
    session.results(asked.calls.map((call) => ({ ...call, output: 'noon' })));
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Done.', finish: 'end' });
    const [first, second] = fake.requests;
    expect(viewOf(backend, second, 'toolNames')).toEqual(viewOf(backend, first, 'toolNames'));
  });

  test.each([
    { title: 'forbidden', toolChoice: 'none', said: NONE },
    { title: 'demanded', toolChoice: 'required', said: REQUIRED },
    { title: 'forced by name', toolChoice: { name: 'clock' }, said: FORCED },
  ] as const)('calls are $title', async ({ toolChoice, said }) => {
    const session = stage.session(client, { model, tools: [WEATHER, CLOCK], toolChoice });
    session.user('Go.');
    await session.send({ stream });
    expect(viewOf(backend, stage.backends[backend].requests[0], 'choice')).toEqual(said[backend]);
  });
});
