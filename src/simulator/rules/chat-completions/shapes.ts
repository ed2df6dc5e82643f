import { readShapes } from '../shape.js';

/**
 * The closed shapes of a create request [H §2.1, §3.1, §3.2, §4.1, §4.2, §5]. Messages of the assistant and their calls take
 * further keys, which other servers' answers brought into a history [H §3.4].
 */
export const CHAT_SHAPES = readShapes(`
Modality = 'text'|'audio'
Request: model! string, messages! Message[](1..), max_completion_tokens int(1..)|null, max_tokens int(1..)|null,
  temperature number(0..2)|null, top_p number(0..1)|null, frequency_penalty number(-2..2)|null,
  presence_penalty number(-2..2)|null, n int(1..128)|null, stop string|string[]|null, seed int|null,
  logit_bias object|null, logprobs bool|null, top_logprobs int(0..20)|null, stream bool|null,
  stream_options StreamOptions|null, tools Tool[](1..), tool_choice 'none'|'auto'|'required'|ToolChoice,
  parallel_tool_calls bool, functions FunctionTool[](1..), function_call 'none'|'auto'|NamedFunction,
  response_format Format, reasoning_effort 'none'|'minimal'|'low'|'medium'|'high'|'xhigh'|'max'|null,
  verbosity 'low'|'medium'|'high'|null, modalities Modality[]|null, audio AudioOutput|null,
  prediction Prediction|null, web_search_options WebSearch, store bool|null, metadata object|null,
  service_tier 'auto'|'default'|'flex'|'scale'|'priority'|'fast'|null, user string, safety_identifier string(..64),
  prompt_cache_key string, prompt_cache_retention 'in_memory'|'in-memory'|'24h'|null,
  prompt_cache_options object|null, moderation object|null
StreamOptions: include_usage bool, include_obfuscation bool
AudioOutput: voice! string|object, format! 'wav'|'aac'|'mp3'|'flac'|'opus'|'pcm16'
Prediction: type! 'content', content! string|TextPart[]
WebSearch: search_context_size 'low'|'medium'|'high', user_location UserLocation|null
UserLocation: type! 'approximate', approximate! object

Message by role: system|developer SystemMessage, user UserMessage, assistant AssistantMessage, tool ToolMessage,
  function FunctionMessage
SystemMessage: content! string|TextPart[], name string
UserMessage: content! string|UserPart[], name string
AssistantMessage: content string|AssistantPart[]|null, refusal string|null, name string, audio SpokenAudio|null,
  tool_calls ToolCall[](1..)|null, function_call CalledFunction|null, $other any
ToolMessage: content! string|TextPart[], tool_call_id! string(..40), name string
FunctionMessage: content! string|null, name! string
SpokenAudio: id! string, $other any

TextPart by type: text Text
AssistantPart by type: text Text, refusal Refusal
UserPart by type: text Text, image_url Image, input_audio Audio, file File
Marked: prompt_cache_breakpoint object|null
Text: text! string, ...Marked
Refusal: refusal! string
Image: image_url! ImageUrl, ...Marked
ImageUrl: url! string, detail 'auto'|'low'|'high'
Audio: input_audio! AudioData, ...Marked
AudioData: data! base64, format! 'wav'|'mp3'
File: file! FileData, ...Marked
FileData: file_id string, file_data string, filename string

ToolCall by type: function FunctionCall, custom CustomCall
FunctionCall: id! string(..40), function! CalledFunction, $other any
CalledFunction: name! string(..64), arguments! string, $other any
CustomCall: id! string(..40), custom! CalledCustom, $other any
CalledCustom: name! string(..64), input! string, $other any

Tool by type: function DeclaredFunction, custom DeclaredCustom
DeclaredFunction: function! FunctionTool
FunctionTool: name! string(..64), description string|null, parameters object|null, strict bool|null
DeclaredCustom: custom! CustomTool
CustomTool: name! string(..64), description string|null, format CustomFormat|null
CustomFormat by type: text Bare, grammar Grammar
Grammar: grammar! GrammarText
GrammarText: syntax! 'lark'|'regex', definition! string
ToolChoice by type: function ChosenFunction, custom ChosenCustom, allowed_tools ChosenTools
ChosenFunction: function! NamedFunction
NamedFunction: name! string
ChosenCustom: custom! NamedFunction
ChosenTools: allowed_tools! AllowedTools
AllowedTools: mode! 'auto'|'required', tools! object[]
Format by type: text|json_object Bare, json_schema SchemaFormat
SchemaFormat: json_schema! JsonSchema
JsonSchema: name! string(..64), description string|null, schema object|null, strict bool|null
Bare:
`);
