import type { Preset } from './preset.js';

/** How hard a model thinks is said by an effort alone; whether it does, by nothing. */
const BY_EFFORT = {
  thinking: {
    control: 'effort',
    canDisable: false,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
    defaultOn: true,
  },
} as const;

/** Servers that people run themselves. */
export const LOCAL = {
  ollama: {
    title: 'Ollama',
    hosts: ['localhost:11434', 'ollama.com'],
    doors: {
      messages: { root: 'http://localhost:11434' },
      responses: { root: 'http://localhost:11434' },
      chatCompletions: { root: 'http://localhost:11434/v1' },
    },
    auth: 'bearer',
    key: 'optional',
    note: 'In the cloud: `baseUrl: https://ollama.com` with a key.',
  },
  vllm: {
    title: 'vLLM',
    hosts: [],
    doors: {
      messages: { root: 'http://localhost:8000', neutral: BY_EFFORT },
      responses: { root: 'http://localhost:8000' },
      chatCompletions: { root: 'http://localhost:8000/v1' },
    },
    auth: 'bearer',
    key: 'optional',
    note: 'Started with `--api-key`, it wants this key as `apiKey`.',
  },
  sglang: {
    title: 'SGLang',
    hosts: [],
    doors: { messages: { root: 'http://localhost:30000' }, chatCompletions: { root: 'http://localhost:30000/v1' } },
    auth: 'bearer',
    key: 'optional',
  },
  llamacpp: {
    title: 'llama.cpp',
    hosts: [],
    doors: {
      messages: { root: 'http://localhost:8080' },
      responses: { root: 'http://localhost:8080' },
      chatCompletions: { root: 'http://localhost:8080/v1' },
    },
    auth: 'bearer',
    key: 'optional',
    note: 'Its usual port is that of the gateway: start one of them on another (`--port`).',
  },
  lmstudio: {
    title: 'LM Studio',
    hosts: ['localhost:1234'],
    doors: {
      responses: { root: 'http://localhost:1234' },
      messages: { root: 'http://localhost:1234' },
      chatCompletions: { root: 'http://localhost:1234/v1' },
    },
    auth: 'bearer',
    key: 'optional',
    state: 'own',
  },
} as const satisfies Readonly<Record<string, Preset>>;
