import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { crossPairsOf } from '../support/pairs.js';
import { share } from '../support/runs.js';
import type { ToolSpec } from '../support/sessions/index.js';
import { DIALECTS, openStage, type Stage } from './stage.js';
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

const MOVES = DIALECTS.flatMap((client, turn) => {
  const all = crossPairsOf(DIALECTS).flatMap(([from, to]) =>
    [false, true].map((stream) => ({ client, from, to, stream })),
  );
  return share(all, turn);
});

const TITLE = '$client client, from $from to $to, stream: $stream';

/**
 * A conversation that changes the model in the middle of a tool loop, as fallbacks and users do: the state of one
 * backend never reaches another, which would refuse it, and is there when the conversation comes back (hard case RSN-03).
 */
describe('a conversation with reasoning moves to a backend of another dialect', () => {
  test.each(MOVES.filter(({ client, to }) => client !== to))(TITLE, async (move) => {
    await begin(move);
    expect(statesAt(move.to)).toEqual([0, 1]);
  });

  const through = MOVES.filter(({ client, from, to }) => client !== from && client !== to);
  test.each(through)(`${TITLE}, and back`, async (move) => {
    const session = await begin(move);
    session.user('And now?');
    const { stream, from, to } = move;
    await expect(session.send({ stream, model: `via-${from}` })).resolves.toMatchObject({ text: 'Back again.' });
    expect(statesAt(to)).toEqual([0, 1]);
    expect(statesAt(from)).toEqual([0, 1]);
  });
});

/** The relay hands on every byte but the carriers that this gateway made of the other backend's state. */
describe('a conversation with reasoning moves to a backend of the client’s own dialect', () => {
  test.each(MOVES.filter(({ client, to }) => client === to))(TITLE, async (move) => {
    await begin(move);
    expect(statesAt(move.to)).toEqual([0, 1]);
  });
});

interface Move {
  readonly client: FakeDialectName;
  readonly from: FakeDialectName;
  readonly to: FakeDialectName;
  readonly stream: boolean;
}

/** Begins a tool loop with one backend and goes on with the other until the answer is there. */
async function begin({ client, from, to, stream }: Move) {
  const calls = (path: string) =>
    ({
      kind: 'reasoning+calls',
      reasoning: `Read ${path}.`,
      calls: [{ name: 'read_file', arguments: { path } }],
    }) as const;
  stage.backends[from].script([calls('a.ts'), { kind: 'text', text: 'Back again.' }]);
  stage.backends[to].script([calls('b.ts'), { kind: 'text', text: 'Read.' }]);
  const session = stage.session(client, { model: `via-${to}`, tools: [READ], reasoning: true });
  session.user('Begin.');
  for (const place of [from, to]) {
    const turn = await session.send({ stream, model: `via-${place}` });
    expect(turn.finish).toBe('calls');
    session.results(turn.calls.map(({ id, name }) => ({ id, name, output: 'text' })));
  }
  await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Read.', finish: 'end' });
  return session;
}

/** How many pieces of state each request to a backend held. */
function statesAt(backend: FakeDialectName): number[] {
  return stage.backends[backend].requests.map((request) => viewOf(backend, request, 'states').length);
}
