import { type RefusalRule, refusedMember, THINKING_REFUSALS } from '../../target/refusals.js';
import { ADAPTIVE, ALWAYS, BUDGET, BY_EFFORT } from '../profile.js';

/** Of a server that wants a schema of each tool: those that the service of the dialect fixes have none. */
const BY_SCHEMA = ['clientTools', 'hostedTools', 'mcp'] as const;

/** Of a server that counts no tokens of thinking. */
const UNBUDGETED = { flags: { thinking: BY_EFFORT }, unsupported: ['thinkingBudget'] } as const;

/**
 * What older models, and servers that speak the dialect in part, refuse (translation.md 2.1): what is about one member comes
 * before what only tells that some are unknown.
 */
export const REFUSALS: readonly RefusalRule[] = [
  { words: ['thinking_token_budget', 'reasoning_config'], ...UNBUDGETED },
  // The same in a stream of vLLM, which quotes no more of it than its beginning.
  {
    words: ["'error': {'message': 'th", "'code': 400"],
    holds: ['thinking', 'budget_tokens'],
    ...UNBUDGETED,
  },
  // Which name what is to be used instead.
  { words: ['thinking.type.disabled', 'between_tools'], flags: { thinking: { ...ALWAYS, betweenTools: true } } },
  { words: ['thinking.type.disabled'], flags: { thinking: ALWAYS } },
  { words: ['adaptive'], flags: { thinking: BUDGET }, unsupported: ['adaptive'] },
  { words: ['thinking.type.enabled'], flags: { thinking: ADAPTIVE } },
  // Where thinking cannot be switched off, a call cannot be forced either.
  { words: ['tool_choice', 'forces tool use'], flags: { forcedWithThinking: false } },
  { words: ['tool_choice', 'forces tool use'], flags: { forcedWithThinking: false, thinking: ALWAYS } },
  { words: ['tool_choice', 'not supported'], flags: { forcedWithThinking: false, thinking: ALWAYS } },
  { words: ['thinking', "'enabled'"], unsupported: ['adaptive'] },
  { words: ['does not support', 'effort'], flags: { thinking: BUDGET }, unsupported: ['effort'] },
  { words: ['output_config.effort', 'extra inputs'], unsupported: ['effort'] },
  ...THINKING_REFUSALS,
  { words: ['does not support', 'prefill'], flags: { prefill: false } },
  { words: ["role: input should be 'user' or 'assistant'"], flags: { midSystem: false }, unsupported: ['systemTurns'] },
  { words: ['role', "'user' or 'assistant'"], unsupported: ['systemTurns'] },
  { words: ['unexpected role', 'system'], unsupported: ['systemTurns'] },
  { words: ['tools', 'input_schema'], unsupported: BY_SCHEMA },
  { words: ['tool type'], unsupported: BY_SCHEMA },
  { words: ['tools.', '.type'], unsupported: BY_SCHEMA },
  ...refusedMember('mcp_servers', ['mcp']),
  ...refusedMember('_tool_use', ['hostedTools', 'mcp']),
  { words: ['strict', 'extra inputs'], flags: { strictTools: false } },
  { words: ['cache_control', 'extra inputs'], flags: { cacheMarks: 0 } },
  { words: ['output_config.format', 'extra inputs'], flags: { schemaOutput: false }, unsupported: ['outputFormat'] },
  {
    words: ['output_config', 'extra inputs'],
    flags: { schemaOutput: false, thinking: BUDGET },
    unsupported: ['outputFormat', 'effort'],
  },
  ...refusedMember('output_format', ['outputFormat']),
  ...refusedMember('document', ['documents']),
  { words: ['content', "input should be 'text'"], unsupported: ['documents'] },
  { words: ['image', 'url', 'not support'], unsupported: ['imageUrls'] },
  ...refusedMember('image', ['images']),
  ...refusedMember('tool_choice', ['namedToolChoice']),
  ...refusedMember('service_tier', ['tiers']),
  ...refusedMember('container', ['containers']),
  ...['extra inputs are not permitted', 'extra_forbidden', 'unknown field', 'unknown parameter'].map(
    (said): RefusalRule => ({ words: [said], unsupported: ['unknownKeys'] }),
  ),
];
