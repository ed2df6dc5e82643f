import { expect, test } from '@jest/globals';
import { assignCallIds } from '../../translators/adapt/ids.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalRequest, Turn } from '../../translators/canonical/request.js';

const ONE = { pattern: /^[A-Za-z0-9]$/, alphanumerics: 1 };

/** Turns with one call and its result each. */
const turns = (ids: readonly string[]): Turn[] =>
  ids.flatMap((callId, at): Turn[] => [
    { role: 'assistant', parts: [{ kind: 'call', callId, name: 'f', args: {}, src: { ptr: `/${at}` } }] },
    { role: 'user', parts: [{ kind: 'result', callId, parts: [], src: { ptr: `/${at}` } }] },
  ]);

const request = (ids: readonly string[]): CanonicalRequest => ({
  source: 'messages',
  model: 'm',
  stream: false,
  instructions: [],
  turns: turns(ids),
  tools: [],
});

test('substitutes that meet by chance step aside, and each result keeps to its call', () => {
  const given = request(Array.from({ length: 20 }, (_, at) => `toolu_${at}`));
  const ids = assignCallIds(given, ONE, createLosses());
  const seen = given.turns.map(({ parts }) => ids.apply(parts).map((part) => ('callId' in part ? part.callId : '')));
  const calls = seen.filter((_, at) => at % 2 === 0).flat();
  const results = seen.filter((_, at) => at % 2 === 1).flat();
  expect(new Set(calls).size).toBe(20);
  expect(calls.every((id) => ONE.pattern.test(id))).toBe(true);
  expect(results).toEqual(calls);
});

test('the same id has the same substitute whatever comes behind it', () => {
  const substitute = (ids: readonly string[]) => {
    const given = request(ids);
    return assignCallIds(given, ONE, createLosses()).apply(given.turns[0]?.parts ?? []);
  };
  expect(substitute(['toolu_1', 'toolu_2'])).toEqual(substitute(['toolu_1']));
});
