import * as z from 'zod';
import { amount, count, whole, word } from './values.js';

const effort = z.enum(['minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

const mediaClass = z.enum(['image', 'audio', 'video', 'document', 'file']);

const sampling = z.enum([
  'none',
  'none-when-reasoning',
  'usual-when-reasoning',
  'temp-xor-topP',
  'no-topK',
  'no-penalties',
]);

const thinking = z.strictObject({
  control: z.enum(['budget', 'adaptive', 'level', 'effort', 'none']),
  canDisable: z.boolean(),
  acceptsBudget: z.boolean().optional(),
  minBudget: count.optional(),
  maxBudget: count.optional(),
  levels: z.array(effort),
  defaultOn: z.boolean(),
  defaultLevel: effort.optional(),
  defaultShow: z.enum(['summary', 'none']).optional(),
  betweenTools: z.boolean().optional(),
});

const choiceForms = z.enum(['all', 'noNamed', 'auto', 'ignored']).optional();
const yesNo = z.boolean().optional();

/** How a server of the chat completions dialect speaks it [H §10.1]. */
const server = z.strictObject({
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  readsNewerCap: yesNo,
  systemMessages: z.enum(['many', 'one', 'none']).optional(),
  developerRole: yesNo,
  alternation: yesNo,
  assistantAfterTool: yesNo,
  assistantLast: yesNo,
  emptyContent: z.enum(['null', 'empty', 'omit']).optional(),
  assistantParts: yesNo,
  textParts: yesNo,
  argsMustParse: yesNo,
  idRule: z.enum(['any', 'short', 'nine']).optional(),
  maxTools: whole.optional(),
  imageParts: yesNo,
  fileParts: z.enum(['none', 'data', 'url', 'document_url']).optional(),
  audioParts: z.enum(['none', 'base64', 'data-url']).optional(),
  videoParts: yesNo,
  toolChoice: choiceForms,
  toolChoiceThinking: choiceForms,
  requiredWord: z.enum(['required', 'any']).optional(),
  allowedTools: yesNo,
  customTools: yesNo,
  parallelField: yesNo,
  webSearch: z.enum(['none', 'web_search_options', 'plugin']).optional(),
  stopMax: whole.optional(),
  streamUsage: yesNo,
  logprobs: yesNo,
  seedField: z.enum(['seed', 'random_seed', 'none']).optional(),
  maxTemperature: amount.optional(),
  vendorFields: yesNo,
  promptCacheKey: yesNo,
  plainSchemas: yesNo,
  strictBody: yesNo,
  reasoningControl: z
    .enum(['none', 'effort', 'openrouter', 'thinking', 'qwen', 'template', 'gemini', 'split'])
    .optional(),
  strictEfforts: yesNo,
  reasoningFormat: yesNo,
  clearThinking: yesNo,
  reasoningReplay: z.enum(['must', 'must-with-tools', 'signature', 'own', 'never']).optional(),
  reasoningField: z.enum(['any', 'reasoning']).optional(),
  emptyReasoning: z.enum(['empty', 'space']).optional(),
  toolsWithReasoning: yesNo,
  functionTools: yesNo,
  inlineThink: z.enum(['no', 'open', 'forcedOpen']).optional(),
  usageForm: z.enum(['standard', 'xai', 'gemini', 'mistral']).optional(),
  prefillForm: z.enum(['plain', 'prefix', 'continue']).optional(),
});

/** Flags over a looked-up profile; `model` names the one to look up. */
export const profileFlags = z.strictObject({
  model: word.optional(),
  maxOutput: count.optional(),
  minOutput: count.optional(),
  defaultMaxOutput: count.optional(),
  sampling: z.array(sampling).optional(),
  addedSettings: z.array(z.enum(['topK', 'seed', 'penalties', 'stop'])).optional(),
  samplingDefaults: z
    .strictObject({ temperature: amount.optional(), topP: amount.optional(), topK: amount.optional() })
    .optional(),
  thinking: thinking.optional(),
  prefill: z.boolean().optional(),
  midSystem: z.boolean().optional(),
  strictTools: z.boolean().optional(),
  schemaOutput: z.boolean().optional(),
  jsonMode: z.boolean().optional(),
  schemaWithTools: z.boolean().optional(),
  rawSchemas: z.boolean().optional(),
  jsonSchemaField: z.boolean().optional(),
  functionIds: z.boolean().optional(),
  toolResultMedia: z.boolean().optional(),
  mixHosted: z.enum(['no', 'flag', 'free']).optional(),
  forcedWithThinking: z.boolean().optional(),
  signatures: z.enum(['required', 'advisory']).optional(),
  systemField: z.boolean().optional(),
  instructionsField: z.enum(['optional', 'demanded']).optional(),
  instructionsCached: z.boolean().optional(),
  urlMedia: z.array(mediaClass).optional(),
  cacheMarks: whole.optional(),
  cacheBreakpoints: z.boolean().optional(),
  cacheMinimum: count.optional(),
  cacheKey: z.boolean().optional(),
  cloud: z.boolean().optional(),
  outputMedia: z.array(z.enum(['image', 'audio'])).optional(),
  partResolution: z.boolean().optional(),
  toolTypes: z.record(z.string(), z.string()).optional(),
  server: server.optional(),
});

/** A model name to look up, or flags over the looked-up profile (translation.md 2.1). */
export const profile = z.union([word, profileFlags]);
