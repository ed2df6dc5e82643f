import { completion as h } from '../wire/chat-completions.js';
import { content as g } from '../wire/generate-content.js';
import { message as m } from '../wire/messages.js';
import { messageItem, response as r } from '../wire/responses.js';
import type { Wire } from '../wire/wire.js';
import { PNG } from './bodies.js';
import type { Area, Row } from './probe.js';

type Fields = Wire;

const mText = { type: 'text', text: 'It rains.' };
const rText = (more: Fields = {}, item: Fields = {}): Fields => messageItem('It rains.', more, item);
const gText = { text: 'It rains.' };
const hText = { content: 'It rains.' };
const texts = { messages: m([mText]), responses: r([rText()]), generateContent: g([gText]), chatCompletions: h(hText) };

const mSearch = (content: unknown): Fields[] => [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content },
];
const hit = { type: 'web_search_result', url: 'https://a.example', title: 't', encrypted_content: 'e', page_age: null };
const grounded = {
  webSearchQueries: ['q'],
  groundingChunks: [{ web: { uri: 'https://a.example', title: 't' } }],
  groundingSupports: [{ segment: { startIndex: 0, endIndex: 9, text: 'It rains.' }, groundingChunkIndices: [0] }],
};
const ended = (stop_reason: string, more: Fields = {}): Fields => m([mText], { stop_reason, ...more });
const incomplete = (reason: string): Fields => r([rText()], { status: 'incomplete', incomplete_details: { reason } });

const row = (feature: string, says: Row['says'], without: Row['without'] = texts): Row => ({ feature, says, without });

/** What an answer may hold (translation.md 5). */
export const ANSWERS: readonly Area[] = [
  {
    name: 'Parts of an answer',
    rows: [
      { feature: 'text', says: texts },
      row('refusal', {
        messages: m([{ type: 'text', text: 'No.' }], { stop_reason: 'refusal' }),
        responses: r([
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'refusal', refusal: 'No.' }],
          },
        ]),
        chatCompletions: h({ content: null, refusal: 'No.' }),
      }),
      row('call', {
        messages: m([{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 'x' } }], { stop_reason: 'tool_use' }),
        responses: r([
          { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a":"x"}', status: 'completed' },
        ]),
        generateContent: g([{ functionCall: { id: 'c1', name: 'f', args: { a: 'x' } } }]),
        chatCompletions: h(
          {
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":"x"}' } }],
          },
          { finish_reason: 'tool_calls' },
        ),
      }),
      row('call cut by the token limit', {
        responses: r(
          [{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a', status: 'incomplete' }],
          { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        ),
        chatCompletions: h(
          { content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a' } }] },
          { finish_reason: 'length' },
        ),
      }),
      row('reasoning with its state', {
        messages: m([{ type: 'thinking', thinking: 'So.', signature: 's' }, mText]),
        responses: r([
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'So.' }],
            encrypted_content: 'e',
          },
          rText(),
        ]),
        generateContent: g([
          { text: 'So.', thought: true },
          { ...gText, thoughtSignature: 'c2ln' },
        ]),
        chatCompletions: h({ ...hText, reasoning_content: 'So.' }),
      }),
      row('redacted reasoning', { messages: m([{ type: 'redacted_thinking', data: 'd' }, mText]) }),
      row('web search with its hits', {
        messages: m([...mSearch([hit]), mText]),
        responses: r([
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://a.example' }] },
          },
          rText(),
        ]),
        generateContent: g([gText], { groundingMetadata: grounded }),
      }),
      row('URL fetch', {
        messages: m([
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_fetch', input: { url: 'https://a.example' } },
          {
            type: 'web_fetch_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: {
              type: 'web_fetch_result',
              url: 'https://a.example',
              retrieved_at: null,
              content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
            },
          },
          mText,
        ]),
        generateContent: g([gText], {
          urlContextMetadata: {
            urlMetadata: [{ retrievedUrl: 'https://a.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
          },
        }),
      }),
      row('code that was run', {
        messages: m([
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: { code: 'print(1)' } },
          {
            type: 'code_execution_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: { type: 'code_execution_result', stdout: '1', stderr: '', return_code: 0, content: [] },
          },
          mText,
        ]),
        responses: r([
          {
            type: 'code_interpreter_call',
            id: 'ci_1',
            status: 'completed',
            code: 'print(1)',
            container_id: 'cntr_1',
            outputs: [{ type: 'logs', logs: '1' }],
          },
          rText(),
        ]),
        generateContent: g([
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          gText,
        ]),
      }),
      row('file search', {
        responses: r([
          { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['q'], results: [] },
          rText(),
        ]),
      }),
      row('MCP call', {
        messages: m([
          { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'f', server_name: 's', input: {} },
          {
            type: 'mcp_tool_result',
            tool_use_id: 'mcptoolu_1',
            is_error: false,
            content: [{ type: 'text', text: 'r' }],
          },
          mText,
        ]),
        responses: r([
          { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'f', arguments: '{}', output: 'r' },
          rText(),
        ]),
      }),
      row('picture', {
        responses: r([{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PNG }, rText()]),
        generateContent: g([gText, { inlineData: { mimeType: 'image/png', data: PNG } }]),
        chatCompletions: h({
          ...hText,
          images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
        }),
      }),
      row('sound', {
        generateContent: g([{ inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }]),
        chatCompletions: h({
          content: null,
          audio: { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'Hi.' },
        }),
      }),
      row('sources of a text', {
        messages: m([
          {
            ...mText,
            citations: [
              {
                type: 'web_search_result_location',
                url: 'https://a.example',
                title: 't',
                cited_text: 'c',
                encrypted_index: 'e',
              },
            ],
          },
        ]),
        responses: r([
          rText({
            annotations: [{ type: 'url_citation', url: 'https://a.example', title: 't', start_index: 0, end_index: 9 }],
          }),
        ]),
        generateContent: g([gText], {
          groundingMetadata: { ...grounded, webSearchQueries: undefined },
        }),
        chatCompletions: h({
          ...hText,
          annotations: [
            {
              type: 'url_citation',
              url_citation: { url: 'https://a.example', title: 't', start_index: 0, end_index: 9 },
            },
          ],
        }),
      }),
      row('places in documents', {
        messages: m([
          {
            ...mText,
            citations: [
              {
                type: 'char_location',
                cited_text: 'c',
                document_index: 0,
                document_title: 't',
                start_char_index: 0,
                end_char_index: 1,
              },
            ],
          },
        ]),
        responses: r([
          rText({ annotations: [{ type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 9 }] }),
        ]),
      }),
      row('log probabilities', {
        responses: r([rText({ logprobs: [{ token: 'It rains.', logprob: -0.1, bytes: [73], top_logprobs: [] }] })]),
        generateContent: g([gText], {
          logprobsResult: { chosenCandidates: [{ token: 'It rains.', logProbability: -0.1 }], topCandidates: [] },
        }),
        chatCompletions: h(hText, {
          logprobs: { content: [{ token: 'It rains.', logprob: -0.1, bytes: [73], top_logprobs: [] }], refusal: null },
        }),
      }),
      row('phase of a message', { responses: r([rText({}, { phase: 'commentary' })]) }),
    ],
  },
  {
    name: 'End of an answer',
    rows: [
      row('token limit', {
        messages: ended('max_tokens'),
        responses: incomplete('max_output_tokens'),
        generateContent: g([gText], { finishReason: 'MAX_TOKENS' }),
        chatCompletions: h(hText, { finish_reason: 'length' }),
      }),
      row('full context window', {
        messages: ended('model_context_window_exceeded'),
        chatCompletions: h(hText, { finish_reason: 'model_length' }),
      }),
      row('stop string', {
        messages: ended('stop_sequence', { stop_sequence: 'END' }),
        chatCompletions: h(hText, { stop_reason: 'END' }),
      }),
      row('filter', {
        responses: incomplete('content_filter'),
        generateContent: g([gText], { finishReason: 'SAFETY' }),
        chatCompletions: h(hText, { finish_reason: 'content_filter' }),
      }),
      row('prompt was blocked', {
        generateContent: { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'm', responseId: 'g1' },
      }),
      row('pause that nobody resumed', { messages: ended('pause_turn') }),
      row('call that the model itself broke', {
        generateContent: g([gText], { finishReason: 'MALFORMED_FUNCTION_CALL' }),
        chatCompletions: h(
          { content: null },
          { finish_reason: 'error', native_finish_reason: 'MALFORMED_FUNCTION_CALL' },
        ),
      }),
      row('failure', {
        responses: r([], { status: 'failed', error: { code: 'server_error', message: 'failed' } }),
        chatCompletions: h({ content: null }, { finish_reason: 'error' }),
      }),
    ],
  },
  {
    name: 'Figures',
    rows: [
      row('tokens in and out', texts),
      row('tokens read from the cache', {
        messages: m([mText], { usage: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 2 } }),
        responses: r([rText()], {
          usage: { input_tokens: 5, input_tokens_details: { cached_tokens: 2 }, output_tokens: 2, total_tokens: 7 },
        }),
        generateContent: g(
          [gText],
          {},
          {
            usageMetadata: {
              promptTokenCount: 5,
              cachedContentTokenCount: 2,
              candidatesTokenCount: 2,
              totalTokenCount: 7,
            },
          },
        ),
        chatCompletions: h(
          hText,
          {},
          {
            usage: {
              prompt_tokens: 5,
              completion_tokens: 2,
              total_tokens: 7,
              prompt_tokens_details: { cached_tokens: 2 },
            },
          },
        ),
      }),
      row('tokens written to the cache', {
        messages: m([mText], { usage: { input_tokens: 3, output_tokens: 2, cache_creation_input_tokens: 2 } }),
        responses: r([rText()], {
          usage: {
            input_tokens: 5,
            input_tokens_details: { cache_write_tokens: 2 },
            output_tokens: 2,
            total_tokens: 7,
          },
        }),
        chatCompletions: h(
          hText,
          {},
          {
            usage: {
              prompt_tokens: 5,
              completion_tokens: 2,
              total_tokens: 7,
              prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 2 },
            },
          },
        ),
      }),
      row('tokens of reasoning', {
        messages: m([mText], {
          usage: { input_tokens: 3, output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } },
        }),
        responses: r([rText()], {
          usage: { input_tokens: 3, output_tokens: 5, output_tokens_details: { reasoning_tokens: 3 }, total_tokens: 8 },
        }),
        generateContent: g(
          [gText],
          {},
          {
            usageMetadata: {
              promptTokenCount: 3,
              thoughtsTokenCount: 3,
              candidatesTokenCount: 2,
              totalTokenCount: 8,
            },
          },
        ),
        chatCompletions: h(
          hText,
          {},
          {
            usage: {
              prompt_tokens: 3,
              completion_tokens: 5,
              total_tokens: 8,
              completion_tokens_details: { reasoning_tokens: 3 },
            },
          },
        ),
      }),
      row('hosted calls', {
        messages: m([mText], {
          usage: { input_tokens: 3, output_tokens: 2, server_tool_use: { web_search_requests: 1 } },
        }),
      }),
      row('service tier', {
        messages: m([mText], { usage: { input_tokens: 3, output_tokens: 2, service_tier: 'priority' } }),
        responses: r([rText()], { service_tier: 'priority' }),
        chatCompletions: h(hText, {}, { service_tier: 'priority' }),
      }),
      row('safety ratings, average log probability', {
        generateContent: g([gText], {
          avgLogprobs: -0.5,
          safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
        }),
      }),
      row(
        'search suggestions to be shown',
        {
          generateContent: g([gText], {
            groundingMetadata: { ...grounded, searchEntryPoint: { renderedContent: '<div/>' } },
          }),
        },
        { generateContent: g([gText], { groundingMetadata: grounded }) },
      ),
      row('several candidates', {
        generateContent: {
          ...g([gText]),
          candidates: [0, 1].map((index) => ({
            content: { role: 'model', parts: [gText] },
            finishReason: 'STOP',
            index,
          })),
        },
        chatCompletions: {
          ...h(hText),
          choices: [0, 1].map((index) => ({ index, message: { role: 'assistant', ...hText }, finish_reason: 'stop' })),
        },
      }),
    ],
  },
];
