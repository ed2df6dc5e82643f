import type { HostFeature } from '../../target/host-words.js';
import { type RefusalRule, refusedMember, THINKING_REFUSALS, UNTHINKING } from '../../target/refusals.js';

/** Of a server that refuses one type of tool: it is taken to know functions only, since a request is not repeated for each. */
const FUNCTIONS: readonly HostFeature[] = [
  'customTools',
  'namespaces',
  'toolSearch',
  'additionalTools',
  'hostedTools',
  'mcp',
];

/** The same for items that are neither messages, reasoning nor calls of functions. */
const ITEMS: readonly HostFeature[] = ['codexItems', ...FUNCTIONS];

/**
 * What servers that speak the dialect in part refuse (hosts.md#presets): what is about one member comes before what only
 * tells that some are unknown.
 */
export const REFUSALS: readonly RefusalRule[] = [
  ...THINKING_REFUSALS,
  { words: ['temperature', 'only the default'], flags: { sampling: ['none-when-reasoning'] } },
  { words: ["'reasoning.effort' is not supported"], flags: UNTHINKING, unsupported: ['effort'] },
  { words: ['strict', 'extra inputs'], flags: { strictTools: false } },
  { words: ['tool type'], unsupported: FUNCTIONS },
  { words: ["'type' of tool"], unsupported: FUNCTIONS },
  { words: ['tools.', '.type'], unsupported: FUNCTIONS },
  { words: ['tools[', '].type'], unsupported: FUNCTIONS },
  { words: ['input item type'], unsupported: ITEMS },
  { words: ["type of 'item'"], unsupported: [...ITEMS, 'shortMessages'] },
  { words: ['input[', '].type'], unsupported: ITEMS },
  { words: ['output of tool call'], unsupported: ['resultMedia'] },
  ...refusedMember('input_file', ['documents']),
  { words: ['input_image', 'url', 'not support'], unsupported: ['imageUrls'] },
  ...refusedMember('input_image', ['images']),
  ...refusedMember('tool_choice', ['namedToolChoice']),
  ...refusedMember('text.format', ['outputFormat']),
  { words: ['json_schema', 'not support'], unsupported: ['outputFormat'] },
  { words: ["unsupported parameter: 'reasoning.effort'"], unsupported: ['effort'] },
  // One value of it: those that every server knows are no loss that counts.
  { words: ['reasoning.effort', 'supported'], unsupported: ['farEfforts'] },
  { words: ['reasoning.effort', 'invalid'], unsupported: ['farEfforts'] },
  ...refusedMember('reasoning.summary', ['summaryWords']),
  ...refusedMember('encrypted_content', ['encryptedReasoning']),
  { words: ['reasoning', 'content'], unsupported: ['summaryReasoning'] },
  ...refusedMember('service_tier', ['tiers']),
  ...refusedMember('background', ['background']),
  ...refusedMember('store', ['storeTrue']),
  ...['extra inputs are not permitted', 'extra_forbidden', 'unknown parameter', 'unrecognized'].map(
    (said): RefusalRule => ({ words: [said], unsupported: ['unknownKeys'] }),
  ),
];
