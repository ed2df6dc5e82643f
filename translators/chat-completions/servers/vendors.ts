import { OPENAI_NAMES } from '../../target/profile.js';
import type { ThinkingProfile } from '../../target/words.js';
import { always, NEWEST_OPENAI, OPENAI_MODELS, onDemand, reasons } from './models.js';
import { PARSES, PENALTY_FREE, PICTURES, REFUSES, type ServerRow } from './row.js';

/** The vendor of the protocol. */
export const OPENAI: ServerRow = {
  hosts: ['api.openai.com', '*.api.openai.com'],
  names: OPENAI_NAMES,
  flags: { ...PICTURES, ...NEWEST_OPENAI.flags, strictTools: true },
  server: {
    maxTokensField: 'max_completion_tokens',
    systemMessages: 'many',
    developerRole: true,
    assistantLast: true,
    assistantParts: true,
    argsMustParse: false,
    fileParts: 'data',
    allowedTools: true,
    vendorFields: true,
    promptCacheKey: true,
    reasoningReplay: 'never',
    ...NEWEST_OPENAI.server,
  },
  models: OPENAI_MODELS,
  keeps: REFUSES,
};

const DEEPSEEK: ThinkingProfile = { ...reasons('low', 'high', 'max'), defaultLevel: 'high' };
const GEMINI: ThinkingProfile = {
  ...reasons('minimal', 'low', 'medium', 'high'),
  acceptsBudget: true,
  defaultShow: 'none',
};

const ALWAYS_GEMINI: ThinkingProfile = { ...GEMINI, canDisable: false };

/** The vendors' own servers [H §10.2]; what is not named is as at an unknown server. */
export const VENDORS: readonly ServerRow[] = [
  OPENAI,
  // Open weights, which anybody serves.
  { hosts: [], names: ['gpt-oss'], keeps: [] },
  {
    hosts: ['generativelanguage.googleapis.com', '*aiplatform.googleapis.com'],
    names: ['gemini'],
    flags: { thinking: GEMINI },
    server: {
      maxTokensField: 'max_completion_tokens',
      idRule: 'any',
      audioParts: 'base64',
      reasoningControl: 'gemini',
      usageForm: 'gemini',
    },
    models: [
      { prefix: 'gemini-1.', flags: {} },
      { prefix: 'gemini-2.', flags: {} },
      { prefix: 'gemini-2.5-pro', flags: { thinking: ALWAYS_GEMINI } },
      {
        prefix: 'gemini-',
        flags: { thinking: { ...ALWAYS_GEMINI, levels: ['low', 'medium', 'high'] } },
        server: { reasoningReplay: 'signature' },
      },
      ...['gemini-3-', 'gemini-3.1', 'gemini-3.5', 'gemini-3.6'].map((prefix) => ({
        prefix,
        flags: { thinking: ALWAYS_GEMINI },
        server: { reasoningReplay: 'signature' } as const,
      })),
    ],
    keeps: PARSES,
  },
  {
    hosts: ['api.anthropic.com'],
    names: ['claude'],
    flags: {
      sampling: PENALTY_FREE,
      thinking: { ...onDemand(), control: 'budget', acceptsBudget: true, minBudget: 1024 },
      schemaOutput: false,
      jsonMode: false,
      cacheMarks: 4,
    },
    server: {
      developerRole: true,
      idRule: 'any',
      seedField: 'none',
      logprobs: false,
      maxTemperature: 1,
      reasoningControl: 'thinking',
      reasoningReplay: 'never',
    },
    keeps: REFUSES,
  },
  {
    hosts: ['api.deepseek.com'],
    names: ['deepseek'],
    flags: { sampling: ['no-topK', 'none-when-reasoning'], thinking: DEEPSEEK, schemaOutput: false },
    server: {
      systemMessages: 'many',
      idRule: 'any',
      reasoningControl: 'thinking',
      // The host takes it below `/beta` only, hence no prefill by itself.
      prefillForm: 'prefix',
    },
    models: [{ prefix: 'deepseek-chat', flags: { thinking: { ...DEEPSEEK, defaultOn: false } } }],
    keeps: PARSES,
  },
  {
    hosts: ['api.moonshot.*', 'api.kimi.com'],
    names: ['kimi', 'moonshot'],
    flags: { thinking: reasons() },
    server: { systemMessages: 'many', idRule: 'any', reasoningControl: 'thinking' },
    models: [
      {
        prefix: 'kimi-k3',
        flags: { thinking: { ...always('low', 'high', 'max'), defaultLevel: 'high' } },
        server: { maxTokensField: 'max_completion_tokens', reasoningControl: 'effort' },
      },
    ],
    keeps: PARSES,
  },
  {
    hosts: ['api.z.ai', 'open.bigmodel.cn'],
    names: ['glm'],
    flags: { thinking: reasons(), schemaOutput: false },
    server: {
      systemMessages: 'many',
      idRule: 'any',
      toolChoice: 'auto',
      toolChoiceThinking: 'auto',
      reasoningControl: 'thinking',
      clearThinking: true,
    },
    models: [{ prefix: 'glm-5.3', flags: { thinking: { ...always('low', 'high', 'max'), defaultLevel: 'high' } } }],
    keeps: PARSES,
  },
  {
    hosts: ['dashscope*.aliyuncs.com', '*.maas.aliyuncs.com'],
    names: ['qwen', 'qwq'],
    flags: {
      thinking: { ...onDemand(), control: 'budget', acceptsBudget: true },
      schemaOutput: false,
      cacheMarks: 4,
    },
    server: {
      idRule: 'any',
      audioParts: 'data-url',
      toolChoiceThinking: 'noNamed',
      reasoningControl: 'qwen',
    },
    keeps: PARSES,
  },
  {
    hosts: ['api.minimax.io', 'api.minimaxi.com'],
    names: ['minimax'],
    flags: { sampling: PENALTY_FREE, thinking: always(), schemaOutput: false, jsonMode: false },
    server: {
      maxTokensField: 'max_completion_tokens',
      idRule: 'any',
      toolChoice: 'auto',
      toolChoiceThinking: 'auto',
      parallelField: false,
      seedField: 'none',
      reasoningControl: 'split',
    },
    keeps: PARSES,
  },
  {
    hosts: ['api.mistral.ai'],
    names: ['mistral', 'ministral', 'devstral', 'codestral', 'magistral', 'pixtral', 'voxtral', 'open-mi'],
    flags: { urlMedia: ['image', 'document'], strictTools: true, prefill: true },
    server: {
      systemMessages: 'many',
      idRule: 'nine',
      assistantAfterTool: true,
      fileParts: 'document_url',
      requiredWord: 'any',
      seedField: 'random_seed',
      streamUsage: false,
      logprobs: false,
      promptCacheKey: true,
      strictBody: true,
      usageForm: 'mistral',
      prefillForm: 'prefix',
    },
    models: [
      { prefix: 'voxtral', server: { audioParts: 'base64' } },
      {
        prefix: 'mistral-small',
        flags: { thinking: { ...onDemand('high'), defaultLevel: 'high' } },
        server: { reasoningControl: 'effort' },
      },
    ],
    keeps: PARSES,
  },
  {
    hosts: ['api.x.ai', '*.api.x.ai'],
    names: ['grok'],
    flags: { ...PICTURES, sampling: PENALTY_FREE, strictTools: true },
    server: {
      systemMessages: 'many',
      idRule: 'any',
      stopMax: 0,
      reasoningReplay: 'never',
      usageForm: 'xai',
    },
    models: [
      ...['grok-2', 'grok-3'].map((prefix) => ({
        prefix,
        flags: { sampling: ['no-topK'] } as const,
        server: { stopMax: 4 },
      })),
      {
        prefix: 'grok-3-mini',
        flags: { thinking: always('low', 'high') },
        server: { reasoningControl: 'effort' },
      },
      {
        prefix: 'grok-4.3',
        flags: { thinking: onDemand('low', 'medium', 'high') },
        server: { reasoningControl: 'effort' },
      },
    ],
    keeps: REFUSES,
  },
];
