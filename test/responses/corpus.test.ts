import { describe, expect, test } from '@jest/globals';
import { TranslationError } from '../../translators/canonical/errors.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import { responses } from '../../translators/responses/index.js';
import { isObject } from '../../translators/wire/json.js';
import { CORPUS_ABSENT, recordedExchanges } from '../support/corpus.js';
import { into } from '../support/events.js';
import { SHORT, share } from '../support/runs.js';

const corpus = recordedExchanges('responses').map((recorded) => ({ ...recorded, stream: recorded.stream?.toString() }));
/** Places at which each stream is cut. */
const CUTS = SHORT ? 40 : 400;
const losses = createLosses();
const decoding = { losses, domain: 'test' };
const encoding = { losses, now: 0, nonce: '' };

function decodeStream(chunks: readonly (string | Uint8Array)[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const decoder = responses.createStreamDecoder(decoding, into(events));
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return events;
}

if (corpus.length === 0) {
  test.skip(`recorded exchanges ${CORPUS_ABSENT}`, () => {});
} else {
  describe('recorded requests', () => {
    for (const { name, operation, request } of corpus) {
      if (request === undefined || (operation !== 'create' && operation !== 'count_tokens')) continue;
      test(name, () => {
        const before = JSON.stringify(request);
        const decoded = responses.decodeRequest(request, { losses, counting: operation === 'count_tokens' });
        const encoded = responses.encodeRequest(decoded, { losses, target: responses.target('x'), domain: 'test' });
        expect(encoded.body).toEqual(request);
        expect(JSON.stringify(request)).toBe(before);
      });
    }
  });

  describe('recorded answers', () => {
    for (const { name, status, response } of corpus) {
      if (!isObject(response) || response.object !== 'response' || status !== 200) continue;
      test(name, () => {
        const decoded = responses.decodeResponse(response, decoding);
        expect(responses.encodeResponse(decoded, encoding)).toEqual(response);
      });
    }
  });

  describe('recorded streams', () => {
    const streams = corpus.filter(({ stream }) => stream !== undefined);
    for (const { name, stream = '' } of share(streams)) {
      test(name, () => {
        const events = decodeStream([stream]);
        expect(events[0]?.type).toBe('start');
        expect(events.filter((event) => event.type === 'opaque')).toEqual([]);
        const bytes = new TextEncoder().encode(stream);
        expect(decodeStream(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(events);
        const last = events.at(-1);
        const fold = createFold('responses');
        events.forEach(fold.sink);
        if (last?.type === 'error') {
          expect(stream).toContain('event: error');
          return;
        }
        expect(last?.type).toBe('end');
        const whole = responses.decodeResponse(wholeAnswer(stream), decoding);
        expect(comparable(fold.response?.parts)).toEqual(comparable(whole.parts));
        expect(fold.response?.finish).toEqual(whole.finish);
        expect(fold.response?.usage).toEqual(whole.usage);
        const printed = responses.encodeResponse({ ...whole, ...fold.response }, encoding);
        const direct = responses.encodeResponse(whole, encoding);
        expect(new Set(Array.from(Object(printed.output)))).toEqual(new Set(Array.from(Object(direct.output))));
      });

      test(`${name}, cut`, () => {
        const end = stream.search(
          /^event: (response\.(completed|incomplete|failed)|error)\b|^data: .*"type":\s*"(response\.(completed|incomplete|failed)|error)"/m,
        );
        for (let at = 0; at < end; at += Math.max(50, Math.floor(end / CUTS))) {
          const last = decodeStream([stream.slice(0, at)]).at(-1);
          expect(last?.type).toBe('error');
        }
      });
    }
  });
}

/** The answer that a stream tells item by item; recordings whose terminal event says something else exist. */
function wholeAnswer(stream: string): JsonObject {
  const output = new Map<number, JsonObject>();
  let response: JsonObject = {};
  for (const line of stream.split(/\r?\n/)) {
    if (!line.startsWith('data:') || line.includes('[DONE]')) continue;
    const event = JSON.parse(line.slice(5));
    if (event.type === 'response.output_item.added' || event.type === 'response.output_item.done') {
      output.set(event.output_index, event.item);
    }
    if (event.response !== undefined) response = event.response;
    if (event.type === 'response.completed') break;
  }
  const told = [...output.keys()].sort((a, b) => a - b).map((index) => output.get(index));
  const ids = new Set(told.map((item) => item?.id));
  const final: JsonObject[] = Array.isArray(response.output) ? response.output : [];
  const patched = told.map(
    (item) => (item?.type === 'mcp_list_tools' ? final.find(({ id }) => id === item.id) : undefined) ?? item,
  );
  return { ...response, output: [...patched, ...final.filter((item) => !ids.has(item.id))] };
}

/** Without places, which are the stream's, and with items counted in their order: some recordings end them in another. */
function comparable(parts: unknown): unknown {
  const items: number[] = [];
  const count = (item: number): number => (items.includes(item) ? items.indexOf(item) : items.push(item) - 1);
  const list = Array.isArray(parts) ? [...parts].sort((a, b) => a.item - b.item) : parts;
  return JSON.parse(
    JSON.stringify(list, (key, value) =>
      key === 'src' ? undefined : key === 'item' && typeof value === 'number' ? count(value) : value,
    ),
  );
}

test('an error body is told as the error it is', () => {
  const body = { error: { message: 'no', type: 'invalid_request_error', param: null, code: null } };
  expect(() => responses.decodeResponse(body, decoding)).toThrow(TranslationError);
});
