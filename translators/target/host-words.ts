/** The features of dialects that some of their hosts do not support. */
export const HOST_FEATURE_NAMES = [
  'customTools',
  'namespaces',
  'toolSearch',
  'additionalTools',
  'hostedTools',
  'mcp',
  'clientTools',
  'codexItems',
  'storeTrue',
  'encryptedReasoning',
  'summaryReasoning',
  'shortMessages',
  'messageParts',
  'documents',
  'images',
  'imageUrls',
  'resultParts',
  'resultMedia',
  'toolChoice',
  'namedToolChoice',
  'noneToolChoice',
  'allowedTools',
  'parallelSwitch',
  'outputFormat',
  'textFormat',
  'effort',
  'farEfforts',
  'thinkingOff',
  'thinkingSwitch',
  'redactedThinking',
  'prefill',
  'logprobs',
  'reasoningHistory',
  'adaptive',
  'thinkingBudget',
  'summaryWords',
  'tiers',
  'systemTurns',
  'contentList',
  'streamEvents',
  'cutStatus',
  'unknownKeys',
  'background',
  'cacheMarks',
  'containers',
  'countTokens',
  'inputTokens',
  'modelList',
] as const;

/** A feature of its dialect that a host may not support. */
export type HostFeature = (typeof HOST_FEATURE_NAMES)[number];

interface HostFeatureText {
  /** What the host does not support, or ignores silently. */
  readonly what: string;
  /** What becomes of it in a request, and of the answer. */
  readonly instead: string;
}

/**
 * Features of a dialect that some of its hosts do not support, for people (hosts.md#presets). A body that holds none of it goes to such a host as
 * it came.
 */
export const HOST_FEATURES = {
  customTools: {
    what: 'tools with free text input (`custom`), and their calls',
    instead: 'a function with one string `input`; calls come back as `custom_tool_call`, in streams too',
  },
  namespaces: {
    what: 'tools in namespaces',
    instead: 'functions with joined names; calls come back with `namespace` and their own name',
  },
  toolSearch: {
    what: '`tool_search`, `defer_loading`, and the items of searches',
    instead: 'all tools are declared from the start',
  },
  additionalTools: { what: '`additional_tools` items', instead: 'their tools are among the others' },
  hostedTools: {
    what: 'tools that the service runs, and their calls, except MCP servers',
    instead: 'they are omitted, and a choice of them',
  },
  mcp: { what: 'MCP servers, and their calls', instead: 'they are left out' },
  clientTools: {
    what: 'built-in tools with versions (`bash_20250124`)',
    instead: 'functions of the same names with the schemas of those tools',
  },
  codexItems: {
    what: 'items other than messages, reasoning and function calls',
    instead: 'calls of built-in tools become function calls, others are omitted',
  },
  storeTrue: { what: '`store: true`, which it refuses', instead: '`store: false`; the gateway stores the answer' },
  encryptedReasoning: {
    what: 'encrypted reasoning',
    instead: 'it is not requested; what another service encrypted is omitted',
  },
  summaryReasoning: { what: 'reasoning without `content`', instead: 'the summary as content' },
  shortMessages: {
    what: 'messages of the assistant without `type`, or with a string as content',
    instead: 'the type, and the string as a part',
  },
  messageParts: {
    what: 'messages of the assistant in several texts: it reads the first one only, or breaks the line between them',
    instead: 'one text',
  },
  documents: {
    what: 'documents',
    instead: 'text files as text; others are refused, or become notes with `translate.omitMedia`',
  },
  images: { what: 'images', instead: 'they are refused, or become notes with `translate.omitMedia`' },
  imageUrls: { what: 'images by URL', instead: 'their bytes, which the gateway fetches' },
  resultParts: { what: 'results of tools in parts', instead: 'their texts joined' },
  resultMedia: { what: 'media in results of tools', instead: 'it follows the results' },
  toolChoice: {
    what: '`tool_choice`, which it ignores',
    instead: 'only the tools that the choice names are declared, none for `none`',
  },
  namedToolChoice: { what: 'a tool choice that names a tool', instead: 'a forced call, and only that tool' },
  noneToolChoice: { what: '`tool_choice: none`, which it ignores', instead: 'no tool is declared' },
  allowedTools: { what: 'a choice among some tools (`allowed_tools`)', instead: 'only those tools are declared' },
  parallelSwitch: { what: 'the switch for parallel calls, which it ignores', instead: 'it is omitted' },
  outputFormat: { what: 'structured output by a schema', instead: 'the schema in the instructions' },
  textFormat: {
    what: 'structured output by `text.format`, which it ignores',
    instead: 'the same in `response_format` as well',
  },
  effort: { what: 'reasoning efforts', instead: 'they are omitted' },
  farEfforts: { what: 'efforts other than `low`, `medium` and `high`', instead: 'the nearest of these' },
  thinkingOff: {
    what: 'switching reasoning off, which it ignores',
    instead: 'it is sent unchanged; reasoning is removed from the answer',
  },
  thinkingSwitch: {
    what: '`thinking: disabled`, which it ignores',
    instead: '`chat_template_kwargs: {enable_thinking: false}` as well',
  },
  redactedThinking: { what: 'encrypted thinking', instead: 'it is omitted' },
  prefill: { what: 'prefilled answers: it begins a new one', instead: 'they are sent unchanged' },
  logprobs: { what: 'log probabilities', instead: 'they are not requested' },
  reasoningHistory: { what: 'reasoning in the history, which it refuses', instead: 'it is omitted' },
  adaptive: { what: '`thinking: adaptive`', instead: 'a budget by the effort' },
  thinkingBudget: { what: 'a budget for thinking', instead: '`thinking: adaptive`' },
  summaryWords: { what: 'kinds of reasoning summaries', instead: '`auto`' },
  tiers: { what: 'service tiers', instead: 'they are omitted' },
  systemTurns: { what: 'instructions between the turns', instead: 'marked notes in user turns' },
  contentList: { what: 'the empty list in answers without content: it is `null` there', instead: '`[]`' },
  streamEvents: {
    what: 'indexes in events of streams, or events that begin and end parts and arguments',
    instead: 'they are added',
  },
  cutStatus: {
    what: 'the status of answers that were cut at `max_output_tokens`: it is `completed` there',
    instead: '`incomplete`, where the answer has as many tokens as were asked for',
  },
  unknownKeys: { what: 'unknown members, which it refuses', instead: 'they are omitted' },
  background: { what: 'answers in the background', instead: 'the gateway makes them' },
  cacheMarks: {
    what: 'cache breakpoints, which it ignores',
    instead: 'they are sent unchanged; those of other dialects are omitted, and none are added',
  },
  containers: { what: 'containers that outlive a request', instead: 'they are omitted' },
  countTokens: { what: 'the route that counts tokens', instead: 'an estimate, marked by `x-interlingua-estimate`' },
  inputTokens: { what: 'the same of responses', instead: 'an estimate' },
  modelList: { what: 'the route that lists models', instead: 'the models of the configuration' },
} as const satisfies Readonly<Record<HostFeature, HostFeatureText>>;
