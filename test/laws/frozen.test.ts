import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeRequest,
  decodeResponse,
  dialectIds,
  encodeRequest,
  encodeResponse,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../support/pairs.js';
import { surely } from '../support/runs.js';
import { responses } from './answers/responses.js';
import { requests } from './honesty/requests.js';
import { DOMAINS, targetsOf } from './honesty/targets.js';

/** The value, with everything in it frozen: whoever changes it throws. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) frozen(child);
  return value;
}

/** What comes of some work; a refusal is an outcome, an attempt to change what was given is none. */
function outcome<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof TranslationError && !(thrown.cause instanceof TypeError)) return undefined;
    throw thrown;
  }
}

describe('hardening.md row 35: whatever is translated stays as it was', () => {
  /** How many requests were tried and translated on all pairs together: in the short run one pair has few. */
  const seen = { tried: 0, translated: 0 };

  test.each(CROSS_PAIRS)('requests, %s to %s', (from, to) => {
    fc.assert(
      fc.property(requests(from, DOMAINS), fc.constantFrom(...targetsOf(to)), (request, target) => {
        seen.tried += 1;
        const { model } = target;
        const encoded = outcome(() => encodeRequest(to, frozen(request), { model }));
        if (encoded === undefined) return;
        seen.translated += 1;
        const body = frozen(encoded.value);
        const asked = { model, stream: false } as const;
        const read = outcome(() => decodeRequest(to, body, asked));
        if (read === undefined) return;
        for (const next of dialectIds) {
          const direct = outcome(() => translateRequest({ from: to, to: next, body, ...asked }));
          const apart = outcome(() => encodeRequest(next, frozen(read.value), { model }));
          // Neither way has left anything behind for the other.
          expect(direct === undefined).toBe(apart === undefined);
        }
      }),
      { numRuns: runsOfPair(100) },
    );
  });

  // Of all requests 72 % are.
  test('and most of them were translated', () =>
    expect(seen.translated).toBeGreaterThanOrEqual(surely(seen.tried, 0.45)));

  test.each(CROSS_PAIRS)('answers, %s to %s', (from, to) => {
    fc.assert(
      fc.property(responses(from), (response) => {
        const encoded = outcome(() => encodeResponse(to, frozen(response), { model: 'm', now: 1, nonce: 'n' }));
        if (encoded === undefined) return;
        const body = frozen(encoded.value);
        outcome(() => decodeResponse(to, body));
        for (const next of dialectIds) outcome(() => translateResponse({ from: to, to: next, body }));
      }),
      { numRuns: runsOfPair(25) },
    );
  });

  test.each(CROSS_PAIRS)('errors, %s to %s', (from, to) => {
    const body = frozen({
      type: 'error',
      error: { type: 'x', code: 429, status: 'X', message: 'm', param: null, details: [{}] },
    });
    expect(
      translateError({ from, to, status: 429, body, headers: frozen({ 'retry-after': '3' }) }).status,
    ).toBeGreaterThan(399);
  });
});
