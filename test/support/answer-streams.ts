import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';

/** One streamed answer of many text pieces in each dialect's own framing, written from the wire sheets. */

const WORDS = ['The ', 'answer ', 'comes ', 'in ', 'many ', 'small ', 'pieces, ', 'as ', 'it ', 'does.\n'];

/** The wire events of a text answer with `deltas` pieces: `[event name, data object]`; generateContent has no names. */
export function answerEvents(
  dialect: DialectId,
  deltas: number,
): readonly (readonly [string, Record<string, unknown>])[] {
  const words = Array.from({ length: deltas }, (_, index) => WORDS[index % WORDS.length] ?? '');
  return EVENTS[dialect](words);
}

const EVENTS = tableOf('answerEvents');

/** The bytes of such an answer. */
export function answerStream(dialect: DialectId, deltas: number): string {
  return answerEvents(dialect, deltas)
    .map(([name, data]) =>
      name === '' ? `data: ${JSON.stringify(data)}\r\n\r\n` : `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
    )
    .join('');
}

function named(data: Record<string, unknown> & { readonly type: string }): readonly [string, Record<string, unknown>] {
  return [data.type, data];
}

export function messagesEvents(words: readonly string[]): (readonly [string, Record<string, unknown>])[] {
  const usage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  return [
    named({
      type: 'message_start',
      message: {
        id: 'msg_01',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...words.map((text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    named({ type: 'content_block_stop', index: 0 }),
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { ...usage, output_tokens: words.length },
    }),
    named({ type: 'message_stop' }),
  ];
}

export function responsesEvents(words: readonly string[]): (readonly [string, Record<string, unknown>])[] {
  const text = words.join('');
  const base = {
    id: 'resp_01',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-5',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tool_choice: 'auto',
    tools: [],
  };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const item = { type: 'message', id: 'msg_01', role: 'assistant', status: 'completed', content: [part] };
  const at = { item_id: 'msg_01', output_index: 0, content_index: 0 };
  const usage = {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: words.length,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12 + words.length,
  };
  const running = { ...base, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: running },
    { type: 'response.in_progress', response: running },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...words.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...base, status: 'completed', output: [item], usage } },
  ];
  return events.map((event, index) => named({ ...event, sequence_number: index }));
}

export function generateEvents(words: readonly string[]): (readonly [string, Record<string, unknown>])[] {
  return words.map((text, index) => [
    '',
    {
      candidates: [
        {
          content: { parts: [{ text }], role: 'model' },
          index: 0,
          ...(index === words.length - 1 && { finishReason: 'STOP' }),
        },
      ],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: index + 1, totalTokenCount: 13 + index },
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r01',
    },
  ]);
}

export function chatEvents(words: readonly string[]): (readonly [string, Record<string, unknown>])[] {
  const chunk = (
    choices: readonly object[],
    usage: object | null = null,
  ): readonly [string, Record<string, unknown>] => [
    '',
    { id: 'chatcmpl-01', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4.1', choices, usage },
  ];
  const choice = (delta: object, finish_reason: string | null = null) => ({ index: 0, delta, finish_reason });
  const usage = { prompt_tokens: 12, completion_tokens: words.length, total_tokens: 12 + words.length };
  return [
    chunk([choice({ role: 'assistant', content: '' })]),
    ...words.map((content) => chunk([choice({ content })])),
    chunk([choice({}, 'stop')]),
    chunk([], usage),
  ];
}
