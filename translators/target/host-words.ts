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
    what: 'tools that the service runs, and their calls, but for servers of the MCP protocol',
    instead: 'they are left out; a choice of them as well',
  },
  mcp: { what: 'servers of the MCP protocol, and their calls', instead: 'they are left out' },
  clientTools: {
    what: 'built-in tools with versions (`bash_20250124`)',
    instead: 'functions of the same names with the schemas of those tools',
  },
  codexItems: {
    what: 'items beside messages, reasoning and calls of functions',
    instead: 'calls of built-in tools are those of functions, others are left out',
  },
  storeTrue: { what: '`store: true`, which it refuses', instead: '`store: false`; the gateway stores the answer' },
  encryptedReasoning: {
    what: 'encrypted reasoning',
    instead: 'none is asked for; what another service encrypted is left out',
  },
  summaryReasoning: { what: 'reasoning without `content`', instead: 'the summary as content' },
  shortMessages: {
    what: 'messages of the assistant without `type`, or whose content is a text',
    instead: 'the type, and the text as a part',
  },
  documents: {
    what: 'documents',
    instead: 'text in words; other files are refused, or notes with `translate.omitMedia`',
  },
  images: { what: 'pictures', instead: 'they are refused, or notes with `translate.omitMedia`' },
  imageUrls: { what: 'pictures by URL', instead: 'their bytes, which the gateway fetches' },
  resultParts: { what: 'results of tools in parts', instead: 'their texts as one' },
  resultMedia: { what: 'media in results of tools', instead: 'it follows the results' },
  toolChoice: {
    what: 'the choice of tools, which it ignores',
    instead: 'only the tools that the choice names are declared, none for `none`',
  },
  namedToolChoice: { what: 'a choice that names a tool', instead: 'a forced call, and only that tool' },
  noneToolChoice: { what: 'the choice of no tool, which it ignores', instead: 'no tool is declared' },
  allowedTools: { what: 'a choice among some tools (`allowed_tools`)', instead: 'only those tools are declared' },
  parallelSwitch: { what: 'the switch for one call at a time, which it ignores', instead: 'it is left out' },
  outputFormat: { what: 'answers in the form of a schema', instead: 'the schema in the instructions' },
  textFormat: {
    what: 'answers in the form of a schema by `text.format`, which it ignores',
    instead: 'the same in `response_format` as well',
  },
  effort: { what: 'words for how hard a model thinks', instead: 'they are left out' },
  farEfforts: { what: 'efforts beside `low`, `medium` and `high`', instead: 'the nearest of these' },
  thinkingOff: {
    what: 'the wish that a model does not think, which it ignores',
    instead: 'it goes as it came; thoughts are left out of the answer',
  },
  thinkingSwitch: {
    what: '`thinking: disabled`, which it ignores',
    instead: '`chat_template_kwargs: {enable_thinking: false}` as well',
  },
  redactedThinking: { what: 'thoughts that are encrypted', instead: 'they are left out' },
  prefill: { what: 'an answer that the client begins: a new one follows it', instead: 'it goes as it came' },
  logprobs: { what: 'log probabilities', instead: 'none are asked for' },
  reasoningHistory: { what: 'reasoning in the history of chat, which it refuses', instead: 'it is left out' },
  adaptive: { what: '`thinking: adaptive`', instead: 'a budget by the effort' },
  thinkingBudget: { what: 'a budget for thinking', instead: '`thinking: adaptive`' },
  summaryWords: { what: 'words for summaries of thoughts', instead: '`auto`' },
  tiers: { what: 'service tiers', instead: 'they are left out' },
  systemTurns: { what: 'instructions between the turns', instead: 'marked notes in turns of the user' },
  contentList: { what: 'the empty list in answers without content: it is `null` there', instead: '`[]`' },
  streamEvents: {
    what: 'indexes in events of streams, or events that begin and end parts and arguments',
    instead: 'they are filled in',
  },
  cutStatus: {
    what: 'the status of answers that were cut at `max_output_tokens`: it is `completed` there',
    instead: '`incomplete`, where the answer has as many tokens as were asked for',
  },
  unknownKeys: { what: 'members that it does not know, which it refuses', instead: 'they are left out' },
  background: { what: 'answers in the background', instead: 'the gateway makes them' },
  cacheMarks: {
    what: 'marks of the prompt cache, which it ignores',
    instead: 'they go as they came; others are left out, and none are added',
  },
  containers: { what: 'containers that outlive a request', instead: 'they are left out' },
  countTokens: { what: 'the route that counts tokens', instead: 'an estimate, told by `x-interlingua-estimate`' },
  inputTokens: { what: 'the same of responses', instead: 'an estimate' },
  modelList: { what: 'the route that lists models', instead: 'the models of the configuration' },
} as const satisfies Readonly<Record<string, HostFeatureText>>;

/** A feature of its dialect that a host may not support. */
export type HostFeature = keyof typeof HOST_FEATURES;
