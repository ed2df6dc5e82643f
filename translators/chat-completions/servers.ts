import type { Profile, ServerFlags, ThinkingProfile } from '../profile.js';
import { always, type ModelRow, NEWEST_OPENAI, OPENAI_MODELS, onDemand, reasons } from './models.js';

/** A server that is known by its host. */
export interface ServerRow {
  /** Names of hosts, with at most one `*` for any run of characters; those with a port are compared with it. */
  readonly hosts: readonly string[];
  /** How the names of the vendor's own models begin: where no host is known, they are taken to be there. */
  readonly names?: readonly string[];
  readonly flags?: Partial<Profile>;
  readonly server?: Partial<ServerFlags>;
  readonly models?: readonly ModelRow[];
  /** What is so for every model that it serves, whatever its family needs elsewhere. */
  readonly keeps: readonly (keyof ServerFlags)[];
}

/** Its own parser takes reasoning out of the text. */
const PARSES = ['inlineThink'] as const;

/** It refuses the field in which other servers want reasoning back [H §8.1], and forces tools on every model. */
const REFUSES = ['inlineThink', 'reasoningReplay', 'toolChoice', 'toolChoiceThinking'] as const;

const PICTURES = { urlMedia: ['image'] } as const satisfies Partial<Profile>;
const TOP_K = { sampling: [] } as const satisfies Partial<Profile>;

const OPENAI: ServerRow = {
  hosts: ['api.openai.com'],
  names: ['gpt-', 'chatgpt-', 'o1', 'o3', 'o4'],
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
const PENALTY_FREE = ['no-topK', 'no-penalties'] as const;

/** The vendors' own servers [H §10.2]; what is not named is as at an unknown server. */
const VENDORS: readonly ServerRow[] = [
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
      { prefix: 'gemini-2.5-pro', flags: { thinking: { ...GEMINI, canDisable: false } } },
      {
        prefix: 'gemini-3',
        flags: { thinking: { ...GEMINI, canDisable: false } },
        server: { reasoningReplay: 'signature' },
      },
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
    hosts: ['dashscope*.aliyuncs.com'],
    names: ['qwen', 'qwq'],
    flags: {
      thinking: { ...onDemand('minimal', 'low', 'medium', 'high', 'xhigh', 'max'), acceptsBudget: true },
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
    models: [{ prefix: 'voxtral', server: { audioParts: 'base64' } }],
    keeps: PARSES,
  },
  {
    hosts: ['api.x.ai'],
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

const GROQ_REASONS = { reasoningControl: 'effort', reasoningFormat: true } as const;

/** Servers of models of several vendors [H §10.2]. */
const HOSTS: readonly ServerRow[] = [
  {
    ...OPENAI,
    hosts: ['*.openai.azure.com', '*.cognitiveservices.azure.com'],
    names: [],
    server: { ...OPENAI.server, fileParts: 'none' },
  },
  { hosts: ['*.services.ai.azure.com'], server: { systemMessages: 'many' }, keeps: PARSES },
  {
    hosts: ['openrouter.ai'],
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
      ...['gpt-', 'o1', 'o3', 'o4'].map((prefix) => ({ prefix, flags: { strictTools: true } })),
      { prefix: 'gpt-oss' },
      { prefix: 'claude', flags: { toolResultMedia: true } },
    ],
    keeps: PARSES,
  },
  {
    hosts: ['api.groq.com'],
    flags: { sampling: PENALTY_FREE, schemaOutput: false, schemaWithTools: false },
    server: {
      maxTokensField: 'max_completion_tokens',
      systemMessages: 'many',
      idRule: 'any',
      logprobs: false,
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
  {
    hosts: ['api.cerebras.ai'],
    flags: { thinking: reasons('low', 'medium', 'high'), strictTools: true },
    server: {
      maxTokensField: 'max_completion_tokens',
      systemMessages: 'many',
      idRule: 'any',
      parallelField: false,
      reasoningControl: 'effort',
      reasoningFormat: true,
    },
    keeps: REFUSES,
  },
  {
    hosts: ['api.together.xyz', 'api.together.ai'],
    flags: { ...TOP_K, thinking: reasons() },
    server: { systemMessages: 'many', idRule: 'any', videoParts: true, reasoningControl: 'openrouter' },
    keeps: [],
  },
  {
    hosts: ['api.fireworks.ai'],
    flags: { ...TOP_K, thinking: reasons('low', 'medium', 'high') },
    server: { systemMessages: 'many', idRule: 'any', reasoningControl: 'effort' },
    keeps: PARSES,
  },
  {
    hosts: ['api.perplexity.ai'],
    flags: { jsonMode: false },
    server: { alternation: true, maxTools: 0, stopMax: 0, seedField: 'none', reasoningReplay: 'never' },
    models: ['sonar-reasoning', 'sonar-deep'].map((prefix) => ({
      prefix,
      flags: { thinking: always('minimal', 'low', 'medium', 'high') },
      server: { reasoningControl: 'effort' },
    })),
    keeps: REFUSES,
  },
  {
    hosts: ['*:11434', 'ollama.com'],
    flags: { thinking: onDemand('low', 'medium', 'high') },
    server: {
      textParts: false,
      idRule: 'any',
      toolChoice: 'ignored',
      toolChoiceThinking: 'ignored',
      parallelField: false,
      reasoningControl: 'effort',
    },
    keeps: ['inlineThink', 'toolChoice', 'toolChoiceThinking'],
  },
  { hosts: ['*:1234'], flags: { prefill: true }, server: { idRule: 'any' }, keeps: [] },
  {
    hosts: ['*.snowflakecomputing.com'],
    flags: { jsonMode: false, sampling: ['no-topK', 'none-when-reasoning'] },
    server: { maxTokensField: 'max_completion_tokens', systemMessages: 'many', idRule: 'any' },
    keeps: PARSES,
  },
  {
    hosts: ['api.githubcopilot.com', '*.githubcopilot.com'],
    flags: { schemaOutput: false },
    server: { systemMessages: 'many', idRule: 'any' },
    models: OPENAI_MODELS.map(({ prefix, flags, server }) => ({
      prefix,
      flags: { ...flags, schemaOutput: flags?.schemaOutput ?? true },
      server: { ...server, customTools: false, webSearch: 'none' },
    })),
    keeps: PARSES,
  },
  { hosts: ['router.huggingface.co'], flags: { schemaOutput: false }, server: { idRule: 'any' }, keeps: [] },
  { hosts: ['bedrock-mantle.*'], server: { idRule: 'any' }, keeps: PARSES },
];

const SERVERS: readonly ServerRow[] = [...VENDORS, ...HOSTS];

/** The server at a host, `name` or `name:port`; undefined when nobody knows it. */
export function serverAt(host: string): ServerRow | undefined {
  const full = host.toLowerCase();
  const name = full.replace(/:\d+$/, '');
  return SERVERS.find(({ hosts }) => hosts.some((pattern) => fits(pattern, pattern.includes(':') ? full : name)));
}

function fits(pattern: string, host: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return host === pattern;
  return host.length >= head.length + tail.length && host.startsWith(head) && host.endsWith(tail);
}

/** The server of the vendor of a model; undefined for names that belong to nobody. */
export function vendorOf(name: string): ServerRow | undefined {
  let best: { readonly row: ServerRow; readonly length: number } | undefined;
  for (const row of VENDORS)
    for (const prefix of row.names ?? [])
      if (name.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = { row, length: prefix.length };
  return best?.row;
}
