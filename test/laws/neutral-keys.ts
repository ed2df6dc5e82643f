import type { DialectId } from '../../translators/index.js';

/** Keys of recorded bodies that may vanish without an entry, because as they stand there they say nothing elsewhere. */
export const NEUTRAL_KEYS: readonly {
  readonly from: DialectId;
  readonly kind: 'request' | 'response';
  /** Of the key's pattern. */
  readonly keys: RegExp;
  readonly reason: string;
}[] = [
  { from: 'messages', kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    from: 'messages',
    kind: 'request',
    keys: /^\/(?:temperature|tool_choice)$|\/is_error$/,
    reason: 'the default: 1, auto, false',
  },
  {
    from: 'messages',
    kind: 'request',
    keys: /\((?:web_fetch|web_search|bash_code_execution|tool_search)_tool_result\)\//,
    reason: 'a pair goes as one, and is reported at its call',
  },
  {
    from: 'messages',
    kind: 'response',
    keys: /^\(message\)\/(?:role|type)$|\/caller$/,
    reason: 'constants of the envelope (translation.md 0.8)',
  },
  {
    from: 'messages',
    kind: 'response',
    keys: /^\(message\)\/usage\//,
    reason: 'zeros, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    from: 'messages',
    kind: 'response',
    keys: /^\(message\)\/stop_sequence$/,
    reason: 'reported at the root, with the end of the answer',
  },
  { from: 'responses', kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    from: 'responses',
    kind: 'request',
    keys: /^\/(?:include|store)$/,
    reason: 'what is asked for is there anyway; who serves the answer keeps it (translation.md 2.2)',
  },
  {
    from: 'responses',
    kind: 'request',
    keys: /^\/tool_choice$|\(input_image\)\/detail$|\(function\)\/strict$|\/search_context_size$/,
    reason: 'the default: auto, false, medium',
  },
  {
    from: 'responses',
    kind: 'request',
    keys: /^\/input\/\*\(function_call(?:_output)?\)\/(?:id|call_id)$/,
    reason: 'ids of items (translation.md 0.8); with one open call its output needs no id (2.7 rule 7)',
  },
  {
    from: 'responses',
    kind: 'response',
    keys: /^\/(?:object|status|created_at|completed_at|billing|tool_usage)\b/,
    reason:
      'constants of the envelope, completed, times, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    from: 'responses',
    kind: 'response',
    keys: /^\/(?:background|metadata|store|temperature|text|tools|top_p|truncation|instructions)\b/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    from: 'responses',
    kind: 'response',
    keys: /^\/(?:parallel_tool_calls|reasoning|tool_choice|top_logprobs|frequency_penalty|presence_penalty)\b/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    from: 'responses',
    kind: 'response',
    keys: /^\/(?:previous_response_id|prompt_cache_retention)$/,
    reason: 'echoes of the request that was sent; the client has its own (translation.md 5.1)',
  },
  {
    from: 'responses',
    kind: 'response',
    keys: /^\/output\/\*\((?:message|function_call|custom_tool_call)\)\/(?:id|status|arguments)$/,
    reason: 'ids of items, completed, and the arguments {} (translation.md 0.8)',
  },
  { from: 'responses', kind: 'response', keys: /^\/usage\//, reason: 'zeros, and a sum' },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /\/role$|^\/generationConfig$|\/(?:mode|candidateCount|responseModalities|thinking_budget)$/,
    reason: 'the default: user, nothing, AUTO, 1, text, none',
  },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /\/(?:responseMimeType|response_mime_type)$/,
    reason: 'the schema beside it says the same',
  },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /\/functionResponse\/(?:name|id)$/,
    reason: 'one of them is enough to know the call',
  },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /\/includeServerSideToolInvocations$/,
    reason: 'the others mix hosted tools and functions without being asked',
  },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /\/(?:toolResponse|codeExecutionResult)\//,
    reason: 'a pair goes as one, and is reported at its call',
  },
  {
    from: 'generateContent',
    kind: 'request',
    keys: /^\/generationConfig\/logprobs$/,
    reason: 'how many of what responseLogprobs asks for, which is reported',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/candidates\/\*\/(?:index|content|content\/role)$|\/functionCall\/args$|^\/createTime$/,
    reason: 'constants of the envelope, the time, an answer without parts, and the arguments {} (translation.md 0.8)',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/createTime$/,
    reason: 'a time of creation (translation.md 0.8)',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/usageMetadata\//,
    reason: 'a sum, the default tier, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/promptFeedback\/blockReasonMessage$/,
    reason: 'reported at the root, with the end of the answer',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/candidates\/\*\/(?:groundingMetadata|urlContextMetadata)\b/,
    reason: 'what of the sources has no place is reported at the text, or at the root; successes of fetches',
  },
  {
    from: 'generateContent',
    kind: 'response',
    keys: /^\/candidates\/\*\/logprobsResult\//,
    reason: 'reported at the text; the numbers of tokens in a vocabulary mean nothing elsewhere (translation.md 5.6)',
  },
];
