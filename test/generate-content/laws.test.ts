import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Part } from '../../translators/canonical/content.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalResponse, FinishKind } from '../../translators/canonical/response.js';
import type { StateEntry } from '../../translators/canonical/state.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { CORPUS_ABSENT } from '../support/corpus.js';
import { hasPlainKeys } from '../support/plain-keys.js';
import { asStreamed, collect, eventsOf, joined } from './client.js';
import { decode, frames, readStream, recordings, responseContext, writeStream } from './support.js';

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const state: fc.Arbitrary<StateEntry[]> = fc.array(
  fc.record({
    dialect: fc.constant('messages'),
    domain: fc.constant('m'),
    kind: fc.constant('reasoning' as const),
    payload: fc.json({ maxDepth: 1 }),
  }),
  { maxLength: 2 },
);
const args = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .filter(hasPlainKeys);

const textPart: fc.Arbitrary<Part> = fc
  .record({ text: words, cited: fc.boolean(), url: fc.constantFrom('https://a.example', 'https://b.example') })
  .map(({ text, cited, url }): Part => {
    const span = { start: 0, end: Math.max(1, Math.floor(text.length / 2)) };
    const whole = /[\ud800-\udfff]/.test(text.charAt(span.end - 1)) ? { start: 0, end: text.length } : span;
    return { kind: 'text', text, ...(cited && { citations: [{ source: 'web', url, span: whole }] }) };
  });
const reasoningPart: fc.Arbitrary<Part> = fc
  .record({ text: fc.array(words, { maxLength: 2 }), entries: state })
  .map(({ text, entries }): Part => ({ kind: 'reasoning', text, ...(entries.length > 0 && { state: entries }) }));
const callPart: fc.Arbitrary<Part> = fc
  .record({ callId: fc.string({ maxLength: 5 }), value: args, broken: fc.boolean() })
  .map(({ callId, value, broken }): Part => {
    const text = JSON.stringify(value);
    return { kind: 'call', callId, name: 'f', args: { text: broken ? text.slice(1) : text } };
  });
const mediaPart: fc.Arbitrary<Part> = fc.constant({
  kind: 'media',
  class: 'image',
  mime: 'image/png',
  data: { from: 'base64', base64: 'aGk=' },
});
const codeParts: fc.Arbitrary<Part[]> = fc
  .record({ code: words, stdout: words, entries: state })
  .map(({ code, stdout, entries }): Part[] => [
    { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: { code } },
    {
      kind: 'hostedResult',
      callId: 'x',
      family: 'codeExec',
      output: { stdout },
      ...(entries.length > 0 && { state: entries }),
    },
  ]);
const parts: fc.Arbitrary<Part[]> = fc
  .array(fc.oneof(textPart, reasoningPart, callPart, mediaPart, codeParts), { maxLength: 8 })
  .map((list) => list.flat());
const response: fc.Arbitrary<CanonicalResponse> = fc
  .record({ parts, kind: fc.constantFrom<FinishKind>('end', 'tool_use', 'max_tokens', 'refusal', 'filter') })
  .map(({ parts: list, kind }) => ({
    source: 'messages',
    id: 'i',
    model: 'm',
    parts: list,
    finish: { kind, raw: kind, dialect: 'messages' },
    usage: { input: 5, output: 3 },
  }));

/** The parts of a whole answer as a client has them after a stream, with neighbours joined. */
function partsOf(body: JsonObject): JsonObject[] {
  const [candidate] = body.candidates as { content: { parts: JsonObject[] } }[];
  return joined(asStreamed(candidate?.content.parts ?? []));
}

describe('laws', () => {
  test('what streams is what stands', () => {
    fc.assert(
      fc.property(response, (given) => {
        const whole: JsonObject = generateContent.encodeResponse(given, responseContext());
        const [candidate] = whole.candidates as JsonObject[];
        const expected = {
          ...whole,
          candidates: [{ ...candidate, content: { role: 'model', parts: partsOf(whole) } }],
        };
        expect(collect(frames(writeStream(eventsOf(given))))).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  test('what we write we read, in either framing, however it is cut', () => {
    fc.assert(
      fc.property(
        response,
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom('sse', 'array'),
        (given, size, framing) => {
          const written = writeStream(eventsOf(given), { framing: framing === 'array' ? 'array' : 'sse' });
          const events = readStream(written, size);
          expect(events).toEqual(readStream(written));
          expect(events.at(-1)?.type).toBe('end');
          const shown = given.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
          const read = events.map((event) =>
            event.type === 'part.end' && event.part.kind === 'text' ? event.part.text : '',
          );
          expect(read.join('')).toBe(shown);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Values whose keys are names or data, never fields ([G §2.1.4]). */
const FREE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
  'labels',
  'headers',
  'partMetadata',
  'modelArmorConfig',
  'imageOutputOptions',
]);

function toSnake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      FREE.has(key) || FREE.has(key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
        ? child
        : toSnake(child),
    ]),
  );
}

/** A request without what remembers its spelling. */
function meaning(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, child: unknown) =>
      key === 'src' || key === 'at' || key === 'state' ? undefined : child,
    ),
  );
}

const requests = recordings().filter(({ request, operation }) => request !== undefined && operation !== 'count_tokens');
(requests.length > 0 ? describe : describe.skip)(`either spelling ${requests.length > 0 ? '' : CORPUS_ABSENT}`, () => {
  test.each(requests)('$name', ({ request, model }) => {
    const snake = toSnake(request);
    const decoded = decode(snake);
    expect(meaning(decoded)).toEqual(meaning(decode(request)));
    const context = { losses: createLosses(), target: generateContent.target(model), domain: 'd' };
    expect(generateContent.encodeRequest(decoded, context).body).toEqual(snake);
  });
});
