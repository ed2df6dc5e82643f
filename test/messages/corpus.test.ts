import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import { messages } from '../../translators/messages/index.js';
import { CORPUS_ABSENT, corpusPresent, recordedText } from '../support/corpus.js';
import { into } from '../support/events.js';
import { share } from '../support/runs.js';

const all = recordedText('messages');
const requests = all.filter(({ request }) => request !== undefined);
const answers = all.filter(
  ({ response, operation, status }) => response !== undefined && operation === 'create' && status === 200,
);
const streams = all.filter(({ stream }) => stream !== undefined);
const over = corpusPresent ? describe : describe.skip;

function decodeAll(chunks: Iterable<string | Uint8Array>): StreamEvent[] {
  const events: StreamEvent[] = [];
  const decoder = messages.createStreamDecoder({ losses: createLosses(), domain: 'd' }, into(events));
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return events;
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** State and arguments compare by what they say: the order of keys in them is free. */
function opened(response: CanonicalResponse | undefined): unknown {
  return response?.parts.map((part) => ({
    ...part,
    ...(part.kind === 'call' && { args: part.args.value }),
    state: part.state?.map((entry) => ({ ...entry, payload: JSON.parse(entry.payload) })),
  }));
}

over(`recorded traffic ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(requests.map((one) => [one.name, one] as const))(
    'request %s is printed as it came',
    (_name, { request, operation }) => {
      const losses = createLosses();
      const decoded = messages.decodeRequest(request, { losses, counting: operation !== 'create' });
      const encoded = messages.encodeRequest(decoded, {
        losses,
        target: messages.target(decoded.model),
        domain: 'd',
      });
      expect(encoded.body).toEqual(request);
      expect(losses.list).toEqual([]);
    },
  );

  test.each(answers.map((one) => [one.name, one] as const))(
    'answer %s is printed as it came',
    (_name, { response }) => {
      const losses = createLosses();
      const decoded = messages.decodeResponse(response, { losses, domain: 'd' });
      expect(messages.encodeResponse(decoded, { losses, now: 0, nonce: '' })).toEqual(response);
    },
  );

  test.each(share(streams).map((one) => [one.name, one] as const))(
    'stream %s ends well, whatever the chunks',
    (_name, { stream }) => {
      const bytes = new TextEncoder().encode(stream);
      const whole = decodeAll([bytes]);
      expect(whole.at(-1)?.type).toBe('end');
      expect(decodeAll(pieces(bytes, 1))).toEqual(whole);
      expect(decodeAll(pieces(bytes, 7))).toEqual(whole);
      expect(decodeAll([(stream ?? '').replaceAll('\n', '\r\n')])).toEqual(whole);
    },
  );

  test.each(share(streams, 1).map((one) => [one.name, one] as const))(
    'stream %s, cut anywhere before its end, is an error',
    (_name, { stream = '' }) => {
      const finish = stream.indexOf('event: message_delta');
      // Every 50th byte of what is short; long streams are cut 400 times.
      const step = Math.max(50, Math.ceil(finish / 400));
      for (let at = 0; at < finish; at += step) expect(decodeAll([stream.slice(0, at)]).at(-1)?.type).toBe('error');
    },
  );

  test.each(share(streams, 2).map((one) => [one.name, one] as const))(
    'stream %s survives its own dialect',
    (_name, { stream = '' }) => {
      const first = createFold('messages');
      const events = decodeAll([stream]);
      events.forEach(first.sink);
      const encoder = messages.createStreamEncoder({ losses: createLosses(), now: 0, nonce: '' });
      const again = createFold('messages');
      decodeAll([events.map((event) => encoder.encode(event)).join('')]).forEach(again.sink);
      expect(again.error).toBeUndefined();
      expect(opened(again.response)).toEqual(opened(first.response));
    },
  );
});
