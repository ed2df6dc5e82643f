import type { DialectId } from '../library.js';

const OPENAI_SHARED =
  'metadata model moderation parallel_tool_calls prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier ' +
  'service_tier store stream stream_options temperature tool_choice tools top_logprobs top_p user';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Arguments of the method of each Python SDK, as its newest major has them: another one would be an error, and goes with `extra_body`.
 * Google's SDK has other arguments. The long test of what is copied compares them with the packages.
 */
export const PYTHON_ARGUMENTS = {
  messages: words(
    'cache_control container inference_geo max_tokens messages metadata model output_config service_tier speed stop_sequences ' +
      'stream system thinking tool_choice tools',
  ),
  responses: words(
    `background context_management conversation include input instructions max_output_tokens max_tool_calls previous_response_id prompt reasoning text truncation ${OPENAI_SHARED}`,
  ),
  chatCompletions: words(
    'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages modalities n ' +
      `prediction presence_penalty reasoning_effort response_format seed stop verbosity web_search_options ${OPENAI_SHARED}`,
  ),
} as const satisfies Readonly<Partial<Record<DialectId, ReadonlySet<string>>>>;
