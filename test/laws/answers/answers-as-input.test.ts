import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type DialectId,
  dialectIds,
  encodeResponse,
  type JsonObject,
  TranslationError,
  translateRequest,
} from '../../../translators/index.js';
import { runs } from '../../support/runs.js';
import { clientRequests } from './client-requests.js';
import { responses } from './responses.js';

/** The items of an answer as a client of the responses dialect is told it. */
function itemsOf(source: DialectId, drawn: Parameters<typeof encodeResponse>[1], request: JsonObject): JsonObject[] {
  try {
    const asked = { request, model: 'asked-for', now: 0, nonce: `law-${source}`, stream: false };
    const { value } = encodeResponse('responses', drawn, asked);
    const items: JsonObject[] = JSON.parse(JSON.stringify(value.output));
    // Who did not make it refuses it (translation.md 8): the conversation cannot go on elsewhere.
    return items.filter(({ type }) => type !== 'compaction');
  } catch (thrown) {
    if (thrown instanceof TranslationError) return [];
    throw thrown;
  }
}

const OTHERS = dialectIds.filter((id) => id !== 'responses');

/** What is answered is kept, and sent as input in the next turn: each target takes every item. */
describe.each(OTHERS)('what an answer of %s is told as', (source) => {
  test.each(dialectIds)('can be an input of the next turn to %s', (target) => {
    fc.assert(
      fc.property(responses(source), clientRequests('responses'), (drawn, request) => {
        const output = itemsOf(source, drawn, request);
        const question = { type: 'message', role: 'user', content: 'q' };
        const body = { model: 'm', input: [question, ...output, { ...question, content: 'on' }] };
        const refused = (() => {
          try {
            translateRequest({ from: 'responses', to: target, body });
            return undefined;
          } catch (thrown) {
            return thrown instanceof Error ? thrown.message : 'thrown';
          }
        })();
        expect([refused, refused === undefined ? [] : output]).toEqual([undefined, []]);
      }),
      { numRuns: runs(60) },
    );
  });
});
