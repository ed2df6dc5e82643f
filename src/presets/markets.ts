import { FUNCTIONS_ONLY, SCHEMAS_ONLY } from './lacks.js';
import type { Preset } from './preset.js';

/** Services that serve models of several vendors. */
export const MARKETS = {
  openrouter: {
    title: 'OpenRouter',
    hosts: ['openrouter.ai', 'eu.openrouter.ai'],
    doors: {
      responses: {
        root: 'https://openrouter.ai/api',
        neutral: { cacheKey: true },
        lacks: ['inputTokens', 'storeTrue', ...FUNCTIONS_ONLY],
      },
      messages: { root: 'https://openrouter.ai/api', lacks: ['countTokens', 'clientTools'] },
      chatCompletions: { root: 'https://openrouter.ai/api/v1' },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'OPENROUTER_API_KEY',
  },
  groq: {
    title: 'Groq',
    hosts: ['api.groq.com'],
    doors: {
      chatCompletions: { root: 'https://api.groq.com/openai/v1' },
      responses: { root: 'https://api.groq.com/openai', lacks: ['inputTokens', 'storeTrue', ...FUNCTIONS_ONLY] },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'GROQ_API_KEY',
    provider: 'groq',
  },
  together: {
    title: 'Together',
    hosts: ['api.together.ai', 'api.together.xyz'],
    doors: { chatCompletions: { root: 'https://api.together.ai/v1' } },
    auth: 'bearer',
    key: 'needed',
    variable: 'TOGETHER_API_KEY',
  },
  fireworks: {
    title: 'Fireworks',
    hosts: ['api.fireworks.ai', 'us.api.fireworks.ai'],
    doors: {
      responses: {
        root: 'https://api.fireworks.ai/inference',
        lacks: ['inputTokens', ...FUNCTIONS_ONLY, 'unknownKeys'],
      },
      messages: { root: 'https://api.fireworks.ai/inference', lacks: ['countTokens', ...SCHEMAS_ONLY] },
      chatCompletions: { root: 'https://api.fireworks.ai/inference/v1' },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'FIREWORKS_API_KEY',
    state: 'own',
  },
  cerebras: {
    title: 'Cerebras',
    hosts: ['api.cerebras.ai'],
    doors: { chatCompletions: { root: 'https://api.cerebras.ai/v1' } },
    auth: 'bearer',
    key: 'needed',
    variable: 'CEREBRAS_API_KEY',
  },
} as const satisfies Readonly<Record<string, Preset>>;
