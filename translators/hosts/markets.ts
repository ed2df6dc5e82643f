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
  TOP_K,
} from './row.js';

/** They refuse what others call the reasoning of a message [H §8.1]. */
const OWN_REASONING = { reasoningField: 'reasoning' } as const;

const GROQ_REASONS = { reasoningControl: 'effort', reasoningFormat: true } as const;

/** Services that serve models of several vendors. */
export const MARKETS = {
  openrouter: {
    title: 'OpenRouter',
    hosts: ['openrouter.ai', 'eu.openrouter.ai'],
    alike: ['*.openrouter.ai'],
    endpoints: {
      responses: {
        root: 'https://openrouter.ai/api',
        neutral: { cacheKey: true },
        unsupported: ['inputTokens', 'storeTrue', ...FUNCTIONS_ONLY],
      },
      messages: { root: 'https://openrouter.ai/api', unsupported: ['countTokens', 'clientTools'] },
      chatCompletions: {
        root: 'https://openrouter.ai/api/v1',
        flags: {
          ...PICTURES,
          ...TOP_K,
          urlMedia: ['image', 'document', 'video'],
          thinking: { ...onDemand('minimal', 'low', 'medium', 'high', 'xhigh'), acceptsBudget: true },
          cacheMarks: 4,
        },
        server: {
          systemMessages: 'many',
          developerRole: true,
          fileParts: 'url',
          audioParts: 'base64',
          videoParts: true,
          webSearch: 'plugin',
          reasoningControl: 'openrouter',
        },
        models: [
          ...(['gpt-', 'o1', 'o3', 'o4'] as const).map((prefix) => ({ prefix, flags: { strictTools: true } })),
          { prefix: 'gpt-oss' },
          { prefix: 'claude', flags: { toolResultMedia: true } },
        ],
        keeps: PARSES,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'OPENROUTER_API_KEY',
  },
  groq: {
    title: 'Groq',
    hosts: ['api.groq.com'],
    endpoints: {
      chatCompletions: {
        root: 'https://api.groq.com/openai/v1',
        flags: { sampling: PENALTY_FREE, schemaOutput: false, schemaWithTools: false },
        server: {
          maxTokensField: 'max_completion_tokens',
          systemMessages: 'many',
          idRule: 'any',
          logprobs: false,
          ...OWN_REASONING,
        },
        models: [
          {
            prefix: 'gpt-oss',
            flags: { thinking: always('low', 'medium', 'high'), schemaOutput: true, strictTools: true },
            server: GROQ_REASONS,
          },
          { prefix: 'qwen3', flags: { thinking: reasons() }, server: GROQ_REASONS },
        ],
        keeps: REFUSES,
      },
      responses: { root: 'https://api.groq.com/openai', unsupported: ['inputTokens', 'storeTrue', ...FUNCTIONS_ONLY] },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'GROQ_API_KEY',
    provider: 'groq',
  },
  together: {
    title: 'Together',
    hosts: ['api.together.ai', 'api.together.xyz'],
    endpoints: {
      chatCompletions: {
        root: 'https://api.together.ai/v1',
        flags: { ...TOP_K, thinking: reasons() },
        server: { systemMessages: 'many', idRule: 'any', videoParts: true, reasoningControl: 'openrouter' },
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'TOGETHER_API_KEY',
  },
  fireworks: {
    title: 'Fireworks',
    hosts: ['api.fireworks.ai', 'us.api.fireworks.ai'],
    alike: ['*.api.fireworks.ai'],
    endpoints: {
      responses: {
        root: 'https://api.fireworks.ai/inference',
        unsupported: ['inputTokens', ...FUNCTIONS_ONLY, 'unknownKeys'],
      },
      messages: { root: 'https://api.fireworks.ai/inference', unsupported: ['countTokens', ...SCHEMAS_ONLY] },
      chatCompletions: {
        root: 'https://api.fireworks.ai/inference/v1',
        flags: { ...TOP_K, thinking: reasons('low', 'medium', 'high') },
        server: { systemMessages: 'many', idRule: 'any', reasoningControl: 'effort' },
        keeps: PARSES,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'FIREWORKS_API_KEY',
    state: 'own',
  },
  cerebras: {
    title: 'Cerebras',
    hosts: ['api.cerebras.ai'],
    endpoints: {
      chatCompletions: {
        root: 'https://api.cerebras.ai/v1',
        flags: { thinking: reasons('low', 'medium', 'high'), strictTools: true },
        server: {
          maxTokensField: 'max_completion_tokens',
          systemMessages: 'many',
          idRule: 'any',
          parallelField: false,
          reasoningControl: 'effort',
          reasoningFormat: true,
          ...OWN_REASONING,
        },
        keeps: REFUSES,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'CEREBRAS_API_KEY',
  },
} as const satisfies Readonly<Record<string, HostRow>>;
