import { describe, expect, test } from '@jest/globals';
import { findProblems, type JsonObject } from '../../../src/simulator/rules/index.js';
import type { DialectId } from '../../../translators/index.js';
import { WIRES } from '../answers.js';
import { FAKE_DIALECTS, type Reply, startFakeBackend } from '../fake-backend/index.js';
import { ASK } from '../gateway/harness.js';
import { ANSWERS } from '../support-table/rows.js';
import { call, text } from './wire.js';

/** What in an answer no service says, by the description of its wire. */
function faults(dialect: DialectId, answer: unknown): string[] {
  const problems = findProblems(answer as JsonObject, 'Answer', { shapes: WIRES[dialect].shapes.heard });
  return problems.map(({ kind, path, expected }) => `${kind} ${path.join('/')} ${expected.join()}`);
}

const HEAD = { 'anthropic-version': '2023-06-01' };

describe('the description of a wire holds for the answers that tests are made of', () => {
  test.each(FAKE_DIALECTS)('%s: what it says itself', (dialect) => {
    const said = [
      { kind: 'thought', text: 'Hm.', state: 'c2ln' } as const,
      text('Hi.'),
      call('call_1', 'look', '{"a":1}'),
    ];
    expect(faults(dialect, WIRES[dialect].say(said))).toEqual([]);
  });

  const replies: readonly Reply[] = [
    { kind: 'text', text: 'Hi.', reasoning: ['Hm.'] },
    { kind: 'calls', calls: [{ name: 'look', arguments: { a: 1 } }], reasoning: ['Hm.'] },
  ];
  test.each(FAKE_DIALECTS)('%s: what a fake of the service answers', async (dialect) => {
    const fake = await startFakeBackend(dialect, { strict: false });
    try {
      for (const reply of replies) {
        fake.script(reply);
        const { path, body } = ASK[dialect]('m');
        const answer = await fetch(fake.url + path, { method: 'POST', headers: HEAD, body: JSON.stringify(body) });
        expect(faults(dialect, await answer.json())).toEqual([]);
      }
    } finally {
      await fake.close();
    }
  });

  test.each(FAKE_DIALECTS)('%s: the rows of docs/features.md', (dialect) => {
    const answers = ANSWERS.flatMap(({ rows }) => rows.flatMap(({ says }) => says[dialect] ?? []));
    expect([...new Set(answers.flatMap((answer) => faults(dialect, answer)))]).toEqual([]);
  });
});
