import { always, FUNCTIONS_ONLY, type HostRow, onDemand, reasons, SCHEMAS_ONLY, type ServerRow, TOP_K } from './row.js';

/** How hard a model thinks is said by an effort alone. */
const BY_EFFORT = {
  thinking: {
    control: 'effort',
    canDisable: true,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
    defaultOn: true,
  },
} as const;

/** What servers that make a chat request of one of responses take of it as well. */
const ADDED = ['topK', 'seed', 'penalties', 'stop'] as const;

/** Thinking is a variable of the template, with an effort beside it, but for models whose template has efforts alone [H §2.3]. */
const TEMPLATED = [
  {
    prefix: 'gpt-oss',
    flags: { thinking: always('low', 'medium', 'high') },
    server: { reasoningControl: 'effort' },
  },
] as const;

const ALL_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Servers of open weights that build a grammar of schemas and go on with a last message when told to [H §2.2]. */
const ENGINE = {
  flags: { ...TOP_K, thinking: onDemand(), prefill: true },
  server: { idRule: 'any', videoParts: true, reasoningControl: 'template', prefillForm: 'continue' },
  models: TEMPLATED,
} as const satisfies ServerRow;

/** Servers that people run themselves. */
export const LOCAL = {
  ollama: {
    title: 'Ollama',
    hosts: ['localhost:11434', 'ollama.com'],
    alike: ['*:11434'],
    endpoints: {
      messages: {
        root: 'http://localhost:11434',
        unsupported: [
          'countTokens',
          'documents',
          'imageUrls',
          'toolChoice',
          'outputFormat',
          ...SCHEMAS_ONLY,
          'tiers',
          'cacheMarks',
          'contentList',
          'effort',
          'thinkingOff',
          'prefill',
          'parallelSwitch',
        ],
      },
      chatCompletions: {
        root: 'http://localhost:11434/v1',
        // Models think unless told not to; only some have efforts, and the others refuse any.
        flags: { thinking: { ...reasons(), defaultLevel: undefined } },
        server: {
          readsNewerCap: false,
          strictEfforts: true,
          textParts: false,
          idRule: 'any',
          toolChoice: 'ignored',
          toolChoiceThinking: 'ignored',
          parallelField: false,
          reasoningControl: 'effort',
        },
        models: [{ prefix: 'gpt-oss', flags: { thinking: always('low', 'medium', 'high') } }],
        keeps: ['inlineThink', 'toolChoice', 'toolChoiceThinking'],
      },
      responses: {
        root: 'http://localhost:11434',
        unsupported: [
          'inputTokens',
          'documents',
          'imageUrls',
          'toolChoice',
          ...FUNCTIONS_ONLY,
          'mcp',
          'encryptedReasoning',
          'tiers',
          'parallelSwitch',
          'effort',
          'thinkingOff',
          'logprobs',
          'resultMedia',
          'resultParts',
          'streamEvents',
          'cutStatus',
        ],
      },
    },
    auth: 'bearer',
    key: 'optional',
    windows: 'show',
    tried: 'version 0.17.4, 2026-11-24',
    note: 'In the cloud: `baseUrl: https://ollama.com` with a key.',
  },
  vllm: {
    title: 'vLLM',
    hosts: [],
    endpoints: {
      messages: {
        root: 'http://localhost:8000',
        neutral: BY_EFFORT,
        unsupported: ['documents', ...SCHEMAS_ONLY, 'cacheMarks', 'prefill', 'messageParts'],
      },
      chatCompletions: {
        root: 'http://localhost:8000/v1',
        counts: 'messages',
        ...ENGINE,
        flags: { ...ENGINE.flags, thinking: onDemand(...ALL_EFFORTS) },
      },
      responses: {
        root: 'http://localhost:8000',
        profile: { addedSettings: ADDED },
        unsupported: [
          'inputTokens',
          'documents',
          ...FUNCTIONS_ONLY,
          'mcp',
          'allowedTools',
          'encryptedReasoning',
          'messageParts',
        ],
        counts: 'messages',
      },
    },
    auth: 'bearer',
    key: 'optional',
    tried: 'version 0.32.0, 2026-11-24',
    note: 'Started with `--api-key`, it wants this key as `apiKey`.',
  },
  sglang: {
    title: 'SGLang',
    hosts: [],
    endpoints: {
      messages: {
        root: 'http://localhost:30000',
        neutral: BY_EFFORT,
        unsupported: ['documents', ...SCHEMAS_ONLY, 'cacheMarks', 'redactedThinking'],
      },
      chatCompletions: {
        root: 'http://localhost:30000/v1',
        counts: 'messages',
        ...ENGINE,
      },
      responses: {
        root: 'http://localhost:30000',
        unsupported: ['inputTokens', ...FUNCTIONS_ONLY, 'mcp', 'allowedTools', 'encryptedReasoning'],
        counts: 'messages',
      },
    },
    auth: 'bearer',
    key: 'optional',
    tried: 'the models of its requests in 0.5.23, without a server, 2026-11-24',
  },
  llamacpp: {
    title: 'llama.cpp',
    hosts: [],
    endpoints: {
      messages: {
        root: 'http://localhost:8080',
        unsupported: [
          'documents',
          ...SCHEMAS_ONLY,
          'outputFormat',
          'effort',
          'thinkingSwitch',
          'namedToolChoice',
          'noneToolChoice',
          'parallelSwitch',
          'cacheMarks',
        ],
      },
      chatCompletions: {
        root: 'http://localhost:8080/v1',
        counts: 'chatCompletions',
        ...ENGINE,
        flags: { ...ENGINE.flags, thinking: onDemand('low', 'medium', 'high') },
        server: { idRule: 'any', reasoningControl: 'template', toolChoice: 'noNamed' },
      },
      responses: {
        root: 'http://localhost:8080',
        profile: { addedSettings: ADDED },
        unsupported: [
          'documents',
          ...FUNCTIONS_ONLY,
          'mcp',
          'textFormat',
          'namedToolChoice',
          'summaryReasoning',
          'shortMessages',
          'resultMedia',
          'encryptedReasoning',
          'logprobs',
          'streamEvents',
          'cutStatus',
        ],
      },
    },
    auth: 'bearer',
    key: 'optional',
    windows: 'props',
    tried: 'llama-server v0.5.0, 2026-11-24',
    note: 'Its usual port is that of the gateway: start one of them on another (`--port`).',
  },
  lmstudio: {
    title: 'LM Studio',
    hosts: ['localhost:1234'],
    alike: ['*:1234'],
    endpoints: {
      responses: {
        root: 'http://localhost:1234',
        unsupported: ['inputTokens', ...FUNCTIONS_ONLY, 'encryptedReasoning', 'tiers', 'farEfforts'],
      },
      messages: { root: 'http://localhost:1234', unsupported: ['countTokens'] },
      chatCompletions: {
        root: 'http://localhost:1234/v1',
        flags: { prefill: true },
        server: { idRule: 'any' },
      },
    },
    auth: 'bearer',
    key: 'optional',
    windows: 'loaded',
    state: 'own',
  },
} as const satisfies Readonly<Record<string, HostRow>>;
