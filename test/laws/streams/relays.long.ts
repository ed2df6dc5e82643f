import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStreamTranslator, type DialectId } from '../../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import { TRIED } from '../../support/pairs.js';
import { runs } from '../../support/runs.js';
import { lawTableOf } from '../dialects/index.js';
import { chunkSizes, cutBytes } from './generate/framing.js';
import { streamsOf } from './generate/index.js';
import { readOfficially } from './official.js';
import { type RecordedStream, recordedStreams } from './recorded.js';

const recorded = corpusPresent ? test : test.skip;

const END = lawTableOf('relayedEnd');

function relayed(
  dialect: DialectId,
  chunks: readonly Uint8Array[],
): { readonly passed: string; readonly added: string } {
  const translator = createStreamTranslator({ from: dialect, to: dialect });
  return { passed: chunks.map((chunk) => translator.push(chunk)).join(''), added: translator.end() };
}

describe('a stream between two sides of one dialect passes byte for byte', () => {
  test.each(TRIED)('%s', (dialect) => {
    fc.assert(
      fc.property(streamsOf[dialect], chunkSizes, ({ bytes, text }, sizes) => {
        const added = END[dialect]?.(text) ?? '';
        expect(relayed(dialect, cutBytes(bytes, sizes))).toEqual({ passed: text, added });
      }),
      { numRuns: runs(60) },
    );
  });

  recorded.each(TRIED)(`%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, (dialect) => {
    for (const { name, bytes, text } of recordedStreams(dialect)) {
      const added = END[dialect]?.(text) ?? '';
      expect({ name, ...relayed(dialect, cutBytes(bytes, [97])) }).toEqual({ name, passed: text, added });
    }
  });
});

/** Where the last event ends that begins in the first `share` of a stream. */
function borderAt({ text, bytes }: RecordedStream, share: number): number {
  const half = bytes.subarray(0, Math.floor(bytes.length * share)).toString();
  const at = Math.max(half.lastIndexOf('\n\n') + 2, half.lastIndexOf('\r\n\r\n') + 4);
  return Buffer.byteLength(text.slice(0, at));
}

/** Numbers of the events of a stream, where its host counts them. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/"sequence_number":\s*(\d+)/g)].map(([, number]) => Number(number));
}

describe('a relayed stream that breaks is an error until its finish was seen (translation.md 6.5)', () => {
  recorded.each(TRIED)(`%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, async (dialect) => {
    const wrong: string[] = [];
    for (const stream of recordedStreams(dialect)) {
      const { name, bytes, finishAt = 0 } = stream;
      const { final } = await readOfficially(dialect, stream.text);
      // Some recorded hosts send what the dialect's own client does not read.
      if (final === undefined) continue;
      for (const length of [borderAt(stream, 0.4), borderAt(stream, 0.9), finishAt]) {
        if (length < 4) continue;
        const { passed, added } = relayed(dialect, [bytes.subarray(0, length)]);
        const { failure } = await readOfficially(dialect, passed + added);
        const finished = length >= finishAt;
        if ((failure === undefined) !== finished) wrong.push(`${name}, ${length} bytes: ${failure}`);
        if (!finished && !TOLD[dialect].test(added)) wrong.push(`${name}, ${length} bytes: ${added}`);
        const next = (numbersIn(passed).at(-1) ?? -1) + 1;
        const numbers = numbersIn(added);
        if (numbers.some((number, index) => number !== next + index))
          wrong.push(`${name}: ${numbers} after ${next - 1}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

const TOLD = lawTableOf('relayedFailure');

describe('a relayed array that breaks ends as one', () => {
  const chunk = '{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0}]}';
  const last = '{"candidates":[{"finishReason":"STOP"}]}';
  const end = (text: string): unknown => {
    const { passed, added } = relayed('generateContent', [Buffer.from(text)]);
    return JSON.parse(passed + added);
  };
  const error = { error: { code: 503, status: 'UNAVAILABLE', message: expect.stringMatching(/./) } };

  test.each([
    ['before the first element', ' [\n', 1],
    ['behind an element', `[${chunk}`, 2],
    ['behind a comma', `[${chunk}\n,\r\n`, 2],
  ])('%s: an element tells the failure', (_name, text, length) => {
    const seen = end(text);
    expect(seen).toHaveLength(length);
    expect(Array.isArray(seen) && seen.at(-1)).toEqual(error);
  });

  test('behind the finish: only the bracket is missing', () => {
    expect(end(`[${chunk},${last}\n`)).toEqual([JSON.parse(chunk), JSON.parse(last)]);
  });

  test('inside an element nothing can be told', () => {
    expect(relayed('generateContent', [Buffer.from(`[${chunk},{"cand`)]).added).toBe('');
  });
});
