import type { RequestFields } from '../../dialect.js';
import { type RefusalRule, THINKING_REFUSALS } from '../../target/refusals.js';
import type { ThinkingProfile } from '../../target/words.js';
import { tuningsOf } from '../../wire/members.js';
import { config } from '../request/members.js';

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
const REFUSALS: readonly RefusalRule[] = [
  { words: ['thinking level'], flags: { thinking: BUDGET } },
  { words: ['only works in thinking mode'], flags: { thinking: { ...BUDGET, canDisable: false } } },
  ...THINKING_REFUSALS,
  { words: ['parametersjsonschema'], flags: { jsonSchemaField: false } },
  { words: ['responsejsonschema'], flags: { jsonSchemaField: false } },
  { words: ['function calling with a response mime type'], flags: { schemaWithTools: false } },
  { words: ['tool use with function calling is unsupported'], flags: { mixHosted: 'no' } },
  { words: ['unknown name "id"', 'function_'], flags: { functionIds: false } },
];

export const requestFields: RequestFields = {
  optional: tuningsOf(config).map((one) => ({ ...one, path: ['generationConfig', ...one.path] })),
  refusals: REFUSALS,
  caps: [],
  betas: [],
  // The path names the model; a body may repeat it, in both spellings that the service reads [G §2.2].
  model: {
    resource: (model) => `models/${model}`,
    repeatedIn: ['generateContentRequest', 'generate_content_request'],
    repeatedInLists: ['requests'],
  },
  data: [
    'contents',
    'systemInstruction',
    'system_instruction',
    'parameters',
    'parametersJsonSchema',
    'response',
    'responseSchema',
    'responseJsonSchema',
    '_responseJsonSchema',
    'schema',
    'labels',
  ],
};
