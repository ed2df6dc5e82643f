import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openStage, type Stage, WAY_TITLE, waysOf } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const RECIPE_SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    minutes: { type: 'integer' },
    course: { type: 'string', enum: ['starter', 'main', 'dessert'] },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, optional: { type: 'boolean' } },
        required: ['text', 'optional'],
        additionalProperties: false,
      },
    },
  },
  required: ['title', 'minutes', 'course', 'steps'],
  additionalProperties: false,
};
const RECIPE = { title: 'Rösti', minutes: 40, course: 'main', steps: [{ text: 'Grate "coarsely".', optional: false }] };

describe.each(waysOf(1))(WAY_TITLE, ({ client, backend, stream }) => {
  const model = `via-${backend}`;
  const scripted = () => stage.backends[backend];
  const received = () => scripted().requests[0];

  test('structured output: the schema arrives, the answer is its JSON', async () => {
    scripted().script({ kind: 'json', value: RECIPE });
    const session = stage.session(client, { model, schema: RECIPE_SCHEMA });
    session.user('A recipe.');
    const turn = await session.send({ stream });
    expect(turn.finish).toBe('end');
    expect(JSON.parse(turn.text)).toEqual(RECIPE);
    expect(viewOf(backend, received(), 'schema')).toEqual(RECIPE_SCHEMA);
  });

  test('a picture arrives as it was, in front of the question', async () => {
    const session = stage.session(client, { model });
    session.user('What is this?', { mime: 'image/png', base64: PIXEL });
    await session.send({ stream });
    expect(viewOf(backend, received(), 'images')).toEqual([`image/png ${PIXEL}`]);
    expect(received()?.raw.indexOf(PIXEL)).toBeLessThan(received()?.raw.indexOf('What is this?') ?? 0);
  });

  test('a refusal is a refusal', async () => {
    scripted().script({ kind: 'refusal', text: 'I will not help with that.' });
    const session = stage.session(client, { model });
    session.user('Do something bad.');
    const turn = await session.send({ stream });
    expect(turn).toMatchObject({ finish: 'refusal', calls: [] });
    // A safety filter of generateContent has no words, and @google/genai leaves out `finishMessage`, where they would be.
    const wordless = backend === 'generateContent' || (client === 'generateContent' && backend === 'messages');
    if (!wordless) expect(turn.refusal ?? turn.text).toContain('I will not help with that.');
  });

  test('an answer cut by the token limit says so and keeps what there was', async () => {
    scripted().script({ kind: 'truncated', text: 'Once upon a time there was a' });
    const session = stage.session(client, { model, maxTokens: 600 });
    session.user('A long story.');
    const turn = await session.send({ stream });
    expect(turn).toMatchObject({ text: 'Once upon a time there was a', finish: 'length', calls: [] });
    expect(viewOf(backend, received(), 'cap')).toBe(600);
  });

  test('a call cut by the token limit does not look like a finished one', async () => {
    scripted().script({
      kind: 'truncated',
      text: 'I write it.',
      call: { name: 'save', cut: '{"path":"a.ts","text":"half' },
    });
    const tools = [
      {
        name: 'save',
        description: 'Saves a file',
        parameters: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
      },
    ];
    const session = stage.session(client, { model, tools, maxTokens: 600 });
    session.user('Save it.');
    const turn = await session.send({ stream });
    expect(turn).toMatchObject({ text: 'I write it.', finish: 'length' });
  });

  if (client !== 'responses') {
    test('a stop sequence ends the answer', async () => {
      const fake = scripted();
      // Where the backend has no stop sequences the gateway itself must stop.
      fake.script(
        backend === 'responses'
          ? { kind: 'text', text: 'Alpha beta gamma STOP delta epsilon.' }
          : { kind: 'text', text: 'Alpha beta gamma ', stopSequence: 'STOP' },
      );
      const session = stage.session(client, { model, stop: ['STOP', 'HALT'] });
      session.user('The alphabet.');
      const turn = await session.send({ stream });
      expect(turn.text).toBe('Alpha beta gamma ');
      // generateContent calls it STOP like every other end, as client and as backend.
      const told = client === 'messages' && backend !== 'generateContent';
      expect(turn.finish).toBe(told ? 'stop' : 'end');
      if (told) expect(turn.native).toMatchObject({ stop_sequence: 'STOP' });
      if (backend !== 'responses') expect(viewOf(backend, received(), 'stop')).toEqual(['STOP', 'HALT']);
    });
  }
});
