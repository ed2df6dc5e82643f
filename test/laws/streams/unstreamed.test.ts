import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { TranslationError, translateResponse } from '../../../translators/index.js';
import { decodeCarrier } from '../../../translators/wire/carrier.js';
import { parseJson } from '../../../translators/wire/json.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { has } from '../dialects/index.js';
import { CONTEXT, folded } from './both-ways.js';
import { streamsOf } from './generate/index.js';
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
        const { bytes, whole } = stream;
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
 * Some chunks count as they go, and their empty parts count in the ids of calls that came without. State is compared by
 * what it says: fragments of an object come in another order than its members.
 */
function comparable(from: DialectId, answer: Wire | string): unknown {
  if (typeof answer === 'string') return answer;
  const text = JSON.stringify(answer);
  if (!has(from, 'countingChunks')) return opened(text);
  const {
    usage: _usage,
    service_tier: _tier,
    ...said
  } = Object(opened(text.replace(/srvtoolu_il[a-z2-7]{20}/g, 'id')));
  return said;
}

function opened(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key === 'arguments') return jsonIn(value);
    if (!value.startsWith('ilingua1')) return value;
    return decodeCarrier(value)?.entries.map(({ payload, ...entry }) => ({ ...entry, payload: jsonIn(payload) }));
  });
}

/** The value that a text is as JSON; the text where it is none. */
function jsonIn(text: string): unknown {
  const parsed = parseJson(text === '' ? '{}' : text);
  return parsed.ok ? parsed.value : text;
}
