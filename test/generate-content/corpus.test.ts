import { describe, expect, test } from '@jest/globals';
import { createLosses } from '../../translators/canonical/loss.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { CORPUS_ABSENT } from '../support/corpus.js';
import { share } from '../support/runs.js';
import { decode, decodeContext, fold, readStream, recordings, responseContext } from './support.js';

/** What the tests look at in a chunk. */
interface Chunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly ChunkPart[] } }[];
}

interface ChunkPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
}

const all = recordings();
const cases = all.length > 0 ? describe : describe.skip;
const absent = all.length > 0 ? '' : CORPUS_ABSENT;

const requests = all.filter(({ request, operation }) => request !== undefined && operation !== 'count_tokens');
const answers = all.filter(
  ({ response, operation, status }) => response !== undefined && operation === 'generate' && status === 200,
);
const streams = all.flatMap(({ name, stream, response, status }) => {
  const body = stream ?? (Array.isArray(response) ? JSON.stringify(response, null, 2) : undefined);
  return body === undefined || status !== 200 ? [] : [{ name, body }];
});

cases(`recorded requests ${absent}`, () => {
  test.each(requests)('$name is printed as it came', ({ request, model }) => {
    const before = JSON.stringify(request);
    const decoded = decode(request);
    const context = { losses: createLosses(), target: generateContent.target(model), domain: 'test' };
    expect(generateContent.encodeRequest(decoded, context).body).toEqual(request);
    expect(JSON.stringify(request)).toBe(before);
  });
});

cases(`recorded answers ${absent}`, () => {
  test.each(answers)('$name is printed as it came', ({ response }) => {
    const before = JSON.stringify(response);
    const decoded = generateContent.decodeResponse(response, decodeContext);
    expect(generateContent.encodeResponse(decoded, responseContext())).toEqual(response);
    expect(JSON.stringify(response)).toBe(before);
  });
});

cases(`recorded streams ${absent}`, () => {
  test.each(share(streams))('$name gives the same events however it is cut', ({ body }) => {
    const events = readStream(body);
    expect(events.at(-1)?.type).toBe('end');
    expect(readStream(body, 1)).toEqual(events);
    expect(readStream(body, 7)).toEqual(events);
  });

  test.each(share(streams, 1))('$name never ends well when its finish is cut off', ({ body }) => {
    const finish =
      body.lastIndexOf('"finishReason"') === -1 ? body.lastIndexOf('"blockReason"') : body.indexOf('"finishReason"');
    for (let at = 0; at < finish; at += 50) {
      const events = readStream(body.slice(0, at));
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'upstream' } });
    }
  });

  test.each(streams)('$name keeps the order of events', ({ body }) => {
    const open = new Set<number>();
    let next = 0;
    readStream(body).forEach((event, index) => {
      if (index === 0) expect(event.type).toBe('start');
      if (event.type === 'part.start') {
        expect(event.ix).toBe(next);
        next += 1;
        open.add(event.ix);
      } else if (event.type === 'part.delta') {
        expect(open.has(event.ix)).toBe(true);
      } else if (event.type === 'part.end') {
        expect(open.delete(event.ix)).toBe(true);
      }
    });
    expect(open.size).toBe(0);
  });

  test.each(streams)('$name folds to what its chunks hold', ({ body }) => {
    const response = fold(readStream(body));
    const chunks: Chunk[] = body.startsWith('[')
      ? JSON.parse(body)
      : body
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => JSON.parse(line.slice(5)));
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    const text = parts.filter((part) => part.text !== undefined && part.thought !== true).map((part) => part.text);
    expect(response.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')).toBe(text.join(''));
    const signatures = parts.flatMap((part) => part.thoughtSignature ?? []);
    const state = JSON.stringify(response.parts.map((part) => part.state));
    for (const signature of signatures) expect(state).toContain(signature);
  });
});
