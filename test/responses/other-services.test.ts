import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createLosses } from '../../translators/canonical/loss.js';
import { dialects } from '../../translators/dialects.js';
import { responses } from '../../translators/responses/index.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../support/corpus.js';
import { share } from '../support/runs.js';
import { accumulate, answering, foldEvents, framesOf, writeStream } from './sdk.js';

const suite = corpusPresent ? describe : describe.skip;

suite(`recorded streams of other services, for the official client ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test('there are some', () => {
    expect(recordedExchanges('messages').some(({ stream }) => stream !== undefined)).toBe(true);
  });

  for (const dialect of ['messages', 'generateContent'] as const) {
    const streams = recordedExchanges(dialect).filter(({ stream }) => stream !== undefined);
    for (const { name, stream } of share(streams)) {
      test(`${dialect}: ${name}`, async () => {
        const events: StreamEvent[] = [];
        const decoder = dialects[dialect].createStreamDecoder({ losses: createLosses(), domain: 'far' }, (event) => {
          events.push(event);
        });
        decoder.push(String(stream));
        decoder.end();
        const text = writeStream(events, answering(), true);
        if (events.at(-1)?.type === 'error') {
          await expect(accumulate(text)).rejects.toThrow();
          return;
        }
        const plain = JSON.parse(JSON.stringify(responses.encodeResponse(foldEvents(events, dialect), answering())));
        expect(framesOf(text).at(-1)?.data.response).toEqual(plain);
        const { output_text: _text, ...accumulated } = await accumulate(text);
        expect(accumulated).toMatchObject({ id: plain.id, status: plain.status, usage: plain.usage });
      });
    }
  }
});
