import type { Effort } from '../canonical/request.js';
import type { ThinkingProfile } from '../target/words.js';
import { OPENAI_CHAT } from './openai.js';
import {
  always,
  FUNCTIONS_ONLY,
  type HostRow,
  onDemand,
  PARSES,
  PENALTY_FREE,
  PICTURES,
  REFUSES,
  reasons,
  SCHEMAS_ONLY,
} from './row.js';

const DEEPSEEK: ThinkingProfile = { ...reasons('low', 'high', 'max'), defaultLevel: 'high' };
const GEMINI: ThinkingProfile = {
  ...reasons('minimal', 'low', 'medium', 'high'),
  acceptsBudget: true,
  defaultShow: 'none',
};

const ALWAYS_GEMINI: ThinkingProfile = { ...GEMINI, canDisable: false };

/** From the third generation on: it always thinks, this much where nothing is asked, and wants its signatures back. */
function geminiThinking(defaultLevel: Effort) {
  return {
    flags: { thinking: { ...ALWAYS_GEMINI, defaultLevel } },
    server: { reasoningReplay: 'signature' },
  } as const;
}

/** Services of the companies whose models they serve. */
export const VENDORS = {
  anthropic: {
    title: 'Anthropic',
    hosts: ['api.anthropic.com'],
    endpoints: {
      messages: { root: 'https://api.anthropic.com', threads: true },
      chatCompletions: {
        root: 'https://api.anthropic.com/v1',
        imitation: true,
        auth: 'bearer',
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
    },
    auth: 'x-api-key',
    key: 'needed',
    variable: 'ANTHROPIC_API_KEY',
    provider: 'anthropic',
  },
  openai: {
    title: 'OpenAI',
    hosts: ['api.openai.com', 'us.api.openai.com', 'eu.api.openai.com'],
    alike: ['*.api.openai.com'],
    endpoints: {
      responses: { root: 'https://api.openai.com' },
      chatCompletions: {
        root: 'https://api.openai.com/v1',
        ...OPENAI_CHAT,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'OPENAI_API_KEY',
    state: 'own',
    provider: 'openai',
  },
  gemini: {
    title: 'Gemini API',
    hosts: ['generativelanguage.googleapis.com'],
    alike: ['*aiplatform.googleapis.com'],
    endpoints: {
      generateContent: { root: 'https://generativelanguage.googleapis.com' },
      chatCompletions: {
        root: 'https://generativelanguage.googleapis.com/v1beta/openai',
        imitation: true,
        auth: 'bearer',
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
          { prefix: 'gemini-3-', ...geminiThinking('high') },
          { prefix: 'gemini-3.1', ...geminiThinking('high') },
          { prefix: 'gemini-3.1-flash-lite', ...geminiThinking('minimal') },
          { prefix: 'gemini-3.5', ...geminiThinking('medium') },
          { prefix: 'gemini-3.5-flash-lite', ...geminiThinking('minimal') },
          { prefix: 'gemini-3.6', ...geminiThinking('medium') },
        ],
        keeps: PARSES,
      },
    },
    auth: 'x-goog-api-key',
    key: 'needed',
    variable: 'GEMINI_API_KEY',
    provider: 'gcp.gemini',
  },
  deepseek: {
    title: 'DeepSeek',
    hosts: ['api.deepseek.com'],
    endpoints: {
      messages: {
        root: 'https://api.deepseek.com/anthropic',
        auth: 'x-api-key',
        unsupported: ['countTokens', 'documents', ...SCHEMAS_ONLY, 'cacheMarks'],
      },
      responses: { root: 'https://api.deepseek.com', unsupported: ['inputTokens', ...FUNCTIONS_ONLY, 'mcp'] },
      chatCompletions: {
        root: 'https://api.deepseek.com',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'DEEPSEEK_API_KEY',
    provider: 'deepseek',
  },
  mistral: {
    title: 'Mistral',
    hosts: ['api.mistral.ai'],
    endpoints: {
      chatCompletions: {
        root: 'https://api.mistral.ai/v1',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'MISTRAL_API_KEY',
    provider: 'mistral_ai',
  },
  xai: {
    title: 'xAI',
    hosts: ['api.x.ai', 'us.api.x.ai'],
    alike: ['*.api.x.ai'],
    endpoints: {
      responses: {
        root: 'https://api.x.ai',
        neutral: { cacheKey: true },
        unsupported: ['inputTokens', 'namespaces', 'toolSearch', 'additionalTools', 'codexItems', 'background'],
      },
      messages: { root: 'https://api.x.ai' },
      chatCompletions: {
        root: 'https://api.x.ai/v1',
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
          ...(['grok-2', 'grok-3'] as const).map((prefix) => ({
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'XAI_API_KEY',
    state: 'own',
    provider: 'x_ai',
  },
} as const satisfies Readonly<Record<string, HostRow>>;
