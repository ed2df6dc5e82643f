import { readShapes } from '../shape.js';

/** The closed shapes of a create request [R §2]; hosted tools and their items are looked at no deeper than their type. */
export const RESPONSES_SHAPES = readShapes(`
Included = 'file_search_call.results'|'web_search_call.results'|'web_search_call.action.sources'
  |'message.input_image.image_url'|'computer_call_output.output.image_url'|'code_interpreter_call.outputs'
  |'reasoning.encrypted_content'|'message.output_text.logprobs'
Counted: model string|null, input string(..10485760)|Item[]|null, instructions string|null, tools Tool[],
  tool_choice 'none'|'auto'|'required'|ToolChoice, text Text, reasoning Reasoning|null, conversation string|object|null,
  previous_response_id string|null, parallel_tool_calls bool|null, truncation 'auto'|'disabled'|null
CountRequest: ...Counted, personality any
Request: ...Counted, max_output_tokens int(16..)|null, max_tool_calls int|null, temperature number(0..2)|null,
  top_p number(0..1)|null, top_logprobs int(0..20)|null, include Included[]|null, store bool|null, stream bool|null,
  stream_options StreamOptions|null, background bool|null, metadata object|null, prompt object|null, user string|null,
  service_tier 'auto'|'default'|'flex'|'scale'|'priority'|'fast'|'ultrafast'|null, prompt_cache_key string|null,
  prompt_cache_retention 'in_memory'|'in-memory'|'24h'|null, prompt_cache_options object|null,
  safety_identifier string(..128)|null, context_management ContextEdit[](1..)|null, moderation object|null,
  image object|null, access_programs object|null
ContextEdit by type: compaction CompactionEdit
CompactionEdit: compact_threshold int(1000..)|null, $other any
StreamOptions: include_obfuscation bool
Summary = 'auto'|'concise'|'detailed'|null
Reasoning: effort 'none'|'minimal'|'low'|'medium'|'high'|'xhigh'|'max'|null, summary Summary, generate_summary Summary,
  context 'auto'|'current_turn'|'all_turns'|null, mode string
Text: format Format, verbosity 'low'|'medium'|'high'|null
Format by type: text|json_object Bare, json_schema SchemaFormat
SchemaFormat: name! string, schema! object, description string|null, strict bool|null
Bare:

Item by type: $missing|message Message, function_call FunctionCall, function_call_output FunctionOutput,
  custom_tool_call CustomCall, custom_tool_call_output CustomOutput, reasoning ReasoningItem, item_reference Reference,
  compaction Compaction, computer_call ComputerCall, computer_call_output ComputerOutput, local_shell_call LocalShellCall,
  local_shell_call_output LocalShellOutput, shell_call ShellCall, shell_call_output ShellOutput,
  apply_patch_call PatchCall, apply_patch_call_output PatchOutput, compaction_trigger|file_search_call object,
  web_search_call|code_interpreter_call|image_generation_call|mcp_list_tools|mcp_call|mcp_approval_request object,
  mcp_approval_response|tool_search_call|tool_search_output|additional_tools|configuration_update object,
  program|program_output object
Status = 'in_progress'|'completed'|'incomplete'|null
Named: id string|null, status Status
Called: ...Named, call_id! string(1..64), namespace string|null, caller object|null
Message: type 'message', role! string, content! string|Part[], phase 'commentary'|'final_answer'|null, ...Named
FunctionCall: ...Called, name! string, arguments! string, async bool|null
FunctionOutput: ...Called, output! string|OutputPart[], name string|null
CustomCall: ...Called, name! string, input! string
CustomOutput: id string|null, call_id! string(1..64), output! string|OutputPart[], namespace string|null,
  caller object|null
ReasoningItem: ...Named, summary! SummaryPart[], content ReasoningPart[]|null, encrypted_content string|null
Reference: id! string
Compaction: encrypted_content! string, id string|null

// Calls of built-in client tools and their outputs [R §2.5, §4.2 note 3].
Answered: ...Named, call_id! string(1..64), caller object|null, created_by string
ComputerCall: id! string, call_id! string(1..64), status! Status, pending_safety_checks! object[],
  action ComputerAction, actions ComputerAction[]
ComputerAction by type: click Click, double_click|move Spot, drag Drag, keypress Keypress, screenshot|wait Bare,
  scroll Scroll, type Typing
Spot: x! int, y! int, keys string[]|null
Click: ...Spot, button! 'left'|'right'|'wheel'|'back'|'forward'
Drag: path! Point[], keys string[]|null
Point: x! int, y! int
Keypress: keys! string[]
Scroll: ...Spot, scroll_x! int, scroll_y! int
Typing: text! string
ComputerOutput: ...Named, call_id! string(1..64), output! Screenshot, acknowledged_safety_checks object[]|null
Screenshot: type! 'computer_screenshot', image_url string, file_id string
LocalShellCall: id! string, call_id! string(1..64), status! Status, action! LocalShellAction
LocalShellAction: type! 'exec', command! string[], env! object, timeout_ms int|null, user string|null,
  working_directory string|null
LocalShellOutput: id! string, call_id string(1..64), output! string, status Status
ShellCall: ...Answered, action! ShellAction, environment object|null
ShellAction: commands! string[], timeout_ms int|null, max_output_length int|null
ShellOutput: ...Answered, output! ShellRun[], max_output_length int|null
ShellRun: stdout! string, stderr! string, outcome! Outcome, created_by string
Outcome by type: exit Exit, timeout Bare
Exit: exit_code! int
PatchCall: ...Answered, status! 'in_progress'|'completed', operation! Operation
Operation by type: create_file|update_file Change, delete_file Deletion
Change: path! string, diff! string
Deletion: path! string
PatchOutput: ...Answered, status! 'completed'|'failed', output string|null

Part by type: input_text InputText, input_image InputImage, input_file InputFile, output_text OutputText,
  refusal RefusalPart
OutputPart by type: input_text InputText, input_image InputImage, input_file InputFile
Broken: prompt_cache_breakpoint object|null
InputText: ...Broken, text! string
InputImage: ...Broken, image_url string|null, file_id string|null, detail 'auto'|'low'|'high'|'original'|null
InputFile: ...Broken, file_data string|null, file_url string|null, file_id string|null, filename string|null,
  detail 'auto'|'low'|'high'
OutputText: text! string, annotations object[]|null, logprobs object[]|null
RefusalPart: refusal! string
SummaryPart: type! 'summary_text', text! string
ReasoningPart: type! 'reasoning_text', text! string

Tool by type: function FunctionTool, custom CustomTool, namespace NamespaceTool, file_search FileSearch,
  web_search|web_search_2025_08_26 WebSearch, web_search_preview|web_search_preview_2025_03_11 WebSearchPreview,
  computer|local_shell Bare, computer_use_preview ComputerPreview, shell ShellTool, apply_patch PatchTool,
  tool_search|code_interpreter|image_generation|mcp|programmatic_tool_calling object
FunctionTool: name! string(..64), description string|null, parameters object|null, strict bool|null,
  defer_loading bool|null, output_schema object|null, allowed_callers string[]|null, async bool|null
CustomTool: name! string(..64), description string|null, format object|null, defer_loading bool|null, async bool|null
NamespaceTool: name! string, description! string, tools! Tool[]
ComputerPreview: display_width! int, display_height! int, environment! 'windows'|'mac'|'linux'|'ubuntu'|'browser'
PatchTool: allowed_callers string[]|null
ShellTool: ...PatchTool, environment object|null
FileSearch: vector_store_ids! string[], filters object|null, max_num_results int|null, ranking_options object|null
SearchTool: search_context_size 'low'|'medium'|'high', user_location object|null
WebSearch: ...SearchTool, filters object|null, external_web_access bool
WebSearchPreview: ...SearchTool, search_content_types string[]
ToolChoice by type: function|custom NamedChoice, mcp McpChoice, allowed_tools AllowedTools,
  file_search|web_search|web_search_preview|web_search_preview_2025_03_11|computer|computer_use_preview|computer_use Bare,
  code_interpreter|image_generation|apply_patch|shell|programmatic_tool_calling Bare
NamedChoice: name! string
McpChoice: server_label! string, name string|null
AllowedTools: mode! 'auto'|'required', tools! object[]
`);
