import { hearMessages } from './heard.js';
import {
  type Cut,
  type DialectWire,
  inOne,
  listOf,
  printNamed,
  readAnswerShapes,
  type Said,
  textOf,
  type Wire,
  without,
} from './wire.js';

/** Answers as [M §4], with the picture that is our extension of it (translation.md 5.1). */
const SHAPES = `
Answer: id! string, type! 'message', role! 'assistant', model! string, content! Block[],
  stop_reason! 'end_turn'|'max_tokens'|'stop_sequence'|'tool_use'|'pause_turn'|'refusal'
    |'model_context_window_exceeded'|'compaction',
  stop_sequence! string|null, stop_details? Details|null, container? null, diagnostics? null, usage! Usage, container@heard object|null,
  context_management@heard object|null
Details: type! 'refusal', category! string|null, explanation! string|null
Usage: input_tokens! int, output_tokens! int, cache_creation_input_tokens? int, cache_read_input_tokens? int,
  cache_creation? Creation|null, output_tokens_details? ThinkingTokens|null, server_tool_use? ServerCalls|null,
  service_tier? 'standard'|'priority'|'batch'|null, inference_geo? null, speed? null, inference_geo@heard string|null
Creation: ephemeral_5m_input_tokens! int, ephemeral_1h_input_tokens! int
ThinkingTokens: thinking_tokens! int
ServerCalls: web_search_requests int, web_fetch_requests int
Block by type: text Text, thinking Thinking, tool_use ToolUse, server_tool_use ServerToolUse, mcp_tool_use McpToolUse,
  web_search_tool_result SearchResult, web_fetch_tool_result FetchResult, code_execution_tool_result CodeResult,
  mcp_tool_result McpResult, image Image, redacted_thinking@heard Redacted,
  container_upload|compaction@heard object
Text: type! string, text! string, citations? Citation[]|null
Thinking: thinking! string, signature! string
ToolUse: id! string, name! string, input! object, caller? Direct
Direct: type! 'direct'
ServerToolUse: id! string, name! 'web_search'|'web_fetch'|'code_execution', input! object, caller? Direct
McpToolUse: id! string, name! string, server_name! string, input! object
SearchResult: tool_use_id! string, content! SearchHit[]|SearchError, caller? Direct
SearchHit: type! 'web_search_result', url! string, title! string, encrypted_content! string, page_age! string|null
SearchError: type! 'web_search_tool_result_error',
  error_code! 'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'query_too_long'
    |'request_too_large'
FetchResult: tool_use_id! string, content! FetchContent, caller? Direct
FetchContent by type: web_fetch_result Fetched, web_fetch_tool_result_error FetchError
Fetched: url! string, retrieved_at! string|null, content! Document
Document: type! 'document', source! Plain, title? string|null
Plain: type! 'text', media_type! 'text/plain', data! string
FetchError:
  error_code! 'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'url_too_long'
    |'url_not_allowed'|'url_not_in_prior_context'|'url_not_accessible'|'unsupported_content_type'
    |'content_too_large'
CodeResult: tool_use_id! string, content! CodeContent
CodeContent by type: code_execution_result Ran, code_execution_tool_result_error RunError
Ran: stdout! string, stderr! string, return_code! int, content! object[]
RunError: error_code! 'invalid_tool_input'|'unavailable'|'too_many_requests'|'execution_time_exceeded'
McpResult: tool_use_id! string, is_error! bool, content! Text[]
Image: source! ImageSource
ImageSource by type: base64 Inline, url Linked
Inline: media_type! string, data! base64
Linked: url! string
Citation by type: web_search_result_location Web, char_location|page_location|content_block_location InDocument
Web: url! string, title! string|null, encrypted_index! string, cited_text! string
InDocument: document_index! int, document_title! string|null, cited_text! string, file_id null, start_char_index int,
  end_char_index int, start_page_number int, end_page_number int, start_block_index int, end_block_index int
Redacted: data! string
`;

/** A whole answer of these blocks [M §4.1]. */
export function message(content: readonly object[], more: object = {}): Wire {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-real',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
    ...more,
  };
}

/** Counts that only the first event has, and those that only the last one has [M §5.4]. */
const OF_THE_START = ['cache_creation', 'service_tier', 'inference_geo'];
const OF_THE_END = ['output_tokens_details', 'server_tool_use', 'iterations'];

/** The events of a stream that gives an answer [M §5.2]. */
export function messageEvents(answer: Wire, cut: Cut = inOne): Wire[] {
  const { stop_reason, stop_sequence = null, stop_details, usage, ...envelope } = answer;
  const counts = usage as Wire;
  const start = { ...without(counts, ...OF_THE_END), output_tokens: 1 };
  const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
  return [
    {
      type: 'message_start',
      message: { ...envelope, content: [], stop_reason: null, stop_sequence: null, usage: start },
    },
    ...listOf(answer.content).flatMap((block, index) => blockEvents(block, index, cut)),
    { type: 'message_delta', delta, usage: without(counts, ...OF_THE_START) },
    { type: 'message_stop' },
  ];
}

/** The events of one block [M §5.3]; of a block of another kind the first event has all. */
export function blockEvents(block: Wire, index: number, cut: Cut): Wire[] {
  return [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block, cut).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function emptied(block: Wire): Wire {
  switch (block.type) {
    case 'text':
      return { ...block, text: '', ...(Array.isArray(block.citations) && { citations: [] }) };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltasOf(block: Wire, cut: Cut): Wire[] {
  switch (block.type) {
    case 'text':
      return [
        ...cut(textOf(block.text), 'text', block).map((text) => ({ type: 'text_delta', text })),
        ...listOf(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
      ];
    case 'thinking':
      return [
        ...cut(textOf(block.thinking), 'thinking', block).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const pieces = cut(JSON.stringify(block.input), 'input', block);
      return pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    }
    default:
      return [];
  }
}

/** What is said as a block. */
export function messageBlock(said: Said): Wire {
  switch (said.kind) {
    case 'text':
      return { type: 'text', text: said.text };
    case 'thought':
      return { type: 'thinking', thinking: said.text, signature: said.state ?? 'c2lnbmF0dXJl' };
    case 'call':
      return { type: 'tool_use', id: said.id, name: said.name, input: JSON.parse(said.args) };
  }
}

export const messagesWire: DialectWire = {
  shapes: readAnswerShapes(SHAPES),
  hear: hearMessages,
  say: (parts) =>
    message(parts.map(messageBlock), parts.some(({ kind }) => kind === 'call') ? { stop_reason: 'tool_use' } : {}),
  events: messageEvents,
  print: printNamed,
  frames: (answer, cut) => messageEvents(answer, cut).map(printNamed),
};
