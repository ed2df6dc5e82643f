import { describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import { fateOf, misplaced } from '../support/fields/fate.js';
import { DOCUMENTED, FURTHER } from '../support/fields/index.js';
import { CROSS_PAIRS, partnersOf, TRIED } from '../support/pairs.js';
import { SHORT } from '../support/runs.js';
import { lawTableOf } from './dialects/index.js';

const GENERATIONS = tableOf('generations');

const NEUTRAL = lawTableOf('neutralFields');

const silentFields = new Map<string, readonly string[]>();

/** The fields of a dialect that vanish without a word on their way to some model. */
function silentFieldsOf(from: DialectId, to: DialectId): readonly string[] {
  const known = silentFields.get(`${from} ${to}`);
  if (known !== undefined) return known;
  const silent = GENERATIONS[to].flatMap((model) =>
    [...DOCUMENTED[from], ...FURTHER[from]].flatMap((documented) =>
      Object.keys(documented.fields)
        .filter((field) => fateOf(from, to, documented, field, model) === 'silent')
        .map((field) => `${documented.name}: ${field}`),
    ),
  );
  const found = [...new Set(silent)];
  silentFields.set(`${from} ${to}`, found);
  return found;
}

describe('every documented field of a request', () => {
  test.each(CROSS_PAIRS)('%s to %s: crosses, is reported or is refused', (from, to) => {
    const neutral = NEUTRAL[from];
    expect(silentFieldsOf(from, to).filter((field) => !neutral.includes(field))).toEqual([]);
  });

  test.each(CROSS_PAIRS)('%s to %s: what is lost of it is told at its own place', (from, to) => {
    const found = (SHORT ? GENERATIONS[to].slice(0, 1) : GENERATIONS[to]).flatMap((model) =>
      [...DOCUMENTED[from], ...FURTHER[from]].flatMap((documented) =>
        Object.keys(documented.fields).flatMap((field) =>
          misplaced(from, to, documented, field, model).map((what) => `${documented.name}: ${what} (${model})`),
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test.each(TRIED)('%s: what is excepted does vanish somewhere', (from) => {
    const silent = partnersOf(from).flatMap((to) => silentFieldsOf(from, to));
    const neutral = NEUTRAL[from];
    expect(neutral.filter((field) => !silent.includes(field))).toEqual([]);
  });
});
