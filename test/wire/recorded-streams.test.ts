import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { dialectIds } from '../../translators/index.js';
import { createJsonArrayCutter } from '../../translators/wire/json-array.js';
import { createSseCutter } from '../../translators/wire/sse.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../support/corpus.js';
import { SHORT } from '../support/runs.js';

/** The plainest reading of the standard, for whole texts with one kind of line end. */
function reference(text: string): [string, string][] {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n');
  return blocks.flatMap((block): [string, string][] => {
    const value = (field: string) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
    const data = value('data');
    return data.length === 0 ? [] : [[value('event').at(-1) ?? '', data.join('\n')]];
  });
}

function cut(bytes: Uint8Array, size: number) {
  const events: [string, string][] = [];
  const cutter = createSseCutter((event, data) => events.push([event, data]));
  for (let at = 0; at < bytes.length; at += size) cutter.push(bytes.subarray(at, at + size));
  cutter.end();
  return { events, rest: cutter.rest };
}

(corpusPresent ? describe : describe.skip)(`recorded streams ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  const files = readStreams();

  test('there are some', () => expect(files.length).toBeGreaterThan(30));

  test('each is cut as the reference cuts it, in chunks of any size', () => {
    for (const { name, bytes, text } of files) {
      const expected = { name, events: reference(text), rest: '' };
      // Not compared by the matcher, which takes longer than all the rest.
      const wrong = [1, 7, 1000, bytes.length].filter(
        (size) => !isDeepStrictEqual({ name, ...cut(bytes, size) }, expected),
      );
      expect({ name, wrong }).toEqual({ name, wrong: [] });
    }
  });

  test('the same payloads as an incremental array are cut into the same texts', () => {
    for (const { bytes } of files) {
      const payloads = cut(bytes, bytes.length)
        .events.map(([, data]) => data)
        .filter((data) => data.startsWith('{'));
      const elements: string[] = [];
      const cutter = createJsonArrayCutter((text) => elements.push(text));
      const array = new TextEncoder().encode(`[${payloads.join('\n,\r\n')}\n]`);
      for (let at = 0; at < array.length; at += 37) cutter.push(array.subarray(at, at + 37));
      cutter.end();
      expect(isDeepStrictEqual(elements, payloads)).toBe(true);
      expect(cutter.closed).toBe(true);
    }
  });
});

function readStreams() {
  const all = dialectIds.flatMap((dialect) => recordedExchanges(dialect));
  const streamed = all.flatMap(({ name, stream }) =>
    stream === undefined ? [] : [{ name, bytes: new Uint8Array(stream) }],
  );
  const some = SHORT ? streamed.filter((_one, index) => index % 3 === 0) : streamed;
  return some.map(({ name, bytes }) => ({ name, bytes, text: new TextDecoder().decode(bytes) }));
}
