import type * as R from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { JsonObject } from '../../../translators/index.js';
import { beside, type Documented, documented, PDF, PNG, SCHEMA } from './documented.js';

const hi = { role: 'user', content: 'hi' };
const tool = { type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: false };
const BREAKPOINT = { mode: 'explicit' };
const PROGRAM = { type: 'program', caller_id: 'p1' };

const top = (fields: JsonObject): JsonObject => ({ model: 'gpt-5', max_output_tokens: 20000, input: [hi], ...fields });
const part = (node: JsonObject): JsonObject => top({ input: [{ role: 'user', content: [node] }] });
const declared = (node: JsonObject): JsonObject => top({ tools: [tool, node] });
const looped = (call: JsonObject, output: JsonObject): JsonObject => top({ tools: [tool], input: [hi, call, output] });
const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":"x"}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'r' };
const custom = { type: 'custom_tool_call', call_id: 'c1', name: 'g', input: 'x' };
const customOutput = { type: 'custom_tool_call_output', call_id: 'c1', output: 'r' };
const customLoop = (one: JsonObject, other: JsonObject): JsonObject =>
  top({ tools: [{ type: 'custom', name: 'g', description: 'd' }], input: [hi, one, other] });

/** Every documented object of a request [R §2]. */
export const RESPONSES_FIELDS: readonly Documented[] = [
  documented<R.ResponseCreateParams>()(
    'request',
    top,
    { model: 'gpt-5', input: [hi], max_output_tokens: 20000 },
    {
      access_programs: { cyber: true },
      background: true,
      context_management: [{ type: 'compaction', compact_threshold: 2000 }],
      conversation: 'conv_1',
      image: { context_compression: 'enabled' },
      include: ['message.input_image.image_url'],
      instructions: 's',
      max_tool_calls: beside({ tools: [{ type: 'web_search' }] }, 3),
      metadata: { k: 'v' },
      moderation: { model: 'omni-moderation-latest' },
      parallel_tool_calls: beside({ tools: [tool] }, false),
      previous_response_id: 'resp_1',
      prompt: { id: 'pmpt_1' },
      prompt_cache_key: 'key',
      prompt_cache_options: { mode: 'explicit', ttl: '12h' },
      prompt_cache_retention: '24h',
      reasoning: { effort: 'high' },
      safety_identifier: 'u',
      service_tier: 'flex',
      store: false,
      stream: true,
      stream_options: beside({ stream: true }, { include_obfuscation: false }),
      temperature: 0.5,
      text: { verbosity: 'low' },
      tool_choice: beside({ tools: [tool] }, 'required'),
      tools: [tool],
      top_logprobs: 2,
      top_p: 0.5,
      truncation: 'auto',
      user: 'u',
    },
  ),
  documented<Reasoning>()(
    'reasoning',
    (node) => top({ reasoning: node }),
    {},
    {
      context: 'all_turns',
      effort: 'high',
      generate_summary: 'detailed',
      mode: 'pro',
      summary: 'detailed',
    },
  ),
  documented<R.ResponseTextConfig>()(
    'text',
    (node) => top({ text: node }),
    {},
    {
      format: { type: 'json_schema', name: 'n', schema: SCHEMA, strict: true },
      verbosity: 'low',
    },
  ),
  documented<R.ResponseFormatTextJSONSchemaConfig>()(
    'text.format',
    (node) => top({ text: { format: node } }),
    { type: 'json_schema', name: 'n', schema: SCHEMA },
    { description: 'd', strict: true },
  ),
  documented<R.EasyInputMessage>()(
    'message',
    (node) => top({ input: [hi, node, hi] }),
    { role: 'assistant', content: 'a' },
    { phase: 'commentary', type: 'message' },
  ),
  documented<R.ResponseInputText>()(
    'input_text',
    part,
    { type: 'input_text', text: 'hi' },
    {
      prompt_cache_breakpoint: BREAKPOINT,
    },
  ),
  documented<R.ResponseInputImage>()(
    'input_image',
    part,
    { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
    { detail: 'high', file_id: 'file_1', prompt_cache_breakpoint: BREAKPOINT },
  ),
  documented<R.ResponseInputFile>()(
    'input_file',
    part,
    { type: 'input_file', file_data: `data:application/pdf;base64,${PDF}` },
    {
      detail: 'high',
      file_id: 'file_1',
      file_url: 'https://a.example/a.pdf',
      filename: 'a.pdf',
      prompt_cache_breakpoint: BREAKPOINT,
    },
  ),
  documented<R.ResponseFunctionToolCall>()('function_call', (node) => looped(node, output), call, {
    id: 'fc_1',
    async: true,
    caller: PROGRAM,
    namespace: 'n',
    status: 'completed',
  }),
  documented<R.ResponseInputItem.FunctionCallOutput>()('function_call_output', (node) => looped(call, node), output, {
    id: 'fc_2',
    caller: PROGRAM,
    name: 'f',
    namespace: 'n',
    status: 'completed',
  }),
  documented<R.ResponseCustomToolCall>()('custom_tool_call', (node) => customLoop(node, customOutput), custom, {
    id: 'ctc_1',
    async: true,
    caller: PROGRAM,
    namespace: 'n',
  }),
  documented<R.ResponseCustomToolCallOutput>()(
    'custom_tool_call_output',
    (node) => customLoop(custom, node),
    customOutput,
    { id: 'ctc_2', caller: PROGRAM },
  ),
  documented<R.ResponseReasoningItem>()(
    'reasoning item',
    (node) => top({ input: [hi, node, { role: 'assistant', content: 'a' }, hi] }),
    { type: 'reasoning', summary: [] },
    {
      id: 'rs_1',
      content: [{ type: 'reasoning_text', text: 't' }],
      encrypted_content: 'e',
      status: 'completed',
    },
  ),
  documented<R.FunctionTool>()(
    'function tool',
    (node) => top({ tools: [node] }),
    { type: 'function', name: 'f', parameters: SCHEMA },
    {
      strict: true,
      allowed_callers: ['programmatic'],
      async: true,
      defer_loading: true,
      description: 'd',
      output_schema: SCHEMA,
    },
  ),
  documented<R.CustomTool>()(
    'custom tool',
    declared,
    { type: 'custom', name: 'g' },
    {
      allowed_callers: ['programmatic'],
      async: true,
      defer_loading: true,
      description: 'd',
      format: { type: 'grammar', syntax: 'regex', definition: 'a+' },
    },
  ),
  documented<R.WebSearchTool>()(
    'web_search tool',
    declared,
    { type: 'web_search' },
    {
      external_web_access: false,
      filters: { allowed_domains: ['a.example'] },
      search_context_size: 'low',
      user_location: { type: 'approximate', city: 'Bern' },
    },
  ),
  documented<R.WebSearchPreviewTool>()(
    'web_search_preview tool',
    declared,
    { type: 'web_search_preview' },
    {
      search_content_types: ['text'],
      search_context_size: 'low',
      user_location: { type: 'approximate', city: 'Bern' },
    },
  ),
  documented<R.FileSearchTool>()(
    'file_search tool',
    declared,
    { type: 'file_search', vector_store_ids: ['vs_1'] },
    {
      filters: { type: 'eq', key: 'k', value: 'v' },
      max_num_results: 3,
      ranking_options: { ranker: 'auto' },
    },
  ),
  documented<R.Tool.CodeInterpreter>()(
    'code_interpreter tool',
    declared,
    { type: 'code_interpreter', container: { type: 'auto' } },
    { allowed_callers: ['programmatic'] },
  ),
  documented<R.Tool.CodeInterpreter.CodeInterpreterToolAuto>()(
    'code_interpreter container',
    (node) => declared({ type: 'code_interpreter', container: node }),
    { type: 'auto' },
    { file_ids: ['file_1'], memory_limit: '4g', network_policy: { type: 'disabled' } },
  ),
  documented<R.Tool.ImageGeneration>()(
    'image_generation tool',
    declared,
    { type: 'image_generation' },
    {
      action: 'generate',
      background: 'opaque',
      complexity: 'low',
      frame_count: 2,
      frame_duration_ms: 50,
      input_fidelity: 'high',
      input_image_mask: { file_id: 'file_1' },
      model: 'gpt-image-1',
      moderation: 'low',
      output_compression: 50,
      output_format: 'webp',
      partial_images: 1,
      quality: 'high',
      size: '1024x1536',
      svg: {},
    },
  ),
  documented<R.Tool.Mcp>()(
    'mcp tool',
    declared,
    { type: 'mcp', server_label: 's', server_url: 'https://mcp.example', require_approval: 'never' },
    {
      allowed_callers: ['programmatic'],
      allowed_tools: ['f'],
      authorization: 'token',
      connector_id: 'connector_gmail',
      defer_loading: true,
      headers: { 'x-a': 'b' },
      server_description: 'd',
      tunnel_id: 't',
    },
  ),
  documented<R.ComputerUsePreviewTool>()(
    'computer_use_preview tool',
    declared,
    { type: 'computer_use_preview', display_width: 800, display_height: 600, environment: 'linux' },
    {},
  ),
  documented<R.FunctionShellTool>()(
    'shell tool',
    declared,
    { type: 'shell' },
    {
      allowed_callers: ['programmatic'],
      environment: { type: 'local' },
    },
  ),
  documented<R.ApplyPatchTool>()(
    'apply_patch tool',
    declared,
    { type: 'apply_patch' },
    {
      allowed_callers: ['programmatic'],
    },
  ),
  documented<R.ToolSearchTool>()(
    'tool_search tool',
    declared,
    { type: 'tool_search' },
    {
      description: 'finds tools',
      execution: 'client',
      parameters: { ...SCHEMA },
    },
  ),
  documented<R.ToolChoiceAllowed>()(
    'allowed_tools',
    (node) => top({ tools: [tool, { ...tool, name: 'g' }], tool_choice: node }),
    { type: 'allowed_tools', tools: [{ type: 'function', name: 'f' }], mode: 'auto' },
    {},
  ),
];
