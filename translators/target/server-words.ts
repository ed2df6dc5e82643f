import { amount, flag, one, type Values, whole } from './word.js';

/** Forms of a tool choice, each with those behind it: a named tool, a forced call, the words `auto` and `none`, nothing. */
const CHOICES = ['all', 'noNamed', 'auto', 'ignored'] as const;

export type ToolChoiceForms = (typeof CHOICES)[number];

/**
 * What servers of the chat completions dialect do differently [H §10.1], where no other word says it: `strictTools`, `schemaOutput`
 * (`json_schema`), `jsonMode` (`json_object`), `toolResultMedia`, `urlMedia` (pictures by URL), `prefill`, `sampling` (`no-topK`,
 * `no-penalties`) and `thinking` (levels, budgets) hold for them too.
 */
export const SERVER = {
  maxTokensField: one('The field of the output cap; never both.', 'max_tokens', 'max_completion_tokens'),
  readsNewerCap: flag('`max_completion_tokens` is read where it is not the field of the cap.'),
  systemMessages: one('Any number of system messages at any place, one in front, or none.', 'many', 'one', 'none'),
  developerRole: flag('The role `developer` is known.'),
  alternation: flag('User and assistant messages must alternate, and the user begins.'),
  assistantAfterTool: flag('No user message may directly follow tool results.'),
  assistantLast: flag('The last message may be of the assistant.'),
  emptyContent: one(
    'Content of assistant messages that hold calls only: `null`, `""`, or no member.',
    'null',
    'empty',
    'omit',
  ),
  assistantParts: flag('Lists of parts are accepted in assistant messages.'),
  textParts: flag('Several text parts are accepted in a user message.'),
  argsMustParse: flag('Arguments of earlier calls have to be JSON objects.'),
  idRule: one(
    'Ids of calls: any; 1 to 40 letters, digits, `_`, `-`; exactly nine letters and digits.',
    'any',
    'short',
    'nine',
  ),
  maxTools: whole('Most tools of a request; 0: tools are not accepted.'),
  imageParts: flag('Images are accepted in user messages.'),
  fileParts: one(
    'Documents: none; as data; as data or by URL; as a part `document_url`.',
    'none',
    'data',
    'url',
    'document_url',
  ),
  audioParts: one('Audio: none; as bare base64; as a data URL in its place.', 'none', 'base64', 'data-url'),
  videoParts: flag('Videos are accepted in user messages.'),
  toolChoice: one(
    'Forms of `tool_choice` that are accepted: all; all but a named tool; `auto` and `none`; none at all.',
    ...CHOICES,
  ),
  toolChoiceThinking: one('The same while the model reasons; only with `forcedWithThinking`.', ...CHOICES),
  requiredWord: one('The word for a forced call.', 'required', 'any'),
  allowedTools: flag('`allowed_tools` is accepted.'),
  customTools: flag('Tools of type `custom` are accepted.'),
  parallelField: flag('`parallel_tool_calls` is accepted.'),
  webSearch: one('How the server is asked to search the web.', 'none', 'web_search_options', 'plugin'),
  stopMax: whole('Most stop strings.'),
  streamUsage: flag('`stream_options.include_usage` is accepted.'),
  logprobs: flag('`logprobs` is accepted.'),
  seedField: one('The field of the seed.', 'seed', 'random_seed', 'none'),
  maxTemperature: amount('Larger temperatures are lowered to it.'),
  vendorFields: flag(
    "`user`, `metadata`, `verbosity`, `service_tier`, `logit_bias` and `prediction`, which the protocol's vendor has, are accepted.",
  ),
  promptCacheKey: flag('`prompt_cache_key` is accepted.'),
  plainSchemas: flag('Few keywords of JSON Schema are accepted; the others are moved to descriptions.'),
  strictBody: flag('Unknown fields are refused.'),
  reasoningControl: one(
    'How reasoning is requested: not at all; by `reasoning_effort`, `reasoning`, `thinking`, `enable_thinking`, `chat_template_kwargs`, `thinking_config` or `reasoning_split`.',
    'none',
    'effort',
    'openrouter',
    'thinking',
    'qwen',
    'template',
    'gemini',
    'split',
  ),
  strictEfforts: flag('Unknown efforts are refused, so that the nearest one is sent, or none.'),
  reasoningFormat: flag('`reasoning_format` is accepted.'),
  clearThinking: flag('`thinking.clear_thinking` is accepted: false keeps the thinking of earlier turns.'),
  // [H §8.1]; `signature`: the one of Gemini on the first call of a step.
  reasoningReplay: one(
    'Which of its earlier reasoning the server requires.',
    'must',
    'must-with-tools',
    'signature',
    'own',
    'never',
  ),
  reasoningField: one('The fields in which reasoning may come back; others are refused.', 'any', 'reasoning'),
  emptyReasoning: one(
    'What replaces required reasoning that is lost: the empty string, or one space if that is refused.',
    'empty',
    'space',
  ),
  toolsWithReasoning: flag('Functions are accepted while the model reasons.'),
  functionTools: flag(
    'Functions are accepted; if not, they are refused before the call, since the model accepts them only in responses.',
  ),
  inlineThink: one('Reasoning in the text: none; between tags; up to a closing tag.', 'no', 'open', 'forcedOpen'),
  // [H §6.3].
  usageForm: one('How tokens are counted.', 'standard', 'xai', 'gemini', 'mistral'),
  prefillForm: one('How a turn to be continued is marked; only with `prefill`.', 'plain', 'prefix', 'continue'),
};

/** What servers of the chat completions dialect do differently [H §10.1]. */
export type ServerFlags = Values<typeof SERVER>;
