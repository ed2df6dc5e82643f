import { describe, expect, test } from '@jest/globals';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { Fakes } from '../support/fakes.js';
import { describeError, type Session, type SessionOptions } from '../support/sessions/index.js';
import { WAY_TITLE, waysOf } from './stage.js';
import { viewOf } from './wire-view.js';

/** What conversations are held on: fakes, and what leads an official SDK to one of them. */
export interface Talking extends Pick<Fakes, 'backends'> {
  /** What the SDKs show as their key. */
  readonly callerKey: string;
  session(client: FakeDialectName, backend: FakeDialectName, options: Partial<SessionOptions>): Session;
}

const WEATHER = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** The conversations that every embedding holds over the ways of `turn`: text, a tool loop, a refusal, a stream that breaks off. */
export function describeConversations(over: string, turn: number, stage: () => Talking): void {
  describe.each(waysOf(turn))(`the official SDKs over ${over}: ${WAY_TITLE}`, ({ client, backend, stream }) => {
    test('a conversation', async () => {
      stage().backends[backend].script({
        kind: 'text',
        text: 'Grüezi 👩‍👩‍👧.',
        usage: { input: 1234, cached: 1000, output: 56 },
      });
      const session = stage().session(client, backend, { system: 'Be brief. ✓' });
      session.user('Hello.');
      const { text, finish, usage } = await session.send({ stream });
      expect([text, finish]).toEqual(['Grüezi 👩‍👩‍👧.', 'end']);
      expect(usage).toMatchObject({ input: 1234, cached: 1000, output: 56 });
      const [request] = stage().backends[backend].requests;
      expect(viewOf(backend, request, 'system')).toBe('Be brief. ✓');
      expect(JSON.stringify(request)).not.toContain(stage().callerKey);
    });

    test('a tool loop that reasons keeps its state', async () => {
      stage().backends[backend].script([
        {
          kind: 'reasoning+calls',
          reasoning: 'Look it up.',
          calls: [{ name: 'weather', arguments: { city: 'Bern' } }],
        },
        { kind: 'text', text: 'Snow.', reasoning: 'Simple.' },
      ]);
      const session = stage().session(client, backend, { tools: [WEATHER], reasoning: true });
      session.user('How is the weather?');
      const { calls, finish } = await session.send({ stream });
      expect(finish).toBe('calls');
      expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Bern' } }]);
      session.results(calls.map(({ id, name }) => ({ id, name, output: 'snow' })));
      await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Snow.', finish: 'end' });
      const last = stage().backends[backend].requests.at(-1);
      expect(viewOf(backend, last, 'results').map(({ text }) => text)).toEqual(['snow']);
      expect(viewOf(backend, last, 'states')).toHaveLength(1);
    });

    test('a refusal has its status and its words', async () => {
      stage().backends[backend].script({ kind: 'error', status: 429, message: 'Too many bananas.', retryAfter: 7 });
      const session = stage().session(client, backend, {});
      session.user('Hello.');
      const error = describeError(await session.send({ stream }).catch((thrown: unknown) => thrown));
      expect(error).toMatchObject({ status: 429 });
      expect(JSON.stringify(error)).toContain('Too many bananas.');
    });

    if (stream) {
      test('a stream that breaks off is an error', async () => {
        stage().backends[backend].script({ kind: 'cut', text: 'one two three four five six seven', reset: true });
        const session = stage().session(client, backend, {});
        session.user('Count.');
        await expect(session.send({ stream })).rejects.toThrow();
      });
    }
  });
}
