import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type DialectId,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, isRecorded, recordedExchanges } from '../../support/corpus.js';
import { TRIED } from '../../support/pairs.js';
import { runs } from '../../support/runs.js';
import { sprinkled, sprinkles } from './sprinkle.js';

const suite = corpusPresent ? describe : describe.skip;

function recorded(dialect: DialectId, what: 'request' | 'response') {
  return recordedExchanges(dialect).filter(
    (exchange) =>
      exchange.status === 200 &&
      ['create', 'generate', 'stream'].includes(exchange.operation) &&
      isObject(exchange[what]),
  );
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function answerAgain(dialect: DialectId, body: unknown): unknown {
  return asJson(encodeResponse(dialect, decodeResponse(dialect, body).value).value);
}

function requestAgain(dialect: DialectId, body: unknown): unknown {
  const model = Reflect.get(Object(body), 'model') === undefined ? 'm' : undefined;
  const { value } = decodeRequest(dialect, body, { model, stream: false });
  return asJson(encodeRequest(dialect, value).value);
}

/** Maps from names to texts take no other values: the service refuses them too ([R §2.6]). */
const isClosed = (pointer: string): boolean => pointer.endsWith('/headers');

suite(`a body of one dialect, read and written again ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  for (const dialect of TRIED) {
    const law = isRecorded(dialect) ? test : test.skip;

    law(`${dialect}: an answer keeps every key that nobody knows`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...recorded(dialect, 'response')), sprinkles, ({ response }, list) => {
          const body = asJson(sprinkled(response, list, isClosed));
          expect(answerAgain(dialect, body)).toEqual(body);
        }),
        { numRuns: runs(120) },
      );
    });

    law(`${dialect}: a request keeps every key that nobody knows`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...recorded(dialect, 'request')), sprinkles, ({ request }, list) => {
          const body = asJson(sprinkled(request, list, isClosed));
          expect(requestAgain(dialect, body)).toEqual(body);
        }),
        { numRuns: runs(120) },
      );
    });
  }

  test('no body reaches what all objects share', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    requestAgain(
      'messages',
      JSON.parse('{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}],"__proto__":{"x":1}}'),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
