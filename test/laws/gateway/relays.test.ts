import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dialectIds } from '../../../translators/index.js';
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
  vendorsAt,
} from '../../support/gateway/harness.js';
import { lawTableOf } from '../dialects/index.js';
import { cutBytes } from '../streams/generate/framing.js';
import { readOfficially } from '../streams/official.js';
import { recordedStreams } from '../streams/recorded.js';

const TRAILERS = lawTableOf('trailer');

describe('the gateway relays what a backend writes', () => {
  let backend: Recorder;
  let gateway: TestGateway;

  beforeAll(async () => {
    backend = await startRecorder();
    gateway = await startGateway(vendorsAt(backend.url));
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

  (corpusPresent ? test : test.skip).each(dialectIds)(
    `%s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`,
    async (dialect) => {
      const { path, body } = STREAM[dialect](dialect);
      for (const { name, bytes, text: written, finishAt } of recordedStreams(dialect)) {
        const trailer = finishAt === undefined ? undefined : TRAILERS[dialect];
        // Some services say nothing behind the finish; their clients are given the last line (translation.md 6.8).
        const text = trailer === undefined || written.includes(trailer) ? written : `${written}\n\n${trailer}\n\n`;
        const sizes = [...name].map((letter) => 1 + (letter.charCodeAt(0) % 50) * Math.ceil(bytes.length / 4000));
        backend.reply = writing(cutBytes(bytes, sizes));
        const answer = await send(gateway.url, path, { body });
        expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status: 200, text });
      }
    },
  );

  test.each(dialectIds)('%s: where only the trailer is missing the answer is whole for its client', async (dialect) => {
    const { path, body } = STREAM[dialect](dialect);
    const whole = FRAMES[dialect]('Grüße').join('').trimEnd();
    const trailer = TRAILERS[dialect];
    const text = trailer === undefined ? whole : whole.slice(0, whole.indexOf(trailer));
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
