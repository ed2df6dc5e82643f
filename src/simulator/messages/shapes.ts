import type { Shapes } from '../shape.js';

const SAMPLING = { temperature: 'number', top_p: 'number', top_k: 'int' };

/** Top-level fields that need a beta header or query [M §2.1]. */
const BETA = {
  mcp_servers: 'object[]',
  context_management: 'object|null',
  compaction: 'object',
  fallbacks: "'default'|object[]",
  fallback_credit_token: 'string',
  billing_policy: 'any',
  thread: 'object',
  output_format: 'OutputFormat|null',
  speed: "'standard'|'fast'|null",
};

const REQUEST = {
  model: 'string!',
  messages: 'Message[]!',
  system: 'string|SystemText[]',
  stop_sequences: 'string[]|null',
  stream: 'bool',
  metadata: 'Metadata',
  tools: 'Tool[]',
  tool_choice: 'ToolChoice',
  thinking: 'Thinking',
  output_config: 'OutputConfig|null',
  cache_control: 'CacheControl|null',
  service_tier: "'auto'|'standard_only'",
  inference_geo: 'string|null',
  container: 'string|object|null',
  diagnostics: 'object|null',
};

const CACHE = { cache_control: 'CacheControl|null' };
const CALL = { input: 'object!', caller: 'object|null' };
const RESULT = { tool_use_id: 'string!', content: 'any!', is_error: 'bool', caller: 'object|null', ...CACHE };

const SERVER_TOOL_NAMES = [
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
  'advisor',
];

const RESULT_TYPES = [
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_result',
];

const FREE_BLOCKS = ['compaction', 'fallback', 'mcp_tool_listing', 'tool_addition', 'tool_removal', 'browser_state'];

const BLOCKS = {
  TextBlock: { type: "'text'!", text: 'string!', citations: 'Citation[]|null', ...CACHE },
  ImageBlock: { type: "'image'!", source: 'ImageSource!', transformations: 'object', ...CACHE },
  DocumentBlock: {
    type: "'document'!",
    source: 'DocumentSource!',
    title: 'string|null',
    context: 'string|null',
    citations: 'Enabled|null',
    ...CACHE,
  },
  SearchResultBlock: {
    type: "'search_result'!",
    source: 'string!',
    title: 'string!',
    content: 'TextBlock[]!',
    citations: 'Enabled',
    ...CACHE,
  },
  ThinkingBlock: { type: "'thinking'!", thinking: 'string!', signature: 'string!' },
  RedactedBlock: { type: "'redacted_thinking'!", data: 'string!' },
  ToolUseBlock: {
    type: "'tool_use'!",
    id: 'string!',
    name: 'string!',
    ...CALL,
    toolset_name: 'string',
    ...CACHE,
  },
  ToolResultBlock: {
    type: "'tool_result'!",
    tool_use_id: 'string!',
    content: 'string|ResultPart[]',
    is_error: 'bool',
    toolset_name: 'string',
    ...CACHE,
  },
  ServerToolUseBlock: {
    type: "'server_tool_use'!",
    id: 'string!',
    name: `${SERVER_TOOL_NAMES.map((name) => `'${name}'`).join('|')}!`,
    ...CALL,
    ...CACHE,
  },
  McpToolUseBlock: {
    type: "'mcp_tool_use'!",
    id: 'string!',
    name: 'string!',
    server_name: 'string!',
    input: 'object!',
    ...CACHE,
  },
  ContainerUpload: { type: "'container_upload'!", file_id: 'string!', ...CACHE },
  ToolReference: { type: "'tool_reference'!", tool_name: 'string!', ...CACHE },
};

const SOURCES = {
  ImageSource: { $by: 'type', base64: 'ImageBytes', url: 'UrlSource', file: 'FileSource' },
  ImageBytes: {
    type: "'base64'!",
    media_type: "'image/jpeg'|'image/png'|'image/gif'|'image/webp'!",
    data: 'base64!',
  },
  UrlSource: { type: "'url'!", url: 'string!' },
  FileSource: { type: "'file'!", file_id: 'string!' },
  DocumentSource: {
    $by: 'type',
    base64: 'PdfBytes',
    text: 'PlainText',
    content: 'BlockSource',
    url: 'UrlSource',
    file: 'FileSource',
  },
  PdfBytes: { type: "'base64'!", media_type: "'application/pdf'!", data: 'base64!' },
  PlainText: { type: "'text'!", media_type: "'text/plain'!", data: 'string!' },
  BlockSource: { type: "'content'!", content: 'string|InnerPart[]!' },
  InnerPart: { $by: 'type', text: 'TextBlock', image: 'ImageBlock' },
};

const CITED = { type: 'string!', cited_text: 'string!' };
const DOCUMENT = { document_index: 'int!', document_title: 'string|null' };
const CITATIONS = {
  Citation: {
    $by: 'type',
    char_location: 'CharCitation',
    page_location: 'PageCitation',
    content_block_location: 'BlockCitation',
    search_result_location: 'SearchCitation',
    web_search_result_location: 'WebCitation',
  },
  CharCitation: { ...CITED, ...DOCUMENT, start_char_index: 'int!', end_char_index: 'int!' },
  PageCitation: { ...CITED, ...DOCUMENT, start_page_number: 'int!', end_page_number: 'int!' },
  BlockCitation: { ...CITED, ...DOCUMENT, start_block_index: 'int!', end_block_index: 'int!' },
  SearchCitation: {
    ...CITED,
    search_result_index: 'int!',
    source: 'string!',
    title: 'string|null',
    start_block_index: 'int!',
    end_block_index: 'int!',
  },
  WebCitation: { ...CITED, url: 'string!', title: 'string|null', encrypted_index: 'string!' },
};

const DISPLAY = "'summarized'|'omitted'|'updates'|null";

const SETTINGS = {
  Message: { role: "'user'|'assistant'|'system'!", content: 'string|Block[]!' },
  SystemText: { $by: 'type', text: 'TextBlock' },
  Metadata: { user_id: 'string|null' },
  CacheControl: { type: "'ephemeral'!", ttl: "'5m'|'1h'" },
  Enabled: { enabled: 'bool' },
  ToolChoice: { $by: 'type', auto: 'FreeChoice', any: 'FreeChoice', tool: 'NamedChoice', none: 'NoChoice' },
  FreeChoice: { type: 'string!', disable_parallel_tool_use: 'bool' },
  NamedChoice: { type: 'string!', name: 'string!', disable_parallel_tool_use: 'bool' },
  NoChoice: { type: 'string!' },
  Thinking: {
    $by: 'type',
    enabled: 'BudgetThinking',
    adaptive: 'OpenThinking',
    disabled: 'NoChoice',
    between_tools: 'OpenThinking',
  },
  BudgetThinking: { type: 'string!', budget_tokens: 'int!', display: DISPLAY, block_binding: 'object' },
  OpenThinking: { type: 'string!', display: DISPLAY, block_binding: 'object' },
  OutputConfig: {
    effort: "'low'|'medium'|'high'|'xhigh'|'max'|null",
    format: 'OutputFormat|null',
    task_budget: 'object|null',
  },
  OutputFormat: { type: "'json_schema'!", schema: 'object!' },
};

const TOOLS = {
  // Built-in tools are dated and many; only their `type` is looked at, in the rules.
  Tool: { $by: 'type', $default: 'CustomTool', $open: 'yes', custom: 'CustomTool' },
  CustomTool: {
    type: "'custom'|null",
    name: 'string!',
    description: 'string',
    input_schema: 'object!',
    strict: 'bool|null',
    eager_input_streaming: 'bool|null',
    defer_loading: 'bool',
    allowed_callers: 'string[]',
    input_examples: 'object[]',
    ...CACHE,
  },
};

function blockUnion(): Record<string, string> {
  const results = Object.fromEntries(RESULT_TYPES.map((type) => [type, `Result_${type}`]));
  const free = Object.fromEntries(FREE_BLOCKS.map((type) => [type, 'object']));
  return {
    $by: 'type',
    text: 'TextBlock',
    image: 'ImageBlock',
    document: 'DocumentBlock',
    search_result: 'SearchResultBlock',
    thinking: 'ThinkingBlock',
    redacted_thinking: 'RedactedBlock',
    tool_use: 'ToolUseBlock',
    tool_result: 'ToolResultBlock',
    server_tool_use: 'ServerToolUseBlock',
    mcp_tool_use: 'McpToolUseBlock',
    container_upload: 'ContainerUpload',
    ...results,
    ...free,
  };
}

const RESULT_SHAPES = Object.fromEntries(
  RESULT_TYPES.map((type) => [`Result_${type}`, { type: `'${type}'!`, ...RESULT }]),
);

/** The closed shapes of a create request [M §2]. */
export function messagesShapes(version: string, beta: boolean): Shapes {
  return {
    Request: {
      ...REQUEST,
      max_tokens: 'int!',
      ...(version === '2026-10-21' ? {} : SAMPLING),
      ...(beta ? BETA : {}),
    },
    CountRequest: pick(REQUEST, ['stream', 'metadata', 'stop_sequences', 'service_tier', 'container', 'inference_geo']),
    ...BLOCKS,
    ...SOURCES,
    ...CITATIONS,
    ...SETTINGS,
    ...TOOLS,
    ...RESULT_SHAPES,
    Block: blockUnion(),
    ResultPart: {
      $by: 'type',
      text: 'TextBlock',
      image: 'ImageBlock',
      document: 'DocumentBlock',
      search_result: 'SearchResultBlock',
      tool_reference: 'ToolReference',
      browser_state: 'object',
    },
  };
}

function pick(shape: Record<string, string>, without: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(shape).filter(([key]) => !without.includes(key)));
}
