import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CanonicalError,
  type DialectId,
  dialectIds,
  dialects,
  type EncodedError,
} from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../../support/corpus.js';
import { runs } from '../runs.js';
import { maybe, texts, words } from '../values.js';
import { sprinkled, sprinkles } from './sprinkle.js';

const statuses = fc.constantFrom(400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 499, 500, 502, 503, 504, 529);

const messages = fc.oneof(texts, words, fc.constantFrom('prompt is too long: 9 tokens > 8 maximum', 'model: gone'));

/** Error bodies as services send them, and as they should not. */
const BODIES: Record<DialectId, fc.Arbitrary<unknown>> = {
  messages: fc.record({
    type: fc.constant('error'),
    error: fc.record({
      type: fc.constantFrom(
        'invalid_request_error',
        'rate_limit_error',
        'overloaded_error',
        'api_error',
        'new_error',
        'constructor',
      ),
      message: messages,
    }),
    request_id: maybe(words),
  }),
  responses: fc.record({
    error: fc.record({
      message: messages,
      type: fc.constantFrom('invalid_request_error', 'insufficient_quota', 'server_error', 'new_error', 'constructor'),
      param: fc.option(fc.constantFrom('model', 'input[0].content')),
      code: fc.option(
        fc.constantFrom(
          'model_not_found',
          'context_length_exceeded',
          'invalid_prompt',
          'invalid_api_key',
          'rate_limit_exceeded',
          'insufficient_quota',
          'server_is_overloaded',
          'new_code',
          'constructor',
          '__proto__',
        ),
      ),
    }),
  }),
  generateContent: fc.record({
    error: fc.record({
      code: statuses,
      message: messages,
      status: fc.constantFrom(
        'INVALID_ARGUMENT',
        'RESOURCE_EXHAUSTED',
        'UNAVAILABLE',
        'NOT_FOUND',
        'INTERNAL',
        'NEW',
        'constructor',
      ),
      details: maybe(
        fc.constantFrom(
          [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }],
          [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
          [],
        ),
      ),
    }),
  }),
};

/** An error read, written and read again by one dialect. */
function twice(dialect: DialectId, status: number, body: unknown) {
  const { decodeError, encodeError } = dialects[dialect];
  const read = decodeError(status, body, {});
  const written = encodeError(read, {});
  const again = decodeError(written.status, JSON.parse(JSON.stringify(written.body)), written.headers);
  return { read, written, again };
}

function encodeAgain(dialect: DialectId, error: CanonicalError): EncodedError {
  return dialects[dialect].encodeError(error, {});
}

describe('an error of one dialect, read and written again', () => {
  test.each(dialectIds)('%s: says the same, whatever else its body holds', (dialect) => {
    fc.assert(
      fc.property(statuses, BODIES[dialect], sprinkles, (status, body, list) => {
        const { read, written, again } = twice(
          dialect,
          status,
          sprinkled(body, list, () => false),
        );
        // Code, field and advice may become those that the kind has (translation.md 7.1, 9.35).
        expect([again.kind, again.message]).toEqual([read.kind, read.message]);
        expect(encodeAgain(dialect, again)).toEqual(written);
      }),
      { numRuns: runs(200) },
    );
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(dialectIds)(`%s: recordings keep status and words ${corpusPresent ? '' : CORPUS_ABSENT}`, (dialect) => {
    for (const { name, status, response } of recordedExchanges(dialect)) {
      if (status === 200 || !isObject(response) || !isObject(response.error)) continue;
      const { written } = twice(dialect, status, response);
      const error: unknown = written.body.error;
      const { type, param, code } = response.error;
      expect({ name, status: written.status, error }).toMatchObject({
        name,
        status,
        error: dialect === 'responses' ? { type, param, code } : dialect === 'messages' ? { type } : { code },
      });
    }
  });
});
