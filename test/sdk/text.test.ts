import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BACKEND_MODELS, GATEWAY_KEY, openStage, type Stage, WAY_TITLE, waysOf } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const TEXT = 'Grüezi! "Quoted", back\\slash,\nnew line\u2028separator, 👩‍👩‍👧 family, 𝄞 clef and 漢字 at the end.';
const PACE_MS = 40;

describe.each(waysOf(0))(WAY_TITLE, ({ client, backend, stream }) => {
  const model = `via-${backend}`;

  test('a conversation keeps its instructions, its order and every character', async () => {
    const fake = stage.backends[backend];
    fake.script([
      { kind: 'text', text: TEXT },
      { kind: 'text', text: 'And a second answer.' },
    ]);
    const session = stage.session(client, { model, system: 'Be brief. ✓' });
    session.user(`First question. ${TEXT}`);
    await expect(session.send({ stream })).resolves.toMatchObject({ text: TEXT, calls: [], finish: 'end' });
    session.user('Second question.');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'And a second answer.', finish: 'end' });

    expect(fake.requests).toHaveLength(2);
    expect(viewOf(backend, fake.requests[1], 'system')).toBe('Be brief. ✓');
    const said = textsIn(fake.requests[1]?.body).join('|');
    expect(said).toMatch(/First question\..*Grüezi.*Grüezi.*Second question\./s);
  });

  test('the backend gets its own model name and its own key, never the caller’s', async () => {
    const session = stage.session(client, { model });
    session.user('Hello.');
    await session.send({ stream });
    const [request] = stage.backends[backend].requests;
    const { headers, path, raw } = request ?? { headers: {}, path: '', raw: '' };
    expect(path + raw).toContain(BACKEND_MODELS[backend]);
    expect(JSON.stringify([headers, path, raw])).not.toContain(GATEWAY_KEY);
    expect(path + raw).not.toContain(model);
  });

  test('usage keeps its sums and its subsets', async () => {
    stage.backends[backend].script({
      kind: 'text',
      text: 'Counted.',
      reasoning: 'Counting.',
      usage: { input: 1234, cached: 1000, output: 56, reasoning: 40 },
    });
    const session = stage.session(client, { model, reasoning: true });
    session.user('Count.');
    const { usage } = await session.send({ stream });
    expect(usage).toEqual({ input: 1234, cached: 1000, output: 56, reasoning: 40 });
  });

  if (stream) {
    test('text arrives in pieces, as it is written', async () => {
      const text = 'one two three four five six seven eight nine ten eleven twelve and once more up to twelve again';
      stage.backends[backend].script({ kind: 'text', text, paceMs: PACE_MS });
      const session = stage.session(client, { model });
      session.user('Count to twelve.');
      const { pieces } = await session.send({ stream });
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.length).toBeGreaterThanOrEqual(3);
      const [first, last] = [pieces[0], pieces.at(-1)];
      expect((last?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2 * PACE_MS);
    });
  }
});

/** Every text of a request body, in order. */
function textsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const isText = typeof value === 'string' && ['text', 'content', 'input'].includes(key);
    return isText ? [value] : textsIn(value);
  });
}
