import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ToolSpec } from '../support/sessions/index.js';
import { openStage, type Stage, WAY_TITLE, waysOf } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const file = (path: string) => ({ name: 'read_file', arguments: { path } });

/**
 * The backends refuse state that they did not issue, that stands in another place, or (claude-sonnet-4-5, gemini-3-pro)
 * that is missing, so that a whole loop passes only with the state unaltered; that it was not left out is counted.
 */
describe.each(waysOf(2))(WAY_TITLE, ({ client, backend, stream }) => {
  // Chat completions has no field that asks for thoughts to be shown: they are where a backend shows them unasked.
  const shows = client !== 'chatCompletions' || backend === 'messages' || backend === 'chatCompletions';

  test('opaque state comes home over three steps of a tool loop and into the next question', async () => {
    const fake = stage.backends[backend];
    fake.script([
      { kind: 'reasoning+calls', reasoning: 'First, both files.', calls: [file('a.ts'), file('b.ts')] },
      { kind: 'reasoning+calls', reasoning: 'One more is needed.', calls: [file('c.ts')], text: 'A third one.' },
      { kind: 'reasoning+calls', reasoning: ['Last', 'of all.'], calls: [file('d.ts')] },
      { kind: 'text', text: 'All read.' },
      { kind: 'text', reasoning: 'Easy.', text: 'Four.' },
    ]);
    const session = stage.session(client, { model: `via-${backend}`, tools: [READ], reasoning: true });
    session.user('Read them all.');
    for (const words of ['First, both files.', 'One more is needed.', 'Last']) {
      const turn = await session.send({ stream });
      expect(turn.finish).toBe('calls');
      if (shows) expect(turn.reasoning).toContain(words);
      session.results(
        turn.calls.map(({ id, name, args }) => ({ id, name, output: `text of ${JSON.stringify(args)}` })),
      );
    }
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'All read.', finish: 'end' });
    session.user('How many files?');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Four.', finish: 'end' });

    const states = fake.requests.map((request) => viewOf(backend, request, 'states'));
    expect(states.map((list) => list.length)).toEqual([0, 1, 2, 3, 3]);
    for (const list of states) expect(list).toEqual(states[4]?.slice(0, list.length));
  });

  test('an answer that was thought over can be followed up', async () => {
    const fake = stage.backends[backend];
    fake.script([
      { kind: 'text', reasoning: ['Six', 'times seven.'], text: 'It is 42.' },
      { kind: 'text', text: 'Still 42.' },
    ]);
    const session = stage.session(client, { model: `via-${backend}`, reasoning: true });
    session.user('What is the answer?');
    const first = await session.send({ stream });
    expect(first).toMatchObject({ text: 'It is 42.', finish: 'end' });
    if (shows) expect(first.reasoning).toMatch(/Six\s+times seven\./);
    session.user('Sure?');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Still 42.' });
    // Trailing state has no place in an answer that must end in text (translation.md 4.3).
    const trailing = client === 'messages' && backend === 'generateContent' && stream;
    // Without tools the messages of chat completions carry no state (translation.md 4.6).
    const carried = !trailing && (client !== 'chatCompletions' || backend === client);
    expect(viewOf(backend, fake.requests[1], 'states')).toHaveLength(carried ? 1 : 0);
  });
});
