import { type RefusalRule, THINKING_REFUSALS } from '../../target/refusals.js';
import type { ThinkingProfile } from '../../target/words.js';

/** Thinking in tokens, before there were levels [G §2.6]. */
const BUDGET: ThinkingProfile = {
  control: 'budget',
  canDisable: true,
  acceptsBudget: true,
  levels: [],
  defaultOn: true,
  defaultShow: 'none',
};

/** What older models refuse, and hosts that have fewer fields (translation.md 2.1). */
export const REFUSALS: readonly RefusalRule[] = [
  { words: ['thinking level'], flags: { thinking: BUDGET } },
  { words: ['only works in thinking mode'], flags: { thinking: { ...BUDGET, canDisable: false } } },
  ...THINKING_REFUSALS,
  { words: ['parametersjsonschema'], flags: { jsonSchemaField: false } },
  { words: ['responsejsonschema'], flags: { jsonSchemaField: false } },
  { words: ['function calling with a response mime type'], flags: { schemaWithTools: false } },
  { words: ['tool use with function calling is unsupported'], flags: { mixHosted: 'no' } },
  { words: ['unknown name "id"', 'function_'], flags: { functionIds: false } },
];
