import { always, FUNCTIONS_ONLY, type HostRow, onDemand, PARSES, PENALTY_FREE, REFUSES, reasons } from './row.js';

/** More of them. */
export const FURTHER_VENDORS = {
  moonshot: {
    title: 'Moonshot (Kimi)',
    hosts: ['api.moonshot.ai', 'api.moonshot.cn'],
    alike: ['api.moonshot.*', 'api.kimi.com'],
    endpoints: {
      messages: {
        root: 'https://api.moonshot.ai/anthropic',
        unsupported: ['countTokens', 'clientTools', 'hostedTools', 'containers', 'cacheMarks'],
      },
      responses: { root: 'https://api.moonshot.ai', unsupported: ['inputTokens', ...FUNCTIONS_ONLY] },
      chatCompletions: {
        root: 'https://api.moonshot.ai/v1',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'MOONSHOT_API_KEY',
    note: 'In China: `baseUrl: https://api.moonshot.cn/anthropic`.',
  },
  zai: {
    title: 'Z.ai (GLM)',
    hosts: ['api.z.ai', 'open.bigmodel.cn'],
    endpoints: {
      messages: {
        root: 'https://api.z.ai/api/anthropic',
        unsupported: ['countTokens', 'clientTools', 'hostedTools', 'containers', 'cacheMarks'],
      },
      chatCompletions: {
        root: 'https://api.z.ai/api/paas/v4',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'ZAI_API_KEY',
    note: 'In China: `baseUrl: https://open.bigmodel.cn/api/anthropic`.',
  },
  minimax: {
    title: 'MiniMax',
    hosts: ['api.minimax.io', 'api.minimaxi.com'],
    endpoints: {
      messages: {
        root: 'https://api.minimax.io/anthropic',
        neutral: { cacheMinimum: 1024 },
        unsupported: ['countTokens', 'toolChoice', 'clientTools', 'hostedTools', 'containers'],
      },
      responses: { root: 'https://api.minimax.io', unsupported: ['inputTokens', ...FUNCTIONS_ONLY] },
      chatCompletions: {
        root: 'https://api.minimax.io/v1',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'MINIMAX_API_KEY',
    note: 'In China: `baseUrl: https://api.minimaxi.com/anthropic`.',
  },
  qwen: {
    title: 'Qwen (Model Studio)',
    hosts: ['dashscope-intl.aliyuncs.com', 'dashscope*.aliyuncs.com', '*.maas.aliyuncs.com'],
    endpoints: {
      responses: {
        root: 'https://dashscope-intl.aliyuncs.com/compatible-mode',
        unsupported: [
          'inputTokens',
          'customTools',
          'namespaces',
          'toolSearch',
          'additionalTools',
          'codexItems',
          'background',
          'encryptedReasoning',
        ],
      },
      chatCompletions: {
        root: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
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
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'DASHSCOPE_API_KEY',
    state: 'own',
    headers: { 'x-dashscope-session-cache': 'enable' },
    note: 'In China: `baseUrl: https://dashscope.aliyuncs.com/compatible-mode`.',
  },
  perplexity: {
    title: 'Perplexity',
    hosts: ['api.perplexity.ai'],
    endpoints: {
      chatCompletions: {
        root: 'https://api.perplexity.ai',
        flags: { jsonMode: false },
        server: { alternation: true, maxTools: 0, stopMax: 0, seedField: 'none', reasoningReplay: 'never' },
        models: (['sonar-reasoning', 'sonar-deep'] as const).map((prefix) => ({
          prefix,
          flags: { thinking: always('minimal', 'low', 'medium', 'high') },
          server: { reasoningControl: 'effort' },
        })),
        keeps: REFUSES,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'PERPLEXITY_API_KEY',
    provider: 'perplexity',
  },
} as const satisfies Readonly<Record<string, HostRow>>;
