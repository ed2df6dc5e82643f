import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../src/simulator/rules/index.js';

/** How a host gives its thoughts where it is not its dialect's way (hosts.md 6). */
export type Thinking =
  /** Without signatures. */
  | 'unsigned'
  /** With signatures of 32 hexadecimal digits, which mean nothing. */
  | 'madeUp'
  /** With empty signatures. */
  | 'blank'
  /** As summary, and once more as if it were encrypted. */
  | 'plain'
  /** As content, without a summary. */
  | 'content';

/** How a host answers where it is not its dialect's way, as recorded of real ones. */
export type Manner =
  /** Messages have ids of chat completions. */
  | 'chatIds'
  /** Members that say nothing are left out of messages. */
  | 'noNulls'
  /** Chat completions hold what vLLM's hold: nulls for all that it might have said, and counts of its own. */
  | 'manyNulls'
  /** Chat completions hold what llama-server's hold: no text in the first chunk, and times. */
  | 'timed'
  /** `content` is null in whole answers that hold nothing. */
  | 'nullContent'
  /** Events of responses without indexes, numbers and ids of calls, and without the ends of arguments. */
  | 'bareEvents'
  /** Answers that were cut are `completed`. */
  | 'completed';

/** An answer of a dialect's fake, whole or streamed, as the host would give it. */
export function asHostAnswers(text: string, manners: readonly (Thinking | Manner)[]): string {
  return manners.reduce((said, manner) => changed(said, CHANGES[manner]), text);
}

function changed(text: string, change: (value: JsonObject) => JsonObject): string {
  if (text.startsWith('{')) return JSON.stringify(deep(JSON.parse(text), change));
  const frames = text.split('\n\n').flatMap((frame) => {
    const [, json] = /^data: (\{.*\})$/m.exec(frame) ?? [];
    if (json === undefined) return [frame];
    const value = objectOf(deep(JSON.parse(json), change));
    if (value.object === 'chat.completion.chunk') return [`data: ${JSON.stringify(value)}`];
    return value.type === undefined ? [] : [`event: ${value.type}\ndata: ${JSON.stringify(value)}`];
  });
  return frames.join('\n\n');
}

/** Objects that become `{}` are left out where they are frames. */
const CHANGES: Readonly<Record<Thinking | Manner, (value: JsonObject) => JsonObject>> = {
  unsigned(value) {
    if (value.type === 'signature_delta') return {};
    const { signature: _signature, ...rest } = value;
    return objectOf(value.delta).type === undefined && value.type === 'content_block_delta' ? {} : rest;
  },
  madeUp: (value) => (typeof value.signature === 'string' ? { ...value, signature: madeUp(value.signature) } : value),
  blank: (value) => (typeof value.signature === 'string' ? { ...value, signature: '' } : value),
  chatIds(value) {
    const { type, id } = value;
    return type === 'message' && typeof id === 'string' ? { ...value, id: id.replace(/^msg_/, 'chatcmpl-') } : value;
  },
  noNulls(value) {
    const isMessage = value.type === 'message' || (value.stop_reason !== undefined && value.type === undefined);
    return isMessage
      ? Object.fromEntries(Object.entries(value).filter(([key, member]) => key === 'content' || member !== null))
      : value;
  },
  manyNulls(value) {
    if (value.object === 'chat.completion')
      return {
        ...value,
        ...nulls('service_tier', 'prompt_logprobs', 'prompt_token_ids', 'kv_transfer_params', 'metrics'),
      };
    if (value.role === 'assistant' && 'refusal' in value)
      return { ...value, ...nulls('annotations', 'audio', 'function_call'), reasoning: value.reasoning ?? null };
    if (typeof value.finish_reason === 'string' && 'message' in value)
      return { ...value, ...nulls('stop_reason', 'token_ids', 'routed_experts') };
    if (typeof value.cached_tokens === 'number') return { cached_tokens: value.cached_tokens, created_cache_tokens: 0 };
    return 'prompt_tokens' in value ? { ...value, completion_tokens_details: null } : value;
  },
  timed(value) {
    if (typeof value.object === 'string' && value.object.startsWith('chat.completion'))
      return {
        ...value,
        system_fingerprint: 'b1-0000000',
        ...(objectOf(value.usage).prompt_tokens !== undefined && TIMES),
      };
    return value.role === 'assistant' && value.content === '' ? { ...value, content: null } : value;
  },
  plain(value) {
    if (stringOf(value.type).includes('reasoning_summary_part')) return {};
    if (value.type !== 'reasoning') return value;
    return {
      ...value,
      encrypted_content: objectsOf(value.summary)
        .map(({ text }) => stringOf(text))
        .join('\n'),
    };
  },
  content(value) {
    const { type, summary_index: index } = value;
    if (type === 'reasoning') {
      const content = objectsOf(value.summary).map(({ text }) => ({ type: 'reasoning_text', text }));
      return { id: value.id, type, summary: [], content };
    }
    if (index === undefined) return value;
    const word = stringOf(type).replace('reasoning_summary_', 'reasoning_');
    return word.includes('_part.') ? {} : { ...value, type: word, summary_index: undefined, content_index: index };
  },
  nullContent(value) {
    const whole = value.type === 'message' && typeof value.stop_reason === 'string';
    return whole && objectsOf(value.content).length === 0 ? { ...value, content: null } : value;
  },
  bareEvents(value) {
    const { type, output_index: _output, content_index: _content, sequence_number: count, ...rest } = value;
    if (type === 'function_call') {
      const { id, ...call } = rest;
      return { ...call, type, call_id: id };
    }
    if (type === 'response.function_call_arguments.done' || type === 'response.reasoning_text.done') return {};
    const { id, object, status } = objectOf(rest.response);
    if (status === 'in_progress') return { ...rest, type, response: { id, object, status } };
    return count === undefined ? value : { ...rest, type };
  },
  completed(value) {
    if (value.type === 'response.incomplete') return { ...value, type: 'response.completed' };
    const cut = value.object === 'response' && value.status === 'incomplete';
    return cut ? { ...value, status: 'completed', incomplete_details: null } : value;
  },
};

function deep(value: unknown, change: (value: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, change)])));
}

const TIMES = { timings: { prompt_n: 3, prompt_ms: 1.5, predicted_n: 2, predicted_ms: 2.5 } };

function nulls(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** 32 hexadecimal digits of a signature. */
function madeUp(signature: string): string {
  return Buffer.from(signature).toString('hex').padEnd(32, '0').slice(-32);
}
