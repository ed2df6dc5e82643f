import type { DialectId, JsonObject } from '../../../translators/index.js';
import { times } from './requests.js';

/** A whole answer in which one list has `n` entries. */
export interface GrowingAnswer {
  readonly name: string;
  readonly from: DialectId;
  readonly body: (n: number) => JsonObject;
}

function messages(name: string, content: (n: number) => JsonObject[]): GrowingAnswer {
  return {
    name,
    from: 'messages',
    body: (n) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: content(n),
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  };
}

const MESSAGES: readonly GrowingAnswer[] = [
  messages('texts', (n) => times(n, (index) => ({ type: 'text', text: `words ${index} ` }))),
  messages('calls', (n) =>
    times(n, (index) => ({ type: 'tool_use', id: `toolu_${index}`, name: 'look', input: { index } })),
  ),
  messages('thinking', (n) =>
    times(n, (index) => [
      { type: 'thinking', thinking: `t${index}`, signature: 'c2ln' },
      { type: 'text', text: `words ${index} ` },
    ]).flat(),
  ),
  messages('citations of one text', (n) => [
    {
      type: 'text',
      text: 'cited words',
      citations: times(n, (index) => ({
        type: 'web_search_result_location',
        url: `https://example.org/${index}`,
        title: 't',
        encrypted_index: 'e',
        cited_text: 'c',
      })),
    },
  ]),
  messages('cited texts', (n) =>
    times(n, (index) => ({
      type: 'text',
      text: `cited ${index} `,
      citations: [
        {
          type: 'web_search_result_location',
          url: `https://example.org/${index}`,
          title: 't',
          encrypted_index: 'e',
          cited_text: 'c',
        },
      ],
    })),
  ),
  messages('searches', (n) =>
    times(n, (index) => [
      { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: `srvtoolu_${index}`,
        content: [
          {
            type: 'web_search_result',
            url: `https://example.org/${index}`,
            title: 't',
            encrypted_content: 'e',
            page_age: null,
          },
        ],
      },
    ]).flat(),
  ),
  messages('MCP calls', (n) =>
    times(n, (index) => [
      { type: 'mcp_tool_use', id: `mcptoolu_${index}`, name: 'look', server_name: 's', input: {} },
      {
        type: 'mcp_tool_result',
        tool_use_id: `mcptoolu_${index}`,
        is_error: false,
        content: [{ type: 'text', text: 'x' }],
      },
    ]).flat(),
  ),
  messages('unknown blocks', (n) => times(n, (index) => ({ type: 'x_block', index }))),
];

function responses(name: string, output: (n: number) => JsonObject[]): GrowingAnswer {
  return {
    name,
    from: 'responses',
    body: (n) => ({
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'gpt-5.1',
      status: 'completed',
      error: null,
      incomplete_details: null,
      output: output(n),
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }),
  };
}

const said = (index: number, content: JsonObject[]): JsonObject => ({
  type: 'message',
  id: `msg_${index}`,
  role: 'assistant',
  status: 'completed',
  content,
});
const words = (text: string, annotations: JsonObject[] = []): JsonObject => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});

const RESPONSES: readonly GrowingAnswer[] = [
  responses('messages', (n) => times(n, (index) => said(index, [words(`words ${index} `)]))),
  responses('parts of one message', (n) => [
    said(
      0,
      times(n, (index) => words(`words ${index} `)),
    ),
  ]),
  responses('calls', (n) =>
    times(n, (index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name: 'look',
      arguments: '{}',
      status: 'completed',
    })),
  ),
  responses('reasoning', (n) =>
    times(n, (index) => [
      {
        type: 'reasoning',
        id: `rs_${index}`,
        summary: [{ type: 'summary_text', text: `t${index}` }],
        encrypted_content: 'gAAAA',
      },
      said(index, [words(`words ${index} `)]),
    ]).flat(),
  ),
  responses('annotations', (n) => [
    said(0, [
      words(
        'cited '.repeat(20),
        times(n, (index) => ({
          type: 'url_citation',
          url: `https://example.org/${index}`,
          title: 't',
          start_index: index % 100,
          end_index: (index % 100) + 5,
        })),
      ),
    ]),
  ]),
  responses('annotations along a long text', (n) => [
    said(0, [
      words(
        'cited '.repeat(n),
        times(n, (index) => ({
          type: 'url_citation',
          url: `https://example.org/${index}`,
          title: 't',
          start_index: index * 6,
          end_index: index * 6 + 5,
        })),
      ),
    ]),
  ]),
  responses('searches', (n) =>
    times(n, (index) => ({
      type: 'web_search_call',
      id: `ws_${index}`,
      status: 'completed',
      action: { type: 'search', query: 'q', sources: [{ type: 'url', url: `https://example.org/${index}` }] },
    })),
  ),
  responses('sources of one search', (n) => [
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: {
        type: 'search',
        query: 'q',
        sources: times(n, (index) => ({ type: 'url', url: `https://example.org/${index}` })),
      },
    },
    said(0, [words('found')]),
  ]),
  responses('unknown items', (n) => times(n, (index) => ({ type: 'x_item', id: `x_${index}` }))),
];

function generateContent(name: string, candidate: (n: number) => JsonObject): GrowingAnswer {
  return {
    name,
    from: 'generateContent',
    body: (n) => ({
      candidates: [
        { content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0, ...candidate(n) },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r',
    }),
  };
}

function parts(name: string, of: (index: number) => JsonObject[]): GrowingAnswer {
  return generateContent(`parts: ${name}`, (n) => ({ content: { role: 'model', parts: times(n, of).flat() } }));
}

const chunk = (index: number): JsonObject => ({ web: { uri: `https://example.org/${index}`, title: 't' } });

const GENERATE_CONTENT: readonly GrowingAnswer[] = [
  parts('texts', (index) => [{ text: `words ${index} ` }]),
  parts('signed texts', (index) => [{ text: `words ${index} `, thoughtSignature: 'c2ln' }]),
  parts('thoughts between texts', (index) => [{ text: `t${index}`, thought: true }, { text: `words ${index} ` }]),
  parts('calls', (index) => [{ functionCall: { name: 'look', args: { index } } }]),
  parts('calls with ids', (index) => [{ functionCall: { id: `c${index}`, name: 'look', args: { index } } }]),
  parts('executed code', (index) => [
    { executableCode: { language: 'PYTHON', code: `${index}` } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
  ]),
  generateContent('grounding along a long text', (n) => ({
    content: { role: 'model', parts: [{ text: 'cited '.repeat(n) }] },
    groundingMetadata: {
      webSearchQueries: ['q'],
      groundingChunks: times(n, chunk),
      groundingSupports: times(n, (index) => ({
        segment: { startIndex: index * 6, endIndex: index * 6 + 5, text: 'cited' },
        groundingChunkIndices: [index],
      })),
    },
  })),
  generateContent('grounding of one text', (n) => ({
    groundingMetadata: {
      webSearchQueries: times(n, (index) => `q${index}`),
      groundingChunks: times(n, chunk),
      groundingSupports: [
        { segment: { startIndex: 0, endIndex: 2, text: 'hi' }, groundingChunkIndices: times(n, (i) => i) },
      ],
    },
  })),
];

/** Every list of a whole answer that a backend makes as long as it likes. */
export const GROWING_ANSWERS: readonly GrowingAnswer[] = [...MESSAGES, ...RESPONSES, ...GENERATE_CONTENT];
