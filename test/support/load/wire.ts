import { tableOf } from '../dialects/index.js';

/** One event of a backend's stream: its name, where the dialect names events, and its data. */
export type WireEvent = readonly [name: string | undefined, data: object];

/** How a backend of a dialect says an answer, written from its protocol sheet. */
export interface Wire {
  /** The whole answer with these texts, and a call with these arguments. */
  whole(texts: readonly string[], q: string | undefined): object;
  /** What comes before the first text. */
  opening(): WireEvent[];
  piece(text: string, index: number): WireEvent;
  /** What comes after the last text. */
  ending(texts: readonly string[], q: string | undefined): WireEvent[];
}

const messagesUsage = {
  input_tokens: 900,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
};
const message = {
  id: 'msg_01load',
  type: 'message',
  role: 'assistant',
  model: 'backend-model',
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: messagesUsage,
};

type Typed = { readonly type: string; readonly [field: string]: unknown };

const named = (data: Typed): WireEvent => [data.type, data];

export const MESSAGES_WIRE: Wire = {
  whole: (texts, q) => ({
    ...message,
    content: [
      { type: 'text', text: texts.join('') },
      ...(q === undefined ? [] : [{ type: 'tool_use', id: 'toolu_01load', name: 'look', input: { q } }]),
    ],
    stop_reason: q === undefined ? 'end_turn' : 'tool_use',
    usage: { ...messagesUsage, output_tokens: 40 },
  }),
  opening: () => [
    named({ type: 'message_start', message }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ],
  piece: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  ending: (_texts, q) => [
    named({ type: 'content_block_stop', index: 0 }),
    ...(q === undefined ? [] : toolBlock(q)),
    named({
      type: 'message_delta',
      delta: { stop_reason: q === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { ...messagesUsage, output_tokens: 40 },
    }),
    named({ type: 'message_stop' }),
  ],
};

function toolBlock(q: string): WireEvent[] {
  const json = JSON.stringify({ q });
  const delta = (partial_json: string): WireEvent =>
    named({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } });
  const content_block = { type: 'tool_use', id: 'toolu_01load', name: 'look', input: {} };
  return [
    named({ type: 'content_block_start', index: 1, content_block }),
    delta(''),
    delta(json.slice(0, 9)),
    delta(json.slice(9)),
    named({ type: 'content_block_stop', index: 1 }),
  ];
}

const response = {
  id: 'resp_01load',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'in_progress',
  model: 'backend-model',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  output: [] as object[],
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: null as object | null,
};
const responsesUsage = {
  input_tokens: 900,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 940,
};
const at = { item_id: 'msg_01load', output_index: 0, content_index: 0 };
const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const textItem = (text: string) => ({
  type: 'message',
  id: 'msg_01load',
  role: 'assistant',
  status: 'completed',
  content: [textPart(text)],
});
const callItem = (json: string, status = 'completed') => ({
  type: 'function_call',
  id: 'fc_01load',
  call_id: 'call_01load',
  name: 'look',
  arguments: json,
  status,
});

export const RESPONSES_WIRE: Wire = {
  whole: (texts, q) => ({
    ...response,
    status: 'completed',
    output: [textItem(texts.join('')), ...(q === undefined ? [] : [callItem(JSON.stringify({ q }))])],
    usage: responsesUsage,
  }),
  opening: () =>
    [
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...textItem(''), status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...at, part: textPart('') },
    ].map((data, sequence_number) => named({ ...data, sequence_number })),
  piece: (delta, index) =>
    named({ type: 'response.output_text.delta', sequence_number: 4 + index, ...at, delta, logprobs: [] }),
  ending(texts, q) {
    const text = texts.join('');
    return [
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part: textPart(text) },
      { type: 'response.output_item.done', output_index: 0, item: textItem(text) },
      ...(q === undefined ? [] : callEvents(JSON.stringify({ q }))),
      { type: 'response.completed', response: RESPONSES_WIRE.whole(texts, q) },
    ].map((data, index) => named({ ...data, sequence_number: 4 + texts.length + index }));
  },
};

function callEvents(json: string): Typed[] {
  const place = { item_id: 'fc_01load', output_index: 1 };
  const deltas = [json.slice(0, 9), json.slice(9)];
  return [
    { type: 'response.output_item.added', output_index: 1, item: callItem('', 'in_progress') },
    ...deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    { type: 'response.function_call_arguments.done', ...place, arguments: json },
    { type: 'response.output_item.done', output_index: 1, item: callItem(json) },
  ];
}

const chunkOf = (parts: readonly object[], finish: object, output: number): object => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
  usageMetadata: { promptTokenCount: 900, candidatesTokenCount: output, totalTokenCount: 900 + output },
  modelVersion: 'backend-model',
  responseId: 'g01load',
});
const callPart = (q: string | undefined): object[] =>
  q === undefined ? [] : [{ functionCall: { name: 'look', args: { q } } }];

export const GENERATE_CONTENT_WIRE: Wire = {
  whole: (texts, q) => chunkOf([{ text: texts.join('') }, ...callPart(q)], { finishReason: 'STOP' }, 40),
  opening: () => [],
  piece: (text, index) => [undefined, chunkOf([{ text }], {}, index + 1)],
  ending: (_texts, q) => [
    [undefined, chunkOf(q === undefined ? [{ text: '' }] : callPart(q), { finishReason: 'STOP' }, 40)],
  ],
};

const completion = { id: 'chatcmpl-01load', created: 1_700_000_000, model: 'backend-model' };
const chatUsage = { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 };
const chatCall = (args: string) => ({
  id: 'call_01load',
  type: 'function',
  function: { name: 'look', arguments: args },
});
const chatChunk = (choices: readonly object[], usage: object | null = null): WireEvent => [
  undefined,
  { ...completion, object: 'chat.completion.chunk', choices, usage },
];
const chatDelta = (delta: object, finish_reason: string | null = null): WireEvent =>
  chatChunk([{ index: 0, delta, logprobs: null, finish_reason }]);
const chatFinish = (q: string | undefined): string => (q === undefined ? 'stop' : 'tool_calls');

export const CHAT_COMPLETIONS_WIRE: Wire = {
  whole: (texts, q) => ({
    ...completion,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: texts.join(''),
          refusal: null,
          ...(q !== undefined && { tool_calls: [chatCall(JSON.stringify({ q }))] }),
        },
        logprobs: null,
        finish_reason: chatFinish(q),
      },
    ],
    usage: chatUsage,
  }),
  opening: () => [chatDelta({ role: 'assistant', content: '', refusal: null })],
  piece: (content) => chatDelta({ content }),
  ending: (_texts, q) => [
    ...(q === undefined
      ? []
      : [
          chatDelta({ tool_calls: [{ index: 0, ...chatCall('') }] }),
          chatDelta({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify({ q }) } }] }),
        ]),
    chatDelta({}, chatFinish(q)),
    chatChunk([], chatUsage),
  ],
};

export const WIRES = tableOf('loadWire');
