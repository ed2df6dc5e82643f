import type * as M from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { JsonObject } from '../../../translators/index.js';
import { beside, type Documented, documented, PDF, PNG, SCHEMA } from './documented.js';

const BASE = { model: 'claude-sonnet-4-5', max_tokens: 20000 };
const MARK = { type: 'ephemeral' };
const CALLER = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' };
const hi = { role: 'user', content: 'hi' };
const tool = { name: 'f', description: 'd', input_schema: SCHEMA };

const top = (fields: JsonObject): JsonObject => ({ ...BASE, messages: [hi], ...fields });
const user = (block: JsonObject): JsonObject => ({ ...BASE, messages: [{ role: 'user', content: [block] }] });
const assistant = (...blocks: JsonObject[]): JsonObject => ({
  ...BASE,
  tools: [tool],
  messages: [hi, { role: 'assistant', content: blocks }, { role: 'user', content: 'go on' }],
});
const called = (block: JsonObject, result: JsonObject = {}): JsonObject => ({
  ...BASE,
  tools: [tool],
  messages: [
    hi,
    { role: 'assistant', content: [block] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...result }] },
  ],
});
const call = { type: 'tool_use', id: 'c1', name: 'f', input: { a: 'x' } };
const declared = (node: JsonObject): JsonObject => top({ tools: [tool, node] });
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [
    { type: 'web_search_result', url: 'https://a.example', title: 't', encrypted_content: 'e', page_age: null },
  ],
};
const COMMON_TOOL = { allowed_callers: ['code_execution_20250825'], cache_control: MARK, defer_loading: true };
const CLIENT_TOOL = { ...COMMON_TOOL, input_examples: [{ a: 'x' }], strict: true };

/** Every documented object of a request [M §2]. */
export const MESSAGES_FIELDS: readonly Documented[] = [
  // What is sent as a header belongs to no body.
  documented<Omit<M.MessageCreateParams, 'betas' | 'user_profile_id' | 'workspace_id'>>()(
    'request',
    top,
    { model: 'claude-sonnet-4-5', max_tokens: 20000, messages: [hi] },
    {
      billing_policy: { bill_to: 'organization' },
      cache_control: MARK,
      compaction: { type: 'summarize' },
      container: 'container_1',
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      diagnostics: { previous_message_id: 'msg_1' },
      fallback_credit_token: 'token',
      fallbacks: 'default',
      inference_geo: 'us',
      mcp_servers: [{ type: 'url', name: 's', url: 'https://mcp.example' }],
      metadata: { user_id: 'u' },
      output_config: { effort: 'high' },
      output_format: { type: 'json_schema', schema: SCHEMA },
      service_tier: 'standard_only',
      speed: 'fast',
      stop_sequences: ['END'],
      stream: true,
      system: 's',
      temperature: 0.5,
      thinking: { type: 'enabled', budget_tokens: 4096 },
      thread: { type: 'create' },
      tool_choice: beside({ tools: [tool] }, { type: 'tool', name: 'f' }),
      tools: [tool],
      top_k: 5,
      top_p: 0.5,
    },
  ),
  documented<M.BetaOutputConfig>()(
    'output_config',
    (node) => top({ output_config: node }),
    {},
    {
      effort: 'high',
      format: { type: 'json_schema', schema: SCHEMA },
      task_budget: { type: 'tokens', total: 5000 },
    },
  ),
  documented<M.BetaThinkingConfigEnabled>()(
    'thinking (enabled)',
    (node) => top({ thinking: node }),
    { type: 'enabled', budget_tokens: 4096 },
    { display: 'omitted', block_binding: { prefix_mismatch_behavior: 'error' } },
  ),
  documented<M.BetaThinkingConfigAdaptive>()(
    'thinking (adaptive)',
    (node) => top({ thinking: node }),
    { type: 'adaptive' },
    { display: 'omitted', block_binding: { prefix_mismatch_behavior: 'error' } },
  ),
  ...(['auto', 'any'] as const).map((type) =>
    documented<M.BetaToolChoiceAuto>()(
      `tool_choice (${type})`,
      (node) => top({ tools: [tool], tool_choice: node }),
      { type },
      { disable_parallel_tool_use: true },
    ),
  ),
  documented<M.BetaToolChoiceTool>()(
    'tool_choice (tool)',
    (node) => top({ tools: [tool], tool_choice: node }),
    { type: 'tool', name: 'f' },
    { disable_parallel_tool_use: true },
  ),
  documented<M.BetaTextBlockParam>()(
    'text',
    user,
    { type: 'text', text: 'hi' },
    {
      cache_control: MARK,
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
  ),
  documented<M.BetaImageBlockParam>()(
    'image',
    user,
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    { cache_control: MARK, transformations: { oversized_image: 'error' } },
  ),
  documented<M.BetaRequestDocumentBlock>()(
    'document',
    user,
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
    { cache_control: MARK, citations: { enabled: true }, context: 'c', title: 'a.pdf' },
  ),
  documented<M.BetaRequestDocumentBlock>()(
    'document (text)',
    user,
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
    { cache_control: MARK, citations: { enabled: true }, context: 'c', title: 't' },
  ),
  documented<M.BetaSearchResultBlockParam>()(
    'search_result',
    user,
    { type: 'search_result', source: 'https://a.example', title: 't', content: [{ type: 'text', text: 'b' }] },
    { cache_control: MARK, citations: { enabled: true } },
  ),
  documented<M.BetaToolUseBlockParam>()('tool_use', called, call, {
    cache_control: MARK,
    caller: CALLER,
    toolset_name: 'browser',
  }),
  documented<M.BetaToolResultBlockParam>()(
    'tool_result',
    (node) => called(call, node),
    { type: 'tool_result', tool_use_id: 'c1' },
    { cache_control: MARK, content: 'r', is_error: true, toolset_name: 'browser' },
  ),
  documented<M.BetaServerToolUseBlockParam>()('server_tool_use', (node) => assistant(node, found), search, {
    cache_control: MARK,
    caller: CALLER,
  }),
  documented<M.BetaWebSearchToolResultBlockParam>()(
    'web_search_tool_result',
    (node) => assistant(search, node),
    found,
    { cache_control: MARK, caller: CALLER },
  ),
  documented<M.BetaCompactionBlockParam>()(
    'compaction',
    (node) => ({
      ...BASE,
      messages: [
        { role: 'assistant', content: [node] },
        { role: 'user', content: 'go on' },
      ],
    }),
    { type: 'compaction', content: 'summary' },
    { cache_control: MARK, encrypted_content: 'e', signature: 's', tool_changes: [] },
  ),
  documented<M.BetaTool>()(
    'tool',
    (node) => top({ tools: [node] }),
    { name: 'f', input_schema: SCHEMA },
    {
      ...CLIENT_TOOL,
      description: 'd',
      eager_input_streaming: true,
      type: 'custom',
    },
  ),
  documented<M.BetaWebSearchTool20260318>()(
    'web_search tool',
    declared,
    { type: 'web_search_20260318', name: 'web_search' },
    {
      ...COMMON_TOOL,
      strict: true,
      allowed_domains: ['a.example'],
      blocked_domains: ['b.example'],
      max_uses: 2,
      response_inclusion: 'excluded',
      user_location: { type: 'approximate', city: 'Bern' },
    },
  ),
  documented<M.BetaWebFetchTool20260318>()(
    'web_fetch tool',
    declared,
    { type: 'web_fetch_20260318', name: 'web_fetch' },
    {
      ...COMMON_TOOL,
      strict: true,
      allowed_domains: ['a.example'],
      blocked_domains: ['b.example'],
      citations: { enabled: true },
      max_content_tokens: 500,
      max_uses: 2,
      response_inclusion: 'excluded',
      url_sources: { user_messages: true },
      use_cache: false,
    },
  ),
  documented<M.BetaCodeExecutionTool20250825>()(
    'code_execution tool',
    declared,
    { type: 'code_execution_20250825', name: 'code_execution' },
    { ...COMMON_TOOL, strict: true },
  ),
  documented<M.BetaToolBash20250124>()('bash tool', declared, { type: 'bash_20250124', name: 'bash' }, CLIENT_TOOL),
  documented<M.BetaToolTextEditor20250728>()(
    'text editor tool',
    declared,
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { ...CLIENT_TOOL, max_characters: 500 },
  ),
  documented<M.BetaToolComputerUse20251124>()(
    'computer tool',
    declared,
    { type: 'computer_20251124', name: 'computer', display_width_px: 800, display_height_px: 600 },
    { ...CLIENT_TOOL, display_number: 1, enable_zoom: true },
  ),
  documented<M.BetaMemoryTool20250818>()(
    'memory tool',
    declared,
    { type: 'memory_20250818', name: 'memory' },
    CLIENT_TOOL,
  ),
  documented<M.BetaMCPToolset>()(
    'mcp_toolset',
    (node) => top({ tools: [node], mcp_servers: [{ type: 'url', name: 's', url: 'https://mcp.example' }] }),
    { type: 'mcp_toolset', mcp_server_name: 's' },
    {
      cache_control: MARK,
      configs: { f: { enabled: false } },
      default_config: { enabled: false },
      tools: [{ name: 'f', input_schema: SCHEMA }],
    },
  ),
  documented<M.BetaRequestMCPServerURLDefinition>()(
    'mcp server',
    (node) => top({ mcp_servers: [node], tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }] }),
    { type: 'url', name: 's', url: 'https://mcp.example' },
    { authorization_token: 'token', tool_configuration: { enabled: true, allowed_tools: ['f'] } },
  ),
];
