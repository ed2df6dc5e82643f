import type { GatewayDialect } from './dialect.js';

const NEUTRAL = {
  'img-legacy': 'dall-e-2',
  'img-v3': 'dall-e-3',
  'img-multi': 'gpt-image-1',
  'img-multi-2': 'gpt-image-2',
  'video-2': 'sora-2',
};

export const responses: GatewayDialect = {
  service: {
    preset: 'openai',
    models: ['gpt-*', 'o1*', 'o3*', 'o4*', 'codex-*', 'chatgpt-image-*', 'dall-e-*', 'sora-*'],
    neutral: NEUTRAL,
    provider: 'openai',
    operation: 'chat',
  },
  keyForm: 'bearer',
  betaHeader: 'openai-beta',
  idHeaders: ['x-request-id'],
  accountHeaders: ['openai-organization', 'openai-project'],
  answerHeaders: /^(?:x-ratelimit-|x-should-retry$|openai-(?:processing-ms|version)$)/,
  callers: {
    paths: String.raw`(?:responses|conversations|embeddings|uploads|audio|moderations|vector_stores|containers|fine_tuning|evals)(?:\/.*)?`,
    headers: [],
  },
  families: {
    names: [
      'embeddings',
      'files',
      'uploads',
      'batches',
      'audio',
      'moderations',
      'conversations',
      'vector_stores',
      'containers',
      'fine_tuning',
      'evals',
    ],
    versions: ['v1'],
    moves: false,
    verbs: [],
  },
  images: 'routes',
  ownImages: ['responses'],
  videos: 'a',
  asksInBody: true,
  answerObject: 'response',
  counts: 'inputTokens',
  keepsAnswers: true,
  endsFailed: true,
  simulated: 'sim-responses',
  simulatedHost: 'api.openai.com',
  simulatedMedia: [
    ...['img-legacy', 'img-v3', 'img-multi', 'img-multi-2', 'img-ctx', 'img-ctx-*', 'img-wide', 'img-wide-*'],
    'video-2',
    ...['dall-e-*', 'gpt-image-*', 'chatgpt-image-*', 'flux-kontext*', 'flux-1-kontext*', 'flux.1-kontext*'],
    ...['imagen-*', 'sora-*'],
  ],
  isError: (_body, error) => 'type' in error,
};
