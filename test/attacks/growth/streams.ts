import type { DialectId, JsonObject } from '../../../translators/index.js';
import { times } from './requests.js';

/** A stream in which one thing comes `n` times. */
export interface GrowingStream {
  readonly name: string;
  readonly from: DialectId;
  readonly text: (n: number) => string;
}

function named(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function unnamed(events: readonly JsonObject[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function messages(name: string, events: (n: number) => JsonObject[]): GrowingStream {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return {
    name,
    from: 'messages',
    text: (n) =>
      named([
        { type: 'message_start', message },
        ...events(n),
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ]),
  };
}

const start = (index: number, block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, part: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: part });
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
const textBlock = { type: 'text', text: '' };
const useBlock = (index: number): JsonObject => ({ type: 'tool_use', id: `toolu_${index}`, name: 'look', input: {} });

const MESSAGES: readonly GrowingStream[] = [
  messages('deltas of one text', (n) => [
    start(0, textBlock),
    ...times(n, () => delta(0, { type: 'text_delta', text: 'word ' })),
    stop(0),
  ]),
  messages('texts', (n) =>
    times(n, (index) => [
      start(index, textBlock),
      delta(index, { type: 'text_delta', text: 'word ' }),
      stop(index),
    ]).flat(),
  ),
  messages('calls', (n) =>
    times(n, (index) => [
      start(index, useBlock(index)),
      delta(index, { type: 'input_json_delta', partial_json: '{"q":1}' }),
      stop(index),
    ]).flat(),
  ),
  messages('pieces of one call', (n) => [
    start(0, useBlock(0)),
    delta(0, { type: 'input_json_delta', partial_json: '{"q":[1' }),
    ...times(n, () => delta(0, { type: 'input_json_delta', partial_json: ',1' })),
    delta(0, { type: 'input_json_delta', partial_json: ']}' }),
    stop(0),
  ]),
  messages('open texts', (n) => [
    ...times(n, (index) => start(index, textBlock)),
    ...times(n, (index) => delta(index, { type: 'text_delta', text: 'word ' })),
    ...times(n, stop),
  ]),
  messages('open calls', (n) => [
    ...times(n, (index) => start(index, useBlock(index))),
    ...times(n, (index) => delta(index, { type: 'input_json_delta', partial_json: '{"q":1}' })),
    ...times(n, stop),
  ]),
  messages('thinking', (n) => [
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    ...times(n, () => delta(0, { type: 'thinking_delta', thinking: 'word ' })),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    stop(0),
    start(1, textBlock),
    stop(1),
  ]),
  messages('citations', (n) => [
    start(0, { type: 'text', text: '', citations: [] }),
    delta(0, { type: 'text_delta', text: 'word ' }),
    ...times(n, (index) =>
      delta(0, {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          url: `https://example.org/${index}`,
          title: 't',
          encrypted_index: 'e',
          cited_text: 'c',
        },
      }),
    ),
    stop(0),
  ]),
  messages('pings', (n) => [start(0, textBlock), ...times(n, () => ({ type: 'ping' })), stop(0)]),
];

function responses(
  name: string,
  events: (n: number) => JsonObject[],
  output: (n: number) => JsonObject[],
): GrowingStream {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5.1', error: null };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return {
    name,
    from: 'responses',
    text: (n) => {
      const all = [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        ...events(n),
        {
          type: 'response.completed',
          response: { ...response, status: 'completed', incomplete_details: null, output: output(n), usage },
        },
      ];
      return named(all.map((event, index) => ({ ...event, sequence_number: index })));
    },
  };
}

const at = (index: number, item: string): JsonObject => ({ output_index: index, item_id: item });
const open = { type: 'message', id: 'msg_0', role: 'assistant', status: 'in_progress', content: [] };
const part = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const whole = (text: string): JsonObject => ({ ...open, status: 'completed', content: [part(text)] });
const call = (index: number): JsonObject => ({
  type: 'function_call',
  id: `fc_${index}`,
  call_id: `call_${index}`,
  name: 'look',
  arguments: '',
  status: 'in_progress',
});
const done = (index: number): JsonObject => ({ ...call(index), arguments: '{"q":1}', status: 'completed' });
const url = (index: number): JsonObject => ({
  type: 'url_citation',
  url: `https://example.org/${index}`,
  title: 't',
  start_index: 0,
  end_index: 4,
});

const RESPONSES: readonly GrowingStream[] = [
  responses(
    'deltas of one text',
    (n) => [
      { type: 'response.output_item.added', output_index: 0, item: open },
      { type: 'response.content_part.added', ...at(0, 'msg_0'), content_index: 0, part: part('') },
      ...times(n, () => ({ type: 'response.output_text.delta', ...at(0, 'msg_0'), content_index: 0, delta: 'word ' })),
      { type: 'response.output_text.done', ...at(0, 'msg_0'), content_index: 0, text: 'word '.repeat(n) },
      { type: 'response.output_item.done', output_index: 0, item: whole('word '.repeat(n)) },
    ],
    (n) => [whole('word '.repeat(n))],
  ),
  responses(
    'calls',
    (n) =>
      times(n, (index) => [
        { type: 'response.output_item.added', output_index: index, item: call(index) },
        { type: 'response.function_call_arguments.delta', ...at(index, `fc_${index}`), delta: '{"q":1}' },
        { type: 'response.output_item.done', output_index: index, item: done(index) },
      ]).flat(),
    (n) => times(n, done),
  ),
  responses(
    'open calls',
    (n) => [
      ...times(n, (index) => ({ type: 'response.output_item.added', output_index: index, item: call(index) })),
      ...times(n, (index) => ({
        type: 'response.function_call_arguments.delta',
        ...at(index, `fc_${index}`),
        delta: '{"q":1}',
      })),
      ...times(n, (index) => ({ type: 'response.output_item.done', output_index: index, item: done(index) })),
    ],
    (n) => times(n, done),
  ),
  responses(
    'annotations',
    (n) => [
      { type: 'response.output_item.added', output_index: 0, item: open },
      { type: 'response.content_part.added', ...at(0, 'msg_0'), content_index: 0, part: part('') },
      { type: 'response.output_text.delta', ...at(0, 'msg_0'), content_index: 0, delta: 'word ' },
      ...times(n, (index) => ({
        type: 'response.output_text.annotation.added',
        ...at(0, 'msg_0'),
        content_index: 0,
        annotation_index: index,
        annotation: url(index),
      })),
      { type: 'response.output_item.done', output_index: 0, item: whole('word ') },
    ],
    (n) => [{ ...whole('word '), content: [{ ...part('word '), annotations: times(n, url) }] }],
  ),
];

function generateContent(name: string, chunks: (n: number) => JsonObject[]): GrowingStream {
  const usage = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const wrap = (candidate: JsonObject): JsonObject => ({
    candidates: [{ index: 0, ...candidate }],
    usageMetadata: usage,
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r',
  });
  const end = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' };
  return { name, from: 'generateContent', text: (n) => unnamed([...chunks(n), end].map(wrap)) };
}

const says = (...parts: JsonObject[]): JsonObject => ({ content: { role: 'model', parts } });
const web = (index: number): JsonObject => ({ web: { uri: `https://example.org/${index}`, title: 't' } });

const GENERATE_CONTENT: readonly GrowingStream[] = [
  generateContent('texts', (n) => times(n, () => says({ text: 'word ' }))),
  generateContent('thoughts between texts', (n) =>
    times(n, () => [says({ text: 't', thought: true }), says({ text: 'word ' })]).flat(),
  ),
  generateContent('signed texts', (n) => times(n, () => says({ text: 'word ', thoughtSignature: 'c2ln' }))),
  generateContent('calls', (n) => times(n, () => says({ functionCall: { name: 'look', args: { q: 1 } } }))),
  generateContent('calls with ids', (n) =>
    times(n, (index) => says({ functionCall: { id: `c${index}`, name: 'look', args: { q: 1 } } })),
  ),
  generateContent('calls of one chunk', (n) => [
    says(...times(n, (index) => ({ functionCall: { id: `c${index}`, name: 'look', args: {} } }))),
  ]),
  generateContent('grounding of one chunk', (n) => [
    says({ text: 'cited '.repeat(n) }),
    {
      groundingMetadata: {
        webSearchQueries: ['q'],
        groundingChunks: times(n, web),
        groundingSupports: times(n, (index) => ({
          segment: { startIndex: index * 6, endIndex: index * 6 + 5, text: 'cited' },
          groundingChunkIndices: [index],
        })),
      },
    },
  ]),
  generateContent('grounding of many chunks', (n) =>
    times(n, (index) => ({
      ...says({ text: 'cited ' }),
      groundingMetadata: {
        groundingChunks: [web(index)],
        groundingSupports: [
          { segment: { startIndex: index * 6, endIndex: index * 6 + 5, text: 'cited' }, groundingChunkIndices: [0] },
        ],
      },
    })),
  ),
];

/** Everything that a backend may send again and again within one stream. */
export const GROWING_STREAMS: readonly GrowingStream[] = [...MESSAGES, ...RESPONSES, ...GENERATE_CONTENT];
