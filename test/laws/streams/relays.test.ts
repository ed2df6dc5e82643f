import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStreamTranslator, type DialectId, dialectIds } from '../../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import {
  EVENT_STREAM,
  FRAMES,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { runs } from '../../support/runs.js';
import { lawTableOf } from '../dialects/index.js';
import { chunkSizes, cutBytes } from './generate/framing.js';
import { streamsOf } from './generate/index.js';
import { readOfficially } from './official.js';
import { type RecordedStream, recordedStreams } from './recorded.js';

const recorded = corpusPresent ? test : test.skip;

function relayed(
  dialect: DialectId,
  chunks: readonly Uint8Array[],
): { readonly passed: string; readonly added: string } {
  const translator = createStreamTranslator({ from: dialect, to: dialect });
  return { passed: chunks.map((chunk) => translator.push(chunk)).join(''), added: translator.end() };
}

describe('a stream between two sides of one dialect passes byte for byte', () => {
  test.each(dialectIds)('%s', (dialect) => {
    fc.assert(
      fc.property(streamsOf[dialect], chunkSizes, ({ bytes, text }, sizes) => {
        expect(relayed(dialect, cutBytes(bytes, sizes))).toEqual({ passed: text, added: '' });
      }),
      { numRuns: runs(60) },
    );
  });

  recorded.each(dialectIds)(`%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, (dialect) => {
    for (const { name, bytes, text } of recordedStreams(dialect)) {
      expect({ name, ...relayed(dialect, cutBytes(bytes, [97])) }).toEqual({ name, passed: text, added: '' });
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
  recorded.each(dialectIds)(`%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, async (dialect) => {
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

describe('the gateway relays what a backend writes', () => {
  let backend: Recorder;
  let gateway: TestGateway;

  beforeAll(async () => {
    backend = await startRecorder();
    gateway = await startGateway({
      backends: Object.fromEntries(dialectIds.map((dialect) => [dialect, { dialect, baseUrl: backend.url }])),
      models: Object.fromEntries(dialectIds.map((dialect) => [dialect, { backend: dialect }])),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await backend.close();
  });

  /** Writes the chunks one after the other, each when the one before has left. */
  function writing(chunks: readonly Uint8Array[]): (response: ServerResponse) => void {
    return (response) => {
      response.writeHead(200, EVENT_STREAM);
      const next = (at: number): void => {
        const chunk = chunks[at];
        if (chunk === undefined) response.end();
        else response.write(chunk, () => next(at + 1));
      };
      next(0);
    };
  }

  recorded.each(dialectIds)(`%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, async (dialect) => {
    const { path, body } = STREAM[dialect](dialect);
    for (const { name, bytes, text } of recordedStreams(dialect)) {
      const sizes = [...name].map((letter) => 1 + (letter.charCodeAt(0) % 50) * Math.ceil(bytes.length / 4000));
      backend.reply = writing(cutBytes(bytes, sizes));
      const answer = await send(gateway.url, path, { body });
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status: 200, text });
    }
  });

  test.each(dialectIds)('%s: where only the trailer is missing the answer is whole for its client', async (dialect) => {
    const { path, body } = STREAM[dialect](dialect);
    const whole = FRAMES[dialect]('Grüße').join('').trimEnd();
    const text = dialect === 'messages' ? whole.slice(0, whole.indexOf('event: message_stop')) : whole;
    backend.reply = writing([Buffer.from(text)]);
    const answer = await send(gateway.url, path, { body });
    expect(answer.text.startsWith(text)).toBe(true);
    const { final, failure } = await readOfficially(dialect, answer.text);
    expect(failure).toBeUndefined();
    expect(JSON.stringify(final)).toContain('Grüße');
  });

  test('responses: a stream that breaks fails as the response that had begun', async () => {
    const frames = FRAMES.responses('half').slice(0, -1);
    backend.reply = writing([Buffer.from(frames.join(''))]);
    const { path, body } = STREAM.responses('responses');
    const { text } = await send(gateway.url, path, { body });
    const [error, failed] = text
      .slice(frames.join('').length)
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(error).toMatchObject({ type: 'error', sequence_number: frames.length, code: 'upstream_error' });
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: frames.length + 1,
      response: { id: 'resp_1', status: 'failed', output: [{ id: 'msg_1' }], error: { message: error.message } },
    });
  });

  test('generateContent: an array that breaks ends in an error and its bracket', async () => {
    const element = JSON.stringify({ candidates: [{ content: { parts: [{ text: 'a' }], role: 'model' } }] });
    backend.reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`[${element},\n`);
    };
    const { path, body } = STREAM.generateContent('generateContent');
    const answer = await send(gateway.url, path.replace('?alt=sse', ''), { body });
    expect(answer.body).toEqual([
      JSON.parse(element),
      { error: { code: 503, status: 'UNAVAILABLE', message: expect.stringMatching(/without its final event/) } },
    ]);
  });
});
