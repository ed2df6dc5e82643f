import type { GatewayDialect } from './dialect.js';

export const generateContent: GatewayDialect = {
  service: {
    preset: 'gemini',
    models: ['gemini-*', 'gemma-*', 'imagen-*', 'veo-*'],
    neutral: {},
    provider: 'gcp.gen_ai',
    publisher: 'google',
    operation: 'generate_content',
  },
  keyForm: 'x-goog-api-key',
  idHeaders: ['x-request-id'],
  accountHeaders: ['x-goog-user-project'],
  answerHeaders: /^x-should-retry$/,
  callers: {
    paths: String.raw`(?:.+:[a-zA-Z]+|(?:projects|publishers|tunedModels|cachedContents|fileSearchStores|operations|dynamic)(?:\/.*)?)`,
    otherPaths: /^\/(?:upload|download)(?:\/|$)/,
    headers: ['x-goog-api-key', 'x-goog-api-client'],
    versions: /^\/v1(?:beta1?|alpha)(?:\/|$)/,
  },
  families: {
    names: ['cachedContents', 'files', 'batches', 'fileSearchStores', 'operations'],
    versions: ['v1beta', 'v1beta1', 'v1alpha'],
    moves: true,
    // [G §1]
    verbs: [
      'embedContent',
      'batchEmbedContents',
      'asyncBatchEmbedContent',
      'batchGenerateContent',
      'predict',
      'predictLongRunning',
    ],
  },
  images: 'generateContent',
  ownImages: ['generateContent', 'predict'],
  videos: 'operations',
  asksInBody: false,
  counts: 'countTokens',
  keepsAnswers: false,
  endsFailed: false,
  simulated: 'sim-generate-content',
  simulatedHost: 'generativelanguage.googleapis.com',
  simulatedMedia: [],
  isError: (_body, error) => typeof error.code === 'number' && typeof error.status === 'string',
};
