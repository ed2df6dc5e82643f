import { readShapes, type Shapes } from '../shape.js';

/**
 * The closed shapes of a create request and of a count request [M §2]. Variants: `beta` for fields that need a beta header
 * or query [M §2.1], `sampling` for the protocol version that has them [M §0].
 */
const TEXT = `
Shared: model! string(1..256), messages! Message[], system string|SystemText[], tools Tool[], tool_choice ToolChoice,
  thinking Thinking, output_config OutputConfig|null, cache_control CacheControl|null, diagnostics object|null
Request: ...Shared, max_tokens! int, stop_sequences string[]|null, stream bool, metadata Metadata,
  service_tier 'auto'|'standard_only', inference_geo string|null, container string|object|null,
  temperature@sampling number(0..1), top_p@sampling number(0..1), top_k@sampling int(1..),
  mcp_servers@beta object[](..20), context_management@beta object|null, compaction@beta object, billing_policy@beta any,
  fallbacks@beta 'default'|object[], fallback_credit_token@beta string, thread@beta object,
  output_format@beta OutputFormat|null, speed@beta 'standard'|'fast'|null
CountRequest: ...Shared

ServerTool = 'web_search'|'web_fetch'|'code_execution'|'bash_code_execution'|'text_editor_code_execution'
  |'tool_search_tool_regex'|'tool_search_tool_bm25'|'advisor'
Message: role! 'user'|'assistant'|'system', content! string|Block[]
SystemText by type: text TextBlock
Metadata: user_id string(..256)|null
CacheControl: type! 'ephemeral', ttl '5m'|'1h'
Cached: cache_control CacheControl|null
Enabled: enabled bool

Block by type: text TextBlock, image ImageBlock, document DocumentBlock, search_result SearchResultBlock,
  thinking ThinkingBlock, redacted_thinking RedactedBlock, tool_use ToolUseBlock, tool_result ToolResultBlock,
  server_tool_use ServerToolUseBlock, mcp_tool_use McpToolUseBlock, container_upload ContainerUpload,
  web_search_tool_result|web_fetch_tool_result|code_execution_tool_result|bash_code_execution_tool_result ServerToolResult,
  text_editor_code_execution_tool_result|tool_search_tool_result|advisor_tool_result|mcp_tool_result ServerToolResult,
  compaction|fallback|mcp_tool_listing|tool_addition|tool_removal|browser_state object
ResultPart by type: text TextBlock, image ImageBlock, document DocumentBlock, search_result SearchResultBlock,
  tool_reference ToolReference, browser_state object
TextBlock: type! 'text', text! string, citations Citation[]|null, ...Cached
ImageBlock: source! ImageSource, transformations object, ...Cached
DocumentBlock: source! DocumentSource, title string|null, context string|null, citations Enabled|null, ...Cached
SearchResultBlock: source! string, title! string, content! TextBlock[], citations Enabled, ...Cached
ThinkingBlock: thinking! string, signature! string
RedactedBlock: data! string
ToolUseBlock: id! string, name! string(1..200), input! object, caller object|null, toolset_name string, ...Cached
ToolResultBlock: tool_use_id! string, content string|ResultPart[], is_error bool, toolset_name string, ...Cached
ServerToolUseBlock: id! string, name! ServerTool, input! object, caller object|null, ...Cached
ServerToolResult: tool_use_id! string, content! any, is_error bool, caller object|null, ...Cached
McpToolUseBlock: id! string, name! string, server_name! string, input! object, ...Cached
ContainerUpload: file_id! string, ...Cached
ToolReference: tool_name! string, ...Cached

ImageSource by type: base64 ImageBytes, url UrlSource, file FileSource
DocumentSource by type: base64 PdfBytes, text PlainText, content BlockSource, url UrlSource, file FileSource
ImageBytes: media_type! 'image/jpeg'|'image/png'|'image/gif'|'image/webp', data! base64
UrlSource: url! string
FileSource: file_id! string
PdfBytes: media_type! 'application/pdf', data! base64
PlainText: media_type! 'text/plain', data! string
BlockSource: content! string|InnerPart[]
InnerPart by type: text TextBlock, image ImageBlock

Citation by type: char_location CharCitation, page_location PageCitation, content_block_location BlockCitation,
  search_result_location SearchCitation, web_search_result_location WebCitation
Document: cited_text! string, document_index! int, document_title string|null
CharCitation: ...Document, start_char_index! int, end_char_index! int
PageCitation: ...Document, start_page_number! int, end_page_number! int
BlockCitation: ...Document, start_block_index! int, end_block_index! int
SearchCitation: cited_text! string, search_result_index! int, source! string, title string|null,
  start_block_index! int, end_block_index! int
WebCitation: cited_text! string, url! string, title string|null, encrypted_index! string

// Built-in tools are dated and many; the rules look at their type.
Tool by type: custom CustomTool, $missing CustomTool, $other object
CustomTool: type 'custom'|null, name! string, description string, input_schema! object, strict bool|null,
  eager_input_streaming bool|null, defer_loading bool, allowed_callers string[], input_examples object[], ...Cached
ToolChoice by type: auto|any FreeChoice, tool NamedChoice, none Bare
FreeChoice: disable_parallel_tool_use bool
NamedChoice: name! string, disable_parallel_tool_use bool
Bare:
Thinking by type: enabled BudgetThinking, adaptive|between_tools OpenThinking, disabled Bare
OpenThinking: display 'summarized'|'omitted'|'updates'|null, block_binding object
BudgetThinking: budget_tokens! int(1024..), ...OpenThinking
OutputConfig: effort 'low'|'medium'|'high'|'xhigh'|'max'|null, format OutputFormat|null, task_budget TaskBudget|null
OutputFormat: type! 'json_schema', schema! object
TaskBudget: total int(1024..), $other any
`;

const OLDER = { plain: readShapes(TEXT, ['sampling']), beta: readShapes(TEXT, ['sampling', 'beta']) };
const NEWER = { plain: readShapes(TEXT), beta: readShapes(TEXT, ['beta']) };

/** The shapes of a protocol version. */
export function messagesShapes(version: string, beta: boolean): Shapes {
  return (version === '2026-10-21' ? NEWER : OLDER)[beta ? 'beta' : 'plain'];
}
