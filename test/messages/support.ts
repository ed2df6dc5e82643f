import type { Part } from '../../translators/canonical/content.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses, type Loss } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalRequest, Turn } from '../../translators/canonical/request.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import type { EncodeRequestContext, EncodeResponseContext } from '../../translators/dialect.js';
import { messages } from '../../translators/messages/index.js';
import type { ProfileChoice } from '../../translators/target/profile.js';
import { readMessages } from '../laws/streams/readers/messages.js';

export const MODEL = 'claude-sonnet-4-5';

/** A user's turn of one text, at its place. */
export function user(text: string, index = 0): Turn {
  return { role: 'user', parts: [{ kind: 'text', text, src: { ptr: `/in/${index}` } }], src: { ptr: `/in/${index}` } };
}

/** A request of another dialect. */
export function foreignRequest(fields: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return {
    source: 'responses',
    model: MODEL,
    stream: false,
    instructions: [],
    turns: [user('hi')],
    tools: [],
    at: {},
    ...fields,
  };
}

/** A request's body for a service of this dialect, with what was lost, as `feature kind`. */
export function send(
  fields: Partial<CanonicalRequest>,
  options: { readonly profile?: ProfileChoice; readonly context?: Partial<EncodeRequestContext> } = {},
): { readonly body: JsonObject; readonly losses: string[]; readonly list: readonly Loss[] } {
  const losses = createLosses();
  const request = foreignRequest(fields);
  const profile = messages.target(request.model, options.profile);
  const { body } = messages.encodeRequest(request, { losses, target: profile, domain: 'd', ...options.context });
  return { body, losses: losses.list.map(({ feature, kind }) => `${feature} ${kind}`), list: losses.list };
}

/** What a body says beyond the fields every body has. */
export function settings({ model: _m, messages: _t, max_tokens: _c, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** An answer of another service. */
export function foreignResponse(parts: readonly Part[], fields: Partial<CanonicalResponse> = {}): CanonicalResponse {
  return {
    source: 'generateContent',
    id: 'up',
    model: 'gemini',
    parts,
    finish: { kind: 'end', raw: 'STOP', dialect: 'generateContent' },
    usage: { input: 10, output: 5 },
    ...fields,
  };
}

/** The context of an answer for a client that asked for tools, so that it is shown thinking. */
export function view(fields: Partial<EncodeResponseContext> = {}): EncodeResponseContext {
  const tool = { kind: 'function', name: 'f' } as const;
  return {
    losses: createLosses(),
    now: 0,
    nonce: 'n',
    request: foreignRequest({ source: 'messages', tools: [tool] }),
    ...fields,
  };
}

/** The events that stand for an answer, each part whole behind its head and its deltas. */
export function eventsOf(response: CanonicalResponse): StreamEvent[] {
  const events: StreamEvent[] = [{ type: 'start', id: response.id, model: response.model }];
  response.parts.forEach((part, ix) => {
    events.push({ type: 'part.start', ix, part: headOf(part) });
    events.push(...deltasOf(part, ix));
    events.push({ type: 'part.end', ix, part });
  });
  if (response.usage !== undefined) events.push({ type: 'usage', usage: response.usage });
  events.push({ type: 'finish', finish: response.finish }, { type: 'end' });
  return events;
}

function headOf(part: Part): Part {
  switch (part.kind) {
    case 'text':
      return { ...part, text: '', citations: undefined };
    case 'refusal':
      return { ...part, text: '' };
    case 'reasoning':
      return { ...part, text: [], raw: undefined };
    case 'call':
      return { ...part, args: { text: '' } };
    default:
      return part;
  }
}

function deltasOf(part: Part, ix: number): StreamEvent[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [...part.text].map((value) => ({ type: 'part.delta', ix, op: part.kind, value }));
    case 'reasoning':
      return part.text.map((value, sub) => ({ type: 'part.delta', ix, op: 'reasoning', value, sub }));
    case 'call':
      return part.args.text === undefined ? [] : [{ type: 'part.delta', ix, op: 'args', value: part.args.text }];
    default:
      return [];
  }
}

/** The stream that an encoder of this dialect makes of events. */
export function write(events: readonly StreamEvent[], context: EncodeResponseContext = view()): string {
  const encoder = messages.createStreamEncoder(context);
  return events.map((event) => encoder.encode(event)).join('');
}

/** The events in a stream's text, data only; comments are left out. */
export function framesIn(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}

/** The message that a strict reader puts together from a stream. */
export function foldMessage(text: string): JsonObject {
  const { final, error } = readMessages(text);
  if (final === undefined) throw new Error(JSON.stringify(error));
  return final;
}

/** What a stream of this dialect folds to. */
export function readStream(text: string, size = text.length): ReturnType<typeof createFold> {
  const fold = createFold('messages');
  const decoder = messages.createStreamDecoder({ losses: createLosses(), domain: 'd' }, fold.sink);
  for (let at = 0; at < text.length; at += Math.max(1, size)) decoder.push(text.slice(at, at + Math.max(1, size)));
  decoder.end();
  return fold;
}
