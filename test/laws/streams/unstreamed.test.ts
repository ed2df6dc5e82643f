import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { TranslationError, translateResponse } from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { has } from '../dialects/index.js';
import { CONTEXT, folded } from './both-ways.js';
import { streamsOf } from './generate/index.js';
import { unstreamed } from './generate/unstreamed.js';
import type { Wire } from './generate/values.js';

/** A whole answer after translation, or the kind of its failure. */
function told(from: DialectId, to: DialectId, body: Wire): Wire | string {
  try {
    return JSON.parse(JSON.stringify(translateResponse({ from, to, body, ...CONTEXT }).body));
  } catch (thrown) {
    if (thrown instanceof TranslationError) return thrown.kind;
    throw thrown;
  }
}

describe('a folded stream is the answer the service would have given whole (translation.md 6.7)', () => {
  test.each(CROSS_PAIRS)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(streamsOf[from], (stream) => {
        fc.pre(!stream.interleaved);
        const { bytes } = stream;
        const whole = unstreamed[from](stream);
        fc.pre(whole !== undefined);
        const { body, failure } = folded(from, to, bytes);
        const answer = told(from, to, whole);
        if (failure !== undefined || body === undefined) expect(answer).toBe(failure);
        else expect(comparable(from, body)).toEqual(comparable(from, answer));
      }),
      { numRuns: runsOfPair(150) },
    );
  });
});

/**
 * What both ways can tell. The text of arguments is known of streams only: whole answers of two dialects hold objects.
 * Some chunks count as they go, and their empty parts count in the ids of calls that came without.
 */
function comparable(from: DialectId, answer: Wire | string): unknown {
  if (typeof answer === 'string') return answer;
  if (has(from, 'countingChunks')) {
    const { usage: _usage, ...said } = JSON.parse(JSON.stringify(answer).replace(/srvtoolu_il[a-z2-7]{20}/g, 'id'));
    return withObjects(said);
  }
  return withObjects(answer);
}

function withObjects(answer: Wire): Wire {
  if (!Array.isArray(answer.output)) return answer;
  const output = answer.output.map((item: Wire) =>
    typeof item.arguments === 'string' ? { ...item, arguments: JSON.parse(item.arguments || '{}') } : item,
  );
  return { ...answer, output };
}
