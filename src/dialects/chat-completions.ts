import type { GatewayDialect } from './dialect.js';

export const chatCompletions: GatewayDialect = {
  service: {
    preset: 'openai',
    models: [],
    neutral: {},
    provider: 'openai',
    operation: 'chat',
  },
  keyForm: 'bearer',
  idHeaders: ['x-request-id'],
  accountHeaders: ['openai-organization', 'openai-project'],
  answerHeaders: /^(?:x-ratelimit-|x-should-retry$|openai-(?:processing-ms|version)$)/,
  callers: {
    paths: String.raw`chat(?:\/.*)?`,
    otherPaths: /^\/(?:openai|api\/v1|v1beta\/openai)(?:\/|$)/,
    headers: [],
  },
  families: { names: [], placed: ['chat/completions'], versions: [''], moves: false, verbs: [] },
  images: 'none',
  ownImages: [],
  videos: 'none',
  asksInBody: true,
  counts: false,
  keepsAnswers: false,
  endsFailed: false,
  simulated: 'sim-chat-completions',
  simulatedMedia: [],
  serviceRoot(baseUrl) {
    const root = baseUrl.replace(/\/chat\/completions$/, '');
    return new URL(root).pathname === '/' ? `${root}/v1` : root;
  },
  isError: (_body, error) => 'type' in error || 'code' in error,
};
