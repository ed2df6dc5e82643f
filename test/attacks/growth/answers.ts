import type { DialectId, JsonObject } from '../../../translators/index.js';
import { content } from '../../support/wire/generate-content.js';
import { message } from '../../support/wire/messages.js';
import { messageItem, response } from '../../support/wire/responses.js';
import type { Wire } from '../../support/wire/wire.js';
import { times } from './requests.js';

/** A whole answer in which one list has `n` entries. */
export interface GrowingAnswer {
  readonly name: string;
  readonly from: DialectId;
  readonly body: (n: number) => Wire;
}

const url = (index: number): string => `https://example.org/${index}`;

const blocks = (name: string, of: (n: number) => JsonObject[]): GrowingAnswer => ({
  name,
  from: 'messages',
  body: (n) => message(of(n)),
});
const eachBlock = (name: string, of: (index: number) => JsonObject[]): GrowingAnswer =>
  blocks(name, (n) => times(n, of).flat());

const text = (index: number): JsonObject => ({ type: 'text', text: `words ${index} ` });
const webCitation = (index: number): JsonObject => ({
  type: 'web_search_result_location',
  url: url(index),
  title: 't',
  encrypted_index: 'e',
  cited_text: 'c',
});
const hit = (index: number): JsonObject => ({
  type: 'web_search_result',
  url: url(index),
  title: 't',
  encrypted_content: 'e',
  page_age: null,
});

const MESSAGES: readonly GrowingAnswer[] = [
  eachBlock('texts', (index) => [text(index)]),
  eachBlock('calls', (index) => [{ type: 'tool_use', id: `toolu_${index}`, name: 'look', input: { index } }]),
  eachBlock('thinking', (index) => [{ type: 'thinking', thinking: `t${index}`, signature: 'c2ln' }, text(index)]),
  blocks('citations of one text', (n) => [{ type: 'text', text: 'cited words', citations: times(n, webCitation) }]),
  eachBlock('cited texts', (index) => [{ type: 'text', text: `cited ${index} `, citations: [webCitation(index)] }]),
  eachBlock('searches', (index) => [
    { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_search', input: { query: 'q' } },
    { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${index}`, content: [hit(index)] },
  ]),
  eachBlock('MCP calls', (index) => [
    { type: 'mcp_tool_use', id: `mcptoolu_${index}`, name: 'look', server_name: 's', input: {} },
    {
      type: 'mcp_tool_result',
      tool_use_id: `mcptoolu_${index}`,
      is_error: false,
      content: [{ type: 'text', text: 'x' }],
    },
  ]),
  eachBlock('unknown blocks', (index) => [{ type: 'x_block', index }]),
];

const items = (name: string, of: (n: number) => Wire[]): GrowingAnswer => ({
  name,
  from: 'responses',
  body: (n) => response(of(n)),
});
const eachItem = (name: string, of: (index: number) => Wire[]): GrowingAnswer =>
  items(name, (n) => times(n, of).flat());

const said = (index: number): Wire => messageItem(`words ${index} `, {}, { id: `msg_${index}` });
const words = (index: number): Wire => ({
  type: 'output_text',
  text: `words ${index} `,
  annotations: [],
  logprobs: [],
});
const annotated = (name: string, cited: (n: number) => number, from: (index: number) => number): GrowingAnswer =>
  items(name, (n) => {
    const annotations = times(n, (index) => ({
      type: 'url_citation',
      url: url(index),
      title: 't',
      start_index: from(index),
      end_index: from(index) + 5,
    }));
    return [messageItem('cited '.repeat(cited(n)), { annotations })];
  });
const search = (index: number, sources: JsonObject[]): JsonObject => ({
  type: 'web_search_call',
  id: `ws_${index}`,
  status: 'completed',
  action: { type: 'search', query: 'q', sources },
});
const source = (index: number): JsonObject => ({ type: 'url', url: url(index) });

const RESPONSES: readonly GrowingAnswer[] = [
  eachItem('messages', (index) => [said(index)]),
  items('parts of one message', (n) => [messageItem('', {}, { content: times(n, words) })]),
  eachItem('calls', (index) => [
    {
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name: 'look',
      arguments: '{}',
      status: 'completed',
    },
  ]),
  eachItem('reasoning', (index) => [
    {
      type: 'reasoning',
      id: `rs_${index}`,
      summary: [{ type: 'summary_text', text: `t${index}` }],
      encrypted_content: 'gAAAA',
    },
    said(index),
  ]),
  annotated(
    'annotations',
    () => 20,
    (index) => index % 100,
  ),
  annotated(
    'annotations along a long text',
    (n) => n,
    (index) => index * 6,
  ),
  eachItem('searches', (index) => [search(index, [source(index)])]),
  items('sources of one search', (n) => [search(1, times(n, source)), said(0)]),
  eachItem('unknown items', (index) => [{ type: 'x_item', id: `x_${index}` }]),
];

const candidates = (name: string, candidate: (n: number) => JsonObject): GrowingAnswer => ({
  name,
  from: 'generateContent',
  body: (n) => content([{ text: 'hi' }], candidate(n)),
});
const eachPart = (name: string, of: (index: number) => JsonObject[]): GrowingAnswer =>
  candidates(`parts: ${name}`, (n) => ({ content: { role: 'model', parts: times(n, of).flat() } }));

export const chunk = (index: number): JsonObject => ({ web: { uri: url(index), title: 't' } });
/** What says that the word number `place` of a text is of these chunks. */
export const support = (place: number, ...chunks: readonly number[]): JsonObject => ({
  segment: { startIndex: place * 6, endIndex: place * 6 + 5, text: 'cited' },
  groundingChunkIndices: chunks,
});
/** A text in which every word has a source. */
const grounded = (n: number): JsonObject => ({
  content: { role: 'model', parts: [{ text: 'cited '.repeat(n) }] },
  groundingMetadata: {
    webSearchQueries: ['q'],
    groundingChunks: times(n, chunk),
    groundingSupports: times(n, (index) => support(index, index)),
  },
});

const GENERATE_CONTENT: readonly GrowingAnswer[] = [
  eachPart('texts', (index) => [{ text: `words ${index} ` }]),
  eachPart('signed texts', (index) => [{ text: `words ${index} `, thoughtSignature: 'c2ln' }]),
  eachPart('thoughts between texts', (index) => [{ text: `t${index}`, thought: true }, { text: `words ${index} ` }]),
  eachPart('calls', (index) => [{ functionCall: { name: 'look', args: { index } } }]),
  eachPart('calls with ids', (index) => [{ functionCall: { id: `c${index}`, name: 'look', args: { index } } }]),
  eachPart('executed code', (index) => [
    { executableCode: { language: 'PYTHON', code: `${index}` } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
  ]),
  candidates('grounding along a long text', grounded),
  candidates('grounding of one text', (n) => ({
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
