import type { HostLack } from '../../target/host-words.js';
import { lacking, type RefusalRule, THINKING_REFUSALS, UNTHINKING } from '../../target/refusals.js';

/** Of a server that refuses one type of tool: it is taken to know functions only, since a request is not repeated for each. */
const FUNCTIONS: readonly HostLack[] = [
  'customTools',
  'namespaces',
  'toolSearch',
  'additionalTools',
  'hostedTools',
  'mcp',
];

/** The same for items that are neither messages, reasoning nor calls of functions. */
const ITEMS: readonly HostLack[] = ['codexItems', ...FUNCTIONS];

/**
 * What servers that speak the dialect in part refuse (hosts.md#presets): what is about one member comes before what only
 * tells that some are unknown.
 */
export const REFUSALS: readonly RefusalRule[] = [
  ...THINKING_REFUSALS,
  { words: ['temperature', 'only the default'], flags: { sampling: ['none-when-reasoning'] } },
  { words: ["'reasoning.effort' is not supported"], flags: UNTHINKING, lacks: ['effort'] },
  { words: ['strict', 'extra inputs'], flags: { strictTools: false } },
  { words: ['tool type'], lacks: FUNCTIONS },
  { words: ["'type' of tool"], lacks: FUNCTIONS },
  { words: ['tools.', '.type'], lacks: FUNCTIONS },
  { words: ['tools[', '].type'], lacks: FUNCTIONS },
  { words: ['input item type'], lacks: ITEMS },
  { words: ["type of 'item'"], lacks: [...ITEMS, 'shortMessages'] },
  { words: ['input[', '].type'], lacks: ITEMS },
  { words: ['output of tool call'], lacks: ['resultMedia'] },
  ...lacking('input_file', ['documents']),
  { words: ['input_image', 'url', 'not support'], lacks: ['imageUrls'] },
  ...lacking('input_image', ['images']),
  ...lacking('tool_choice', ['namedToolChoice']),
  ...lacking('text.format', ['outputFormat']),
  { words: ['json_schema', 'not support'], lacks: ['outputFormat'] },
  { words: ["unsupported parameter: 'reasoning.effort'"], lacks: ['effort'] },
  // One value of it: those that every server knows are no loss that counts.
  { words: ['reasoning.effort', 'supported'], lacks: ['farEfforts'] },
  { words: ['reasoning.effort', 'invalid'], lacks: ['farEfforts'] },
  ...lacking('reasoning.summary', ['summaryWords']),
  ...lacking('encrypted_content', ['encryptedReasoning']),
  { words: ['reasoning', 'content'], lacks: ['summaryReasoning'] },
  ...lacking('service_tier', ['tiers']),
  ...lacking('background', ['background']),
  ...lacking('store', ['storeTrue']),
  ...['extra inputs are not permitted', 'extra_forbidden', 'unknown parameter', 'unrecognized'].map(
    (said): RefusalRule => ({ words: [said], lacks: ['unknownKeys'] }),
  ),
];
