import { always, OPENAI_MODELS, onDemand, reasons } from './models.js';
import { PARSES, PENALTY_FREE, PICTURES, REFUSES, type ServerRow, TOP_K } from './row.js';
import { OPENAI } from './vendors.js';

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
  hosts: [],
  flags: { ...TOP_K, thinking: onDemand(), prefill: true },
  server: { idRule: 'any', videoParts: true, reasoningControl: 'template', prefillForm: 'continue' },
  models: TEMPLATED,
  keeps: [],
} as const satisfies ServerRow;

/** They refuse what others call the reasoning of a message [H §8.1]. */
const OWN_REASONING = { reasoningField: 'reasoning' } as const;

const GROQ_REASONS = { reasoningControl: 'effort', reasoningFormat: true } as const;

/** Servers of models of several vendors [H §10.2]. */
export const HOSTS: readonly ServerRow[] = [
  {
    ...OPENAI,
    hosts: ['*.openai.azure.com', '*.cognitiveservices.azure.com'],
    names: [],
    server: { ...OPENAI.server, fileParts: 'none' },
  },
  { hosts: ['*.services.ai.azure.com'], server: { systemMessages: 'many' }, keeps: PARSES },
  {
    hosts: ['openrouter.ai', '*.openrouter.ai'],
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
      ...OWN_REASONING,
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
    hosts: ['api.fireworks.ai', '*.api.fireworks.ai'],
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
    name: 'ollama',
    hosts: ['*:11434', 'ollama.com'],
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
  { ...ENGINE, name: 'vllm', flags: { ...ENGINE.flags, thinking: onDemand(...ALL_EFFORTS) } },
  { ...ENGINE, name: 'sglang' },
  {
    ...ENGINE,
    name: 'llamacpp',
    flags: { ...ENGINE.flags, thinking: onDemand('low', 'medium', 'high') },
    server: { idRule: 'any', reasoningControl: 'template', toolChoice: 'noNamed' },
  },
  { name: 'lmstudio', hosts: ['*:1234'], flags: { prefill: true }, server: { idRule: 'any' }, keeps: [] },
  {
    hosts: ['*.snowflakecomputing.com'],
    flags: {
      jsonMode: false,
      sampling: ['no-topK', 'none-when-reasoning'],
      thinking: onDemand('low', 'medium', 'high'),
    },
    server: {
      maxTokensField: 'max_completion_tokens',
      systemMessages: 'many',
      idRule: 'any',
      reasoningControl: 'openrouter',
    },
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
  {
    hosts: ['bedrock-mantle.*', 'bedrock-runtime.*'],
    server: { idRule: 'any' },
    models: [{ prefix: 'mistral.voxtral', server: { audioParts: 'base64' } }],
    keeps: PARSES,
  },
];
