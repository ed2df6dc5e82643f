import {
  g,
  gChoice,
  gTools,
  h,
  hChoice,
  hTools,
  m,
  mChoice,
  mTools,
  r,
  rChoice,
  rTools,
  SCHEMA,
  TOOL,
} from './bodies.js';
import type { Area } from './probe.js';

const functions = { messages: mTools(), responses: rTools(), generateContent: gTools(), chatCompletions: hTools() };
const mSearch = { type: 'web_search_20250305', name: 'web_search' };
const mcp = { type: 'mcp', server_label: 's', server_url: 'https://mcp.example' };
const searches = {
  messages: mTools(mSearch),
  responses: rTools({ type: 'web_search' }),
  generateContent: gTools({ googleSearch: {} }),
  chatCompletions: { ...hTools(), web_search_options: {} },
};

/** Tools and how they are chosen (translation.md 2.8, 2.9). */
export const TOOLS: readonly Area[] = [
  {
    name: 'Function tools',
    rows: [
      { feature: 'function', says: functions },
      {
        feature: 'strict',
        says: {
          messages: m({ tools: [{ ...TOOL.messages, strict: true }] }),
          responses: r({ tools: [{ ...TOOL.responses, strict: true }] }),
          generateContent: gChoice({ mode: 'VALIDATED' }),
          chatCompletions: h({
            tools: [{ type: 'function', function: { ...TOOL.chatCompletions.function, strict: true } }],
          }),
        },
      },
      {
        feature: 'free text (custom)',
        says: {
          responses: rTools({ type: 'custom', name: 'c', description: 'd' }),
          chatCompletions: hTools({ type: 'custom', custom: { name: 'c', description: 'd' } }),
        },
      },
      {
        feature: 'free text by a grammar',
        says: {
          responses: rTools({
            type: 'custom',
            name: 'c',
            description: 'd',
            format: { type: 'grammar', syntax: 'regex', definition: 'a+' },
          }),
          chatCompletions: hTools({
            type: 'custom',
            custom: {
              name: 'c',
              description: 'd',
              format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'a+' } },
            },
          }),
        },
      },
      {
        feature: 'namespace',
        says: {
          responses: rTools({
            type: 'namespace',
            name: 'n',
            description: 'd',
            tools: [{ type: 'function', name: 'h', parameters: SCHEMA, strict: false }],
          }),
        },
      },
      {
        feature: 'example inputs',
        says: { messages: m({ tools: [{ ...TOOL.messages, input_examples: [{ a: 'x' }] }] }) },
      },
      {
        feature: 'schema of the result',
        says: {
          responses: r({ tools: [{ ...TOOL.responses, output_schema: SCHEMA }] }),
          generateContent: g({
            tools: [{ functionDeclarations: [{ ...TOOL.generateContent, responseJsonSchema: SCHEMA }] }],
          }),
        },
      },
      {
        feature: 'deferred, found by tool search',
        says: {
          messages: mTools(
            { name: 'h', input_schema: SCHEMA, defer_loading: true },
            { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
          ),
          responses: rTools({ ...TOOL.responses, name: 'h', defer_loading: true }, { type: 'tool_search' }),
        },
      },
    ],
  },
  {
    name: 'Choice of tools',
    rows: [
      {
        feature: 'some tool must be called',
        says: {
          messages: mChoice({ type: 'any' }),
          responses: rChoice('required'),
          generateContent: gChoice({ mode: 'ANY' }),
          chatCompletions: hChoice('required'),
        },
      },
      {
        feature: 'one tool must be called',
        says: {
          messages: mChoice({ type: 'tool', name: 'f' }),
          responses: rChoice({ type: 'function', name: 'f' }),
          generateContent: gChoice({ mode: 'ANY', allowedFunctionNames: ['f'] }),
          chatCompletions: hChoice({ type: 'function', function: { name: 'f' } }),
        },
      },
      {
        feature: 'none may be called',
        says: {
          messages: mChoice({ type: 'none' }),
          responses: rChoice('none'),
          generateContent: gChoice({ mode: 'NONE' }),
          chatCompletions: hChoice('none'),
        },
      },
      {
        feature: 'only some may be called',
        says: {
          responses: r({
            tools: [TOOL.responses, { ...TOOL.responses, name: 'h' }],
            tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
          }),
          generateContent: g({
            tools: [{ functionDeclarations: [TOOL.generateContent, { ...TOOL.generateContent, name: 'h' }] }],
            toolConfig: { functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['f'] } },
          }),
          chatCompletions: h({
            tools: [
              TOOL.chatCompletions,
              { type: 'function', function: { ...TOOL.chatCompletions.function, name: 'h' } },
            ],
            tool_choice: {
              type: 'allowed_tools',
              allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
            },
          }),
        },
      },
      {
        feature: 'one call at a time',
        says: {
          messages: mChoice({ type: 'auto', disable_parallel_tool_use: true }),
          responses: r({ tools: [TOOL.responses], parallel_tool_calls: false }),
          chatCompletions: h({ tools: [TOOL.chatCompletions], parallel_tool_calls: false }),
        },
      },
      {
        feature: 'a hosted tool must be called',
        says: {
          messages: m({ tools: [mSearch], tool_choice: { type: 'tool', name: 'web_search' } }),
          responses: r({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }),
        },
      },
    ],
  },
  {
    name: 'Hosted and built-in tools',
    rows: [
      { feature: 'web search', says: searches },
      {
        feature: 'search in some domains only',
        says: {
          messages: mTools({ ...mSearch, allowed_domains: ['a.example'] }),
          responses: rTools({ type: 'web_search', filters: { allowed_domains: ['a.example'] } }),
        },
        without: searches,
      },
      {
        feature: 'search outside of domains',
        says: {
          messages: mTools({ ...mSearch, blocked_domains: ['b.example'] }),
          generateContent: gTools({ googleSearch: { excludeDomains: ['b.example'] } }),
        },
        without: searches,
      },
      {
        feature: 'place of the user',
        says: {
          messages: mTools({ ...mSearch, user_location: { type: 'approximate', city: 'Bern' } }),
          responses: rTools({ type: 'web_search', user_location: { type: 'approximate', city: 'Bern' } }),
          generateContent: {
            ...searches.generateContent,
            toolConfig: { retrievalConfig: { latLng: { latitude: 47, longitude: 7 } } },
          },
          chatCompletions: {
            ...hTools(),
            web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Bern' } } },
          },
        },
        without: searches,
      },
      {
        feature: 'URL fetch',
        says: {
          messages: mTools({ type: 'web_fetch_20250910', name: 'web_fetch' }),
          generateContent: gTools({ urlContext: {} }),
        },
      },
      {
        feature: 'code execution',
        says: {
          messages: mTools({ type: 'code_execution_20250825', name: 'code_execution' }),
          responses: rTools({ type: 'code_interpreter', container: { type: 'auto' } }),
          generateContent: gTools({ codeExecution: {} }),
        },
      },
      {
        feature: 'file search',
        says: {
          responses: rTools({ type: 'file_search', vector_store_ids: ['vs_1'] }),
          generateContent: gTools({ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }),
        },
      },
      { feature: 'maps', says: { generateContent: gTools({ googleMaps: {} }) } },
      {
        feature: 'MCP server',
        says: {
          messages: mcpTools({ mcp_servers: [{ type: 'url', name: 's', url: 'https://mcp.example' }] }),
          responses: rTools({ ...mcp, require_approval: 'never' }),
          generateContent: gTools({
            mcpServers: [{ name: 's', streamableHttpTransport: { url: 'https://mcp.example' } }],
          }),
        },
      },
      { feature: 'MCP server, with consent', says: { responses: rTools({ ...mcp, require_approval: 'always' }) } },
      { feature: 'picture making', says: { responses: rTools({ type: 'image_generation' }) } },
      {
        feature: 'computer use',
        says: {
          messages: mTools({
            type: 'computer_20250124',
            name: 'computer',
            display_width_px: 800,
            display_height_px: 600,
          }),
          responses: rTools({ type: 'computer' }),
          generateContent: gTools({ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }),
        },
      },
      {
        feature: 'shell',
        says: {
          messages: mTools({ type: 'bash_20250124', name: 'bash' }),
          responses: rTools({ type: 'shell' }),
        },
      },
      {
        feature: 'editing of files',
        says: {
          messages: mTools({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }),
          responses: rTools({ type: 'apply_patch' }),
        },
      },
      { feature: 'memory', says: { messages: mTools({ type: 'memory_20250818', name: 'memory' }) } },
      {
        feature: 'most calls of hosted tools',
        says: { responses: { ...searches.responses, max_tool_calls: 3 } },
        without: searches,
      },
    ],
  },
];

function mcpTools(fields: Record<string, unknown>): Record<string, unknown> {
  return { ...mTools({ type: 'mcp_toolset', mcp_server_name: 's' }), ...fields };
}
