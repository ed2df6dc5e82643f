import OpenAI from 'openai';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses, type Losses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import type { EncodeResponseContext } from '../../translators/dialect.js';
import { responses } from '../../translators/responses/index.js';

/** A context for answers; fresh losses unless given. */
export function answering(over: Partial<EncodeResponseContext> = {}): EncodeResponseContext & { losses: Losses } {
  return { losses: createLosses(), now: 1_700_000_000, nonce: 'n', model: 'asked-for', ...over };
}

/** The client's stream for these events. `beats`: a heartbeat after every event. */
export function writeStream(events: readonly StreamEvent[], context = answering(), beats = false): string {
  const encoder = responses.createStreamEncoder(context);
  let text = beats ? encoder.heartbeat() : '';
  for (const event of events) {
    text += encoder.encode(event);
    if (beats) text += encoder.heartbeat();
  }
  return text;
}

/** The answer that events fold to. */
export function foldEvents(events: readonly StreamEvent[], source = 'other'): CanonicalResponse {
  const fold = createFold(source);
  events.forEach(fold.sink);
  if (fold.response === undefined) throw new Error('the events do not end');
  return fold.response;
}

/** What the official client's accumulator makes of a stream. */
export async function accumulate(text: string): Promise<JsonObject> {
  const client = new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const response = await client.responses.stream({ model: 'asked-for', input: 'q' }).finalResponse();
  return JSON.parse(JSON.stringify(response));
}

/** One frame, with its number. */
export interface Frame {
  readonly name: string;
  readonly data: JsonObject;
}

/** The frames of a stream; comments are left out. */
export function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [name, data, ...rest] = block.split('\n');
      if (!name?.startsWith('event: ') || !data?.startsWith('data: ') || rest.length > 0)
        throw new Error(`no frame: ${block}`);
      return { name: name.slice(7), data: JSON.parse(data.slice(6)) };
    });
}
