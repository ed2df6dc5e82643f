import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import { chatCompletions } from '../../translators/chat-completions/index.js';
import { CORPUS_ABSENT, corpusPresent, type RecordedText, recordedText } from '../support/corpus.js';
import { into } from '../support/events.js';
import { SHORT, share } from '../support/runs.js';

const all = recordedText('chatCompletions');
const requests = all.filter(({ request, status }) => request !== undefined && status === 200);
const answers = all.filter(({ response, status }) => response !== undefined && status === 200);
const streams = all.filter(({ stream }) => stream !== undefined);
const over = corpusPresent ? describe : describe.skip;

/** Where the services stand whose traffic was recorded; others are unknown servers. */
const HOSTS: Readonly<Record<string, string>> = {
  alibaba: 'dashscope-intl.aliyuncs.com',
  'aws-bedrock-mantle': 'bedrock-mantle.us-east-1.api.aws',
  azure: 'x.openai.azure.com',
  'azure-ai': 'x.services.ai.azure.com',
  cerebras: 'api.cerebras.ai',
  deepseek: 'api.deepseek.com',
  'gemini-compat': 'generativelanguage.googleapis.com',
  groq: 'api.groq.com',
  huggingface: 'router.huggingface.co',
  mistral: 'api.mistral.ai',
  moonshot: 'api.moonshot.ai',
  'ollama-cloud': 'ollama.com',
  openai: 'api.openai.com',
  openrouter: 'openrouter.ai',
  perplexity: 'api.perplexity.ai',
  snowflake: 'x.snowflakecomputing.com',
  xai: 'api.x.ai',
  zai: 'api.z.ai',
};

function profileOf({ model, provider }: RecordedText) {
  const host = HOSTS[provider];
  return chatCompletions.target(model, host === undefined ? { model } : { model, host });
}

function decodeAll(recorded: RecordedText, chunks: Iterable<string | Uint8Array>): StreamEvent[] {
  const events: StreamEvent[] = [];
  const context = { losses: createLosses(), domain: 'd', profile: profileOf(recorded) };
  const decoder = chatCompletions.createStreamDecoder(context, into(events));
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return events;
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** State compares by what it says: the order of keys in it is free. Sources of no words in particular are of them all. */
function opened(response: CanonicalResponse | undefined): unknown {
  return response?.parts.map(({ src: _src, ...part }) => ({
    ...part,
    ...(part.kind === 'text' && { citations: part.citations?.map(({ url, title }) => ({ url, title })) }),
    state: part.state?.map((entry) => ({
      ...entry,
      payload: entry.kind === 'reasoning' ? JSON.parse(entry.payload) : entry.payload,
    })),
  }));
}

/** The streams that ended in an error. */
const FAILED = /stream-error|tool-use-failed-error-streaming-with-text-1/;

/** Where a stream has said how it ends, or closed with its counts [H §7.6]. */
const FINISH = /"finish_reason": *"[^"]|"choices": *\[\][^\n]*"usage": *\{/;

over(`recorded traffic ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test('it is that of many services', () => {
    expect(all.length).toBeGreaterThan(140);
    expect(new Set(all.map(({ provider }) => provider)).size).toBeGreaterThan(12);
  });

  test.each(requests.map((one) => [one.name, one] as const))('request %s is printed as it came', (_name, recorded) => {
    const losses = createLosses();
    const decoded = chatCompletions.decodeRequest(recorded.request, { losses });
    const encoded = chatCompletions.encodeRequest(decoded, { losses, target: profileOf(recorded), domain: 'd' });
    expect(encoded.body).toEqual(recorded.request);
    expect(JSON.stringify(encoded.body)).toBe(JSON.stringify(recorded.request));
    expect(losses.list).toEqual([]);
  });

  test.each(answers.map((one) => [one.name, one] as const))('answer %s is printed as it came', (_name, recorded) => {
    const losses = createLosses();
    const context = { losses, domain: 'd', profile: profileOf(recorded) };
    const decoded = chatCompletions.decodeResponse(recorded.response, context);
    const encoded = chatCompletions.encodeResponse(decoded, { losses, now: 0, nonce: '' });
    expect(JSON.stringify(encoded)).toBe(JSON.stringify(recorded.response));
  });

  test.each(share(streams).map((one) => [one.name, one] as const))(
    'stream %s ends as it did, whatever the chunks',
    (name, recorded) => {
      const { stream = '' } = recorded;
      const bytes = new TextEncoder().encode(stream);
      const whole = decodeAll(recorded, [bytes]);
      expect(whole.at(-1)?.type).toBe(FAILED.test(name) ? 'error' : 'end');
      expect(decodeAll(recorded, pieces(bytes, 1))).toEqual(whole);
      expect(decodeAll(recorded, pieces(bytes, 7))).toEqual(whole);
      expect(decodeAll(recorded, [stream.replaceAll(/\r?\n/g, '\r\n')])).toEqual(whole);
    },
  );

  test.each(share(streams, 1).map((one) => [one.name, one] as const))(
    'stream %s, cut anywhere before its end, is an error',
    (name, recorded) => {
      const { stream = '' } = recorded;
      const found = stream.search(FINISH);
      const finish = found < 0 ? stream.length : found;
      expect(found < 0).toBe(FAILED.test(name) && !stream.includes('"finish_reason":"'));
      // Every 50th byte of what is short; long streams are cut so many times.
      const step = Math.max(50, Math.ceil(finish / (SHORT ? 25 : 400)));
      for (let at = 0; at < finish; at += step)
        expect(decodeAll(recorded, [stream.slice(0, at)]).at(-1)?.type).toBe('error');
    },
  );

  const sound = streams.filter(({ name }) => !FAILED.test(name));
  test.each(share(sound, 2).map((one) => [one.name, one] as const))(
    'stream %s survives its own dialect',
    (_name, recorded) => {
      const first = createFold('chatCompletions');
      const events = decodeAll(recorded, [recorded.stream ?? '']);
      events.forEach(first.sink);
      const encoder = chatCompletions.createStreamEncoder({ losses: createLosses(), now: 0, nonce: '' });
      const again = createFold('chatCompletions');
      const told = events.map((event) => encoder.encode(event)).join('');
      decodeAll(recorded, [told]).forEach(again.sink);
      expect(again.error).toBeUndefined();
      expect(opened(again.response)).toEqual(opened(first.response));
      expect(again.response?.finish.kind).toBe(first.response?.finish.kind);
    },
  );
});
