import type { FakeDialectName } from '../fake-backend/index.js';
import type { ServerName } from '../services/chat-completions/server.js';

/** The header in which a host wants its key. */
type KeyHeader = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key';

/** What is known of a host, from its own documentation: a second witness beside the presets, which know nothing of this. */
export interface HostFacts {
  /** The path in front of `/v1/messages`, `/v1/responses`, `/chat/completions` or `/v1beta/models/…`, by dialect. */
  readonly paths: Readonly<Partial<Record<FakeDialectName, string>>>;
  readonly keyIn: KeyHeader | Readonly<Partial<Record<FakeDialectName, KeyHeader>>>;
  /** Whether it answers without a key. */
  readonly open?: true;
  /** It has no route that counts tokens. */
  readonly countless?: true;
  /** Where it counts beside the routes of its dialects: the answer is `{input_tokens}`. */
  readonly counts?: string;
  /** It has no list of models, or none of what can be called. */
  readonly listless?: true;
  /** It has one list for all dialects, as chat completions have it, or one without an object around it. */
  readonly list?: 'open' | 'bare';
  /** A line of its streams that says nothing. */
  readonly comment?: string;
  /** It lets in the tokens of its cloud, and wants calls in the form of a publisher below the path of its models. */
  readonly publisher?: true;
  /** A header that it has to get with each call. */
  readonly header?: readonly [name: string, value: string];
  /**
   * Whose manners its chat completions have, those of nobody in particular unless given. `own` = it has members of its own, and
   * any are let through; test/sdk/chat-servers knows those of the most usual ones.
   */
  readonly manners?: ServerName | 'own';
}

const LOCAL = {
  paths: { messages: '', responses: '', chatCompletions: '/v1' },
  keyIn: 'authorization',
  open: true,
  list: 'open',
} as const;

/** By the name of its preset. */
export const HOST_FACTS: Readonly<Record<string, HostFacts>> = {
  anthropic: {
    paths: { messages: '', chatCompletions: '/v1' },
    keyIn: { messages: 'x-api-key', chatCompletions: 'authorization' },
  },
  openai: { paths: { responses: '', chatCompletions: '/v1' }, keyIn: 'authorization', manners: 'openai' },
  gemini: {
    paths: { generateContent: '', chatCompletions: '/v1beta/openai' },
    keyIn: { generateContent: 'x-goog-api-key', chatCompletions: 'authorization' },
    manners: 'gemini',
  },
  azure: {
    listless: true,
    paths: { responses: '/openai', chatCompletions: '/openai/v1' },
    keyIn: 'api-key',
    countless: true,
    manners: 'azure',
  },
  foundry: { listless: true, paths: { messages: '/anthropic', chatCompletions: '/models' }, keyIn: 'api-key' },
  bedrock: {
    listless: true,
    paths: { responses: '/openai', messages: '/anthropic', chatCompletions: '/openai/v1' },
    keyIn: 'authorization',
    countless: true,
  },
  vertex: {
    paths: { generateContent: '/v1/projects/p/locations/europe-west1/publishers/google' },
    keyIn: 'authorization',
    publisher: true,
    listless: true,
  },
  'vertex-anthropic': {
    paths: { messages: '/v1/projects/p/locations/europe-west1/publishers/anthropic' },
    keyIn: 'authorization',
    publisher: true,
    listless: true,
  },
  ollama: { ...LOCAL, countless: true },
  vllm: { ...LOCAL, counts: '/v1/messages/count_tokens' },
  sglang: { ...LOCAL, counts: '/v1/messages/count_tokens' },
  llamacpp: { ...LOCAL, counts: '/v1/chat/completions/input_tokens' },
  lmstudio: { ...LOCAL, countless: true },
  openrouter: {
    paths: { responses: '/api', messages: '/api', chatCompletions: '/api/v1' },
    keyIn: 'authorization',
    list: 'open',
    comment: 'OPENROUTER PROCESSING',
    countless: true,
    manners: 'openrouter',
  },
  deepseek: {
    paths: { messages: '/anthropic', responses: '', chatCompletions: '' },
    keyIn: { messages: 'x-api-key', responses: 'authorization', chatCompletions: 'authorization' },
    countless: true,
    manners: 'own',
  },
  groq: { paths: { chatCompletions: '/openai/v1', responses: '/openai' }, keyIn: 'authorization', countless: true },
  mistral: { paths: { chatCompletions: '/v1' }, keyIn: 'authorization', manners: 'own' },
  together: { paths: { chatCompletions: '/v1' }, keyIn: 'authorization', list: 'bare' },
  fireworks: {
    paths: { responses: '/inference', messages: '/inference', chatCompletions: '/inference/v1' },
    keyIn: 'authorization',
    list: 'open',
    countless: true,
  },
  cerebras: { paths: { chatCompletions: '/v1' }, keyIn: 'authorization', manners: 'own' },
  xai: {
    paths: { responses: '', messages: '', chatCompletions: '/v1' },
    keyIn: 'authorization',
    list: 'open',
    countless: true,
  },
  moonshot: {
    paths: { messages: '/anthropic', responses: '', chatCompletions: '/v1' },
    keyIn: 'authorization',
    list: 'open',
    countless: true,
    manners: 'own',
  },
  zai: {
    paths: { messages: '/api/anthropic', chatCompletions: '/api/paas/v4' },
    keyIn: 'authorization',
    countless: true,
  },
  minimax: {
    paths: { messages: '/anthropic', responses: '', chatCompletions: '/v1' },
    keyIn: 'authorization',
    list: 'open',
    countless: true,
    manners: 'own',
  },
  qwen: {
    paths: { responses: '/compatible-mode', chatCompletions: '/compatible-mode/v1' },
    keyIn: 'authorization',
    countless: true,
    header: ['x-dashscope-session-cache', 'enable'],
  },
  perplexity: { paths: { chatCompletions: '' }, keyIn: 'authorization', manners: 'perplexity' },
};
