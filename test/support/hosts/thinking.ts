import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../src/simulator/rules/index.js';

/** How a host gives its thoughts where it is not its dialect's way (hosts.md 6). */
export type Thinking =
  /** Without signatures. */
  | 'unsigned'
  /** As summary, and once more as if it were encrypted. */
  | 'plain'
  /** As content, without a summary. */
  | 'content';

/** How a host answers where it is not its dialect's way, as recorded of real ones. */
export type Manner =
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
    return value.type === undefined ? [] : [`event: ${value.type}\ndata: ${JSON.stringify(value)}`];
  });
  return frames.join('\n\n');
}

/** Objects that become `{}` are left out where they are frames. */
const CHANGES: Readonly<Record<Thinking | Manner, (value: JsonObject) => JsonObject>> = {
  unsigned(value) {
    const { signature: _signature, ...rest } = value;
    return objectOf(value.delta).type === undefined && value.type === 'content_block_delta' ? {} : rest;
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
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, change)]));
  return objectOf(inner).type === 'signature_delta' ? {} : change(inner);
}
