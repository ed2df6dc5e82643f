import { describe, expect, test } from '@jest/globals';
import { patternFault } from '../../src/protocol/loss-pattern.js';
import { refusedLosses, TranslationError, translateRequest } from '../../translators/index.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import { MODELS, REQUESTS } from '../support/support-table/index.js';

/** What a refusal advises to allow. */
function adviceOf({ message }: TranslationError): string[] {
  const [, patterns] = /; allow="([^"]+)" lets (?:it|them) go$/.exec(message) ?? [];
  if (patterns === undefined) throw new Error(`no advice in ${message}`);
  return patterns.split(' ');
}

describe('strict, over every row of the support table', () => {
  test.each(CROSS_PAIRS)('%s to %s: refuses what report would lose, by name, and its advice is good', (from, to) => {
    let refusals = 0;
    for (const { feature, says } of REQUESTS.flatMap(({ rows }) => rows)) {
      const body = says[from];
      if (body === undefined) continue;
      const ask = { from, to, body, model: MODELS[to], cutsStop: true };
      const reported = attempt(() => translateRequest(ask));
      const strict = attempt(() => translateRequest({ ...ask, strict: true }));
      if (reported instanceof TranslationError) {
        // What the matrix refuses is refused under every policy, in the same words.
        expect(strict).toMatchObject({ message: reported.message });
        continue;
      }
      const lost = refusedLosses(reported.losses);
      if (lost.length === 0) {
        expect({ [feature]: strict }).toEqual({ [feature]: reported });
        continue;
      }
      if (!(strict instanceof TranslationError)) throw new Error(`${feature} is not refused`);
      refusals += 1;
      expect(strict).toMatchObject({
        kind: 'unsupported',
        path: lost[0]?.path,
        refused: lost,
        losses: reported.losses,
      });
      for (const { path, kind } of lost.slice(0, 10)) {
        expect(strict.message).toContain(`${path} `);
        expect(strict.message).toContain(` ${kind}`);
      }
      const allow = adviceOf(strict);
      expect(allow.map(patternFault).filter((fault) => fault !== undefined)).toEqual([]);
      expect(translateRequest({ ...ask, strict: true, allow })).toEqual(reported);
    }
    expect(refusals).toBeGreaterThan(10);
  });
});

function attempt<T>(work: () => T): T | TranslationError {
  try {
    return work();
  } catch (error) {
    if (error instanceof TranslationError) return error;
    throw error;
  }
}
