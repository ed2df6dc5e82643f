import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { answerId, ownMembers, tierMember } from '../answer/envelope.js';
import { type CallHead, headNode, type MessageSink } from '../answer/message.js';
import { createMessageWriter } from '../answer/writer.js';
import { encodeOwnSources } from '../content/citations.js';
import { DIALECT, remembered } from '../nodes.js';
import { finishError } from './stop.js';
import { encodeForeignUsage, encodeOwnUsage, reportUsage } from './usage.js';

/** A whole answer for a client of this dialect. Throws TranslationError for ends that are failures here. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  if (response.source !== DIALECT) return encodeForeign(response, context);
  const form = remembered(response);
  return form === undefined ? encodeOwn(response, context) : { ...form };
}

function encodeOwn(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { id, model, createdAt, tier, usage, ext } = response;
  const { message, logprobs, word } = written(response, true, context);
  const more = ownMembers(ext);
  return {
    id,
    object: 'chat.completion',
    created: createdAt ?? 0,
    model,
    choices: [{ index: 0, message: { ...message, ...more.message }, logprobs, finish_reason: word, ...more.choice }],
    ...(usage !== undefined && { usage: encodeOwnUsage(usage) }),
    ...(tier !== undefined && { service_tier: tier }),
    ...encodeOwnSources(response.parts),
    ...more.body,
  };
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { finish, tier, usage } = response;
  if (finish.kind === 'failed') throw finishError(finish, response.error);
  const { message, logprobs, word } = written(response, false, context);
  reportUsage(usage, context.losses);
  return {
    id: answerId(response.id, context.nonce),
    object: 'chat.completion',
    created: Math.floor(context.now),
    model: context.model ?? response.model,
    choices: [{ index: 0, message, logprobs, finish_reason: word }],
    usage: encodeForeignUsage(usage),
    system_fingerprint: null,
    ...tierMember(tier, context.losses),
  };
}

/** The one message of an answer, and the word for its end. */
interface WrittenAnswer {
  readonly message: JsonObject;
  readonly logprobs: JsonObject | null;
  readonly word: string | null;
}

/** An answer as the writer of streams writes it (translation.md 6.7). */
function written(response: CanonicalResponse, own: boolean, context: EncodeResponseContext): WrittenAnswer {
  const whole = createWholeMessage();
  const writer = createMessageWriter(response.id, own, whole, context);
  const isBlocked = response.finish.kind === 'prompt_blocked';
  if (!isBlocked) writer.parts.whole(response.parts);
  const word = writer.end(response.finish, response);
  const message = whole.message();
  const silent = message.content === null && message.refusal === null && !isBlocked;
  // Clients expect a text of a message that neither calls nor declines.
  if (silent && message.tool_calls === undefined && message.function_call === undefined) message.content = '';
  return { message, logprobs: whole.logprobs(), word };
}

/** A message that comes whole. */
interface WholeMessage extends MessageSink {
  /** Members in the order of the schema; `content` is null where there is none. */
  message(): JsonObject;
  logprobs(): JsonObject | null;
}

/** Collects one whole message. */
function createWholeMessage(): WholeMessage {
  const texts = new Map<string, TextBuffer>();
  const members: JsonObject = {};
  const calls: { readonly head: CallHead; readonly text: TextBuffer }[] = [];
  const tokens: Record<'content' | 'refusal', JsonObject[]> = { content: [], refusal: [] };

  const textOf = (key: string): string | null => texts.get(key)?.read() ?? null;
  const contentOf = (chunks: unknown): unknown => {
    const text = textOf('content');
    if (!Array.isArray(chunks)) return text;
    return text === null ? chunks : [...chunks, { type: 'text', text }];
  };

  return {
    streams: false,
    text(key, value) {
      const buffer = texts.get(key) ?? createPackedBuffer();
      if (!texts.has(key)) texts.set(key, buffer);
      buffer.add(value);
    },
    openCall: (head) => calls.push({ head, text: createPackedBuffer() }),
    addArguments: (value) => calls.at(-1)?.text.add(value),
    put(more) {
      for (const key in more) {
        const [known, value] = [members[key], more[key]];
        if (Array.isArray(known) && Array.isArray(value)) known.push(...value);
        else members[key] = Array.isArray(value) ? [...value] : value;
      }
    },
    tokens(key, list) {
      for (const token of list) tokens[key].push(token);
    },
    message() {
      const { content, ...others } = members;
      const message: JsonObject = { role: 'assistant', content: contentOf(content), refusal: textOf('refusal') };
      for (const key of texts.keys()) if (key !== 'content' && key !== 'refusal') message[key] = textOf(key);
      Object.assign(message, others);
      const legacy = calls.find(({ head }) => head.legacy);
      if (legacy !== undefined) message.function_call = { name: legacy.head.name, arguments: legacy.text.read() };
      else if (calls.length > 0) message.tool_calls = calls.map(({ head, text }) => headNode(head, text.read()));
      return message;
    },
    logprobs() {
      if (tokens.content.length === 0 && tokens.refusal.length === 0) return null;
      const list = (key: 'content' | 'refusal'): JsonObject[] | null => (tokens[key].length > 0 ? tokens[key] : null);
      return { content: list('content'), refusal: list('refusal') };
    },
  };
}
