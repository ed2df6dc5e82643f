import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses, type Losses } from '../../translators/canonical/loss.js';
import type { CanonicalRequest } from '../../translators/canonical/request.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import type { EncodedRequest, EncodeRequestContext, EncodeResponseContext } from '../../translators/dialect.js';
import { generateContent } from '../../translators/generate-content/index.js';
import type { ProfileChoice } from '../../translators/target/profile.js';
import { type RecordedText, recordedText } from '../support/corpus.js';
import { into } from '../support/events.js';

/** The recorded exchanges of this dialect; none where the corpus is not at hand. */
export function recordings(): RecordedText[] {
  return recordedText('generateContent');
}

export const decodeContext = { losses: createLosses(), domain: 'test' };

/** Decodes a request body. */
export function decode(body: unknown, losses: Losses = createLosses()): CanonicalRequest {
  return generateContent.decodeRequest(body, { losses, model: 'gemini-2.5-flash' });
}

/** A request for a model of this dialect, from another dialect's side. */
export function encode(
  request: Partial<CanonicalRequest>,
  options: { model?: string; profile?: ProfileChoice; context?: Partial<EncodeRequestContext> } = {},
): EncodedRequest & { losses: Losses } {
  const losses = createLosses();
  const model = options.model ?? 'gemini-3-flash-preview';
  const encoded = generateContent.encodeRequest(
    {
      source: 'test',
      model,
      stream: false,
      instructions: [],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [],
      ...request,
    },
    { losses, target: generateContent.target(model, options.profile), domain: 'test', ...options.context },
  );
  return { ...encoded, losses };
}

export function responseContext(more: Partial<EncodeResponseContext> = {}): EncodeResponseContext {
  return { losses: createLosses(), now: 0, nonce: 'nonce', ...more };
}

/** The events of a stream, fed in chunks of `size` bytes (whole when 0). */
export function readStream(body: string | Uint8Array, size = 0): StreamEvent[] {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const events: StreamEvent[] = [];
  const decoder = generateContent.createStreamDecoder({ losses: createLosses(), domain: 'test' }, into(events));
  const step = size === 0 ? Math.max(1, bytes.length) : size;
  for (let at = 0; at < bytes.length; at += step) decoder.push(bytes.subarray(at, at + step));
  decoder.end();
  return events;
}

/** The answer that events stand for. */
export function fold(events: readonly StreamEvent[], source = 'generateContent'): CanonicalResponse {
  const folder = createFold(source);
  for (const event of events) folder.sink(event);
  if (folder.response === undefined) throw new Error(`no answer: ${JSON.stringify(folder.error)}`);
  return folder.response;
}

/** The text that a client gets for events of a backend. */
export function writeStream(events: readonly StreamEvent[], more: Partial<EncodeResponseContext> = {}): string {
  const encoder = generateContent.createStreamEncoder(responseContext(more));
  return events.map((event) => encoder.encode(event)).join('');
}

/** The JSON of every event of a stream of server-sent events. */
export function frames(text: string): unknown[] {
  return text
    .split('\r\n\r\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)));
}
