import type { ForeseenRefusal, NeutralFields, NeutralKeys } from './record.js';

export const neutralFields: readonly NeutralFields[] = [
  {
    fields: [
      'custom_tool_call: id',
      'custom_tool_call_output: id',
      'function_call: id',
      'function_call: status',
      'function_call_output: id',
      'function_call_output: status',
      'message: type',
    ],
    reason: 'ids of items and status:"completed" are on the neutral list (translation.md 0.8)',
  },
  {
    fields: ['function_call_output: name', 'function_call_output: namespace'],
    reason: 'the call of the same id says both',
  },
  {
    fields: ['request: store'],
    reason: 'whether the answer is kept is the affair of who serves it (translation.md 2.2)',
  },
  {
    fields: ['request: stream_options'],
    reason: 'padding of the events of its own dialect, which nobody else writes (translation.md 0.8)',
  },
  {
    fields: [
      'request (code_interpreter_call.outputs): include',
      'request (file_search_call.results): include',
      'request (reasoning.encrypted_content): include',
      'request (web_search_call.action.sources): include',
    ],
    reason: 'it is there without being asked for (translation.md 2.2)',
  },
  {
    fields: ['request (choice "none"): parallel_tool_calls', 'request (function): max_tool_calls'],
    reason: 'a setting that cannot act in the request (translation.md 0.8)',
  },
  {
    fields: ['reasoning: generate_summary', 'reasoning: summary'],
    reason: 'thoughts asked of a model that has none (translation.md 0.8)',
  },
];

export const neutralKeys: readonly NeutralKeys[] = [
  { kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    kind: 'request',
    keys: /^\/(?:include|store)$/,
    reason: 'what is asked for is there anyway; who serves the answer keeps it (translation.md 2.2)',
  },
  {
    kind: 'request',
    keys: /^\/tool_choice$|\(input_image\)\/detail$|\(function\)\/strict$|\/search_context_size$/,
    reason: 'the default: auto, false, medium',
  },
  {
    kind: 'request',
    keys: /^\/input\/\*\(function_call(?:_output)?\)\/(?:id|call_id)$/,
    reason: 'ids of items (translation.md 0.8); with one open call its output needs no id (2.7 rule 7)',
  },
  {
    kind: 'response',
    keys: /^\/(?:object|status|created_at|completed_at|billing|tool_usage)\b/,
    reason:
      'constants of the envelope, completed, times, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\/(?:background|metadata|store|temperature|text|tools|top_p|truncation|instructions)\b/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    kind: 'response',
    keys: /^\/(?:parallel_tool_calls|reasoning|tool_choice|top_logprobs|frequency_penalty|presence_penalty)\b/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    kind: 'response',
    keys: /^\/(?:previous_response_id|prompt_cache_retention)$/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    kind: 'response',
    keys: /^\/output\/\*\((?:message|function_call|custom_tool_call)\)\/(?:id|status|arguments)$/,
    reason: 'ids of items, completed, and the arguments {} (translation.md 0.8)',
  },
  { kind: 'response', keys: /^\/usage\//, reason: 'zeros, and a sum' },
  {
    kind: 'response',
    keys: /\(message\)\/phase$/,
    reason: 'the default: final_answer (translation.md 0.8)',
  },
];

export const foreseenRefusals: readonly ForeseenRefusal[] = [
  {
    where: 'inlineMedia',
    recordings: /direct-url-image-openai-responses-2$/,
    path: /^\/input\/3\/output\/0$/,
    reason: 'media by URL goes inline there, and nobody fetched it (translation.md 2.6)',
  },
  {
    recordings: /background-mode-streaming-continuation/,
    path: /^\/background$/,
    reason: 'only its own service runs an answer in the background (translation.md 2.2)',
  },
  {
    recordings: /conversation-id-streaming-provider-details$/,
    path: /^\/conversation$/,
    reason: 'the service keeps the conversation (translation.md 2.2)',
  },
  {
    recordings: /previous-response-id-seed-auto-chains-through-retries-[2-9]$/,
    path: /^\/previous_response_id$/,
    reason: 'the service keeps the answer that is continued (translation.md 2.2)',
  },
  {
    recordings: /openai-responses-compact-(?:messages|stateful-mode|stateful-mode-stream)-4$/,
    path: /^\/input\/\d+$/,
    reason: 'a summary that only its own service can decipher (translation.md 2.6)',
  },
  {
    recordings: /openai-responses-image-generation-jpeg$/,
    path: /^\/tool_choice$/,
    reason: 'forces a tool that the target does not have (translation.md 2.8)',
  },
  {
    where: 'toolServers',
    recordings: /mcp-server-tool-with-connector$/,
    path: /^\/tools\/0$/,
    reason: 'a connector is an id of its own service (translation.md 2.8)',
  },
  {
    where: 'wholeServers',
    recordings: /model-mcp-server-tool-(?:1|2|stream)$/,
    path: /^\/tools\/0$/,
    reason: 'the model could call what the list of tools forbids (translation.md 2.8)',
  },
];
