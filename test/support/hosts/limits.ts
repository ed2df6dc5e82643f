import type { FakeDialectName } from '../fake-backend/index.js';
import type { Manner, Thinking } from './thinking.js';

/** What a host takes of one dialect, where that is less than all; written from hosts.md 3 to 5, which has the sources. */
export interface Limits {
  /** The types of tools; a function of messages has the type `custom` or none. */
  readonly tools?: readonly string[];
  /** The status by which it refuses others; 400 unless given. `misread` = it takes them for something else. */
  readonly otherTools?: number | 'misread';
  /** The types of what an input of responses holds. */
  readonly items?: readonly string[];
  /** The types of blocks and parts of a content. */
  readonly parts?: readonly string[];
  /** What becomes of others: 400 unless given. */
  readonly otherParts?: 'misread';
  /** The same in results of tools. */
  readonly resultParts?: readonly string[];
  /** The roles of messages. */
  readonly roles?: readonly string[];
  /** It wants pictures by their bytes. */
  readonly fetchless?: true;
  /** It wants the text of reasoning, not its summary. */
  readonly wholeReasoning?: true;
  /** It wants the type of messages of the assistant. */
  readonly typed?: true;
  /** The only outermost members; others are refused. */
  readonly members?: readonly string[];
  /** Values of members by their path; others are refused. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Members by their path that it ignores, or does not take at their word, although the answer hangs on them. Hints that it
   * ignores are not here: nobody is told of them.
   */
  readonly ignores?: readonly string[];
  /** How its thoughts come; as the dialect has them unless given. */
  readonly thinking?: Thinking;
  /** How else its answers differ. */
  readonly manners?: readonly Manner[];
  /** Tokens for input and output together; more are refused before anything is made. */
  readonly window?: number;
  /** Stored answers: `ignores` = the history is gone in silence. */
  readonly stored?: 'refuses' | 'ignores';
}

const ITEMS = ['message', 'reasoning', 'function_call', 'function_call_output'];
const CHAINS = { previous_response_id: [null], conversation: [null] };

/** Servers of responses that know functions. */
const FUNCTIONS = { tools: ['function'] } as const satisfies Limits;

/** Servers of messages that know functions, by their schemas. */
const SCHEMAS = { tools: ['custom'] } as const satisfies Limits;

const BLOCKS = ['text', 'image', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'];

/** By the name of the preset and the dialect; what is not here is taken whole, or nothing is known of it. */
const LIMITS: Readonly<Record<string, Readonly<Partial<Record<FakeDialectName, Limits>>>>> = {
  bedrock: {
    responses: {
      tools: ['function', 'custom', 'namespace', 'tool_search', 'mcp'],
      items: [...ITEMS, 'custom_tool_call', 'custom_tool_call_output', 'tool_search_call', 'tool_search_output'],
      values: { service_tier: ['auto', 'default'], 'reasoning.summary': ['auto'], background: [false] },
    },
  },
  ollama: {
    messages: {
      tools: ['custom', 'web_search_20250305'],
      otherTools: 'misread',
      parts: [...BLOCKS, 'server_tool_use', 'web_search_tool_result'],
      otherParts: 'misread',
      fetchless: true,
      ignores: ['tool_choice', 'tool_choice.disable_parallel_tool_use', 'output_config.format'],
      thinking: 'unsigned',
      manners: ['nullContent', 'noNulls'],
    },
    responses: {
      tools: ['function', 'web_search'],
      otherTools: 'misread',
      items: ITEMS,
      resultParts: [],
      parts: ['input_text', 'output_text', 'input_image'],
      fetchless: true,
      ignores: ['tool_choice', 'parallel_tool_calls', 'top_logprobs', 'include'],
      stored: 'ignores',
      thinking: 'plain',
      manners: ['completed'],
    },
    chatCompletions: {
      values: { reasoning_effort: ['none'] },
      ignores: ['tool_choice', 'parallel_tool_calls', 'max_completion_tokens'],
    },
  },
  vllm: {
    messages: { ...SCHEMAS, parts: BLOCKS, thinking: 'madeUp', manners: ['chatIds'], window: 20_000 },
    responses: {
      ...FUNCTIONS,
      values: { background: [false] },
      ignores: ['tool_choice.allowed_tools'],
      stored: 'refuses',
      thinking: 'content',
    },
    chatCompletions: {
      window: 20_000,
      values: { 'tool_choice.type': [undefined, 'function'] },
      manners: ['manyNulls'],
    },
  },
  sglang: {
    messages: {
      ...SCHEMAS,
      parts: BLOCKS.filter((type) => type !== 'redacted_thinking'),
      thinking: 'unsigned',
    },
    responses: { ...FUNCTIONS, values: { background: [false] }, stored: 'refuses', thinking: 'content' },
  },
  llamacpp: {
    messages: {
      ...SCHEMAS,
      otherTools: 'misread',
      parts: BLOCKS,
      otherParts: 'misread',
      ignores: [
        'tool_choice.name',
        'tool_choice.none',
        'tool_choice.disable_parallel_tool_use',
        'output_config.format',
      ],
      thinking: 'blank',
      manners: ['chatIds'],
    },
    responses: {
      ...FUNCTIONS,
      items: ITEMS,
      parts: ['input_text', 'output_text', 'input_image'],
      resultParts: ['input_text'],
      wholeReasoning: true,
      typed: true,
      values: { top_logprobs: [null] },
      ignores: ['text.format', 'tool_choice.name'],
      stored: 'refuses',
      thinking: 'content',
      manners: ['bareEvents', 'completed'],
    },
    chatCompletions: { ignores: ['tool_choice.object'], manners: ['timed'] },
  },
  lmstudio: {
    responses: {
      tools: ['function', 'mcp'],
      items: ITEMS,
      values: { 'reasoning.effort': ['none', 'minimal', 'low', 'medium', 'high'] },
    },
  },
  openrouter: {
    responses: { ...FUNCTIONS, values: { store: [false, null] }, stored: 'refuses' },
    messages: {
      tools: ['custom', 'bash_20250124', 'text_editor_20250124', 'web_search_20250305', 'web_search_20260209'],
    },
  },
  groq: { responses: { ...FUNCTIONS, values: { store: [false, null] }, stored: 'refuses' } },
  deepseek: {
    messages: { ...SCHEMAS, parts: BLOCKS },
    responses: { ...FUNCTIONS, stored: 'ignores' },
  },
  fireworks: {
    responses: {
      tools: ['function', 'mcp'],
      members: [
        ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls'],
        ...['max_output_tokens', 'metadata', 'previous_response_id', 'reasoning', 'store', 'stream', 'temperature'],
        ...['text', 'top_p', 'truncation', 'user', 'include'],
      ],
    },
    messages: SCHEMAS,
  },
  xai: {
    responses: {
      tools: ['function', 'custom', 'web_search', 'file_search', 'code_interpreter', 'mcp'],
      values: { background: [false] },
    },
  },
  moonshot: { messages: SCHEMAS, responses: { ...FUNCTIONS, stored: 'refuses' } },
  zai: { messages: SCHEMAS },
  minimax: {
    messages: { ...SCHEMAS, ignores: ['tool_choice'] },
    responses: { ...FUNCTIONS, stored: 'refuses' },
  },
  qwen: {
    responses: {
      tools: ['function', 'web_search', 'file_search', 'code_interpreter', 'image_generation'],
      otherTools: 'misread',
      values: { background: [false] },
    },
  },
};

/** What is known of a host in a dialect. */
export function limitsOf(name: string, dialect: FakeDialectName): Limits | undefined {
  const limits = LIMITS[name]?.[dialect];
  if (limits?.stored === 'refuses') return { ...limits, values: { ...CHAINS, ...limits.values } };
  if (limits?.stored === 'ignores') return { ...limits, ignores: [...Object.keys(CHAINS), ...(limits.ignores ?? [])] };
  return limits;
}
