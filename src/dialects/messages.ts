import type { GatewayDialect } from './dialect.js';

export const messages: GatewayDialect = {
  service: {
    preset: 'anthropic',
    models: ['claude-*'],
    neutral: {},
    provider: 'anthropic',
    operation: 'chat',
  },
  keyForm: 'x-api-key',
  versionHeader: 'anthropic-version',
  betaHeader: 'anthropic-beta',
  idHeaders: ['request-id', 'x-request-id'],
  accountHeaders: ['anthropic-workspace-id', 'anthropic-user-profile-id'],
  answerHeaders: /^anthropic-(?:ratelimit|priority)-/,
  callers: { paths: String.raw`(?:messages|skills)(?:\/.*)?`, headers: ['anthropic-version'] },
  families: { names: ['messages/batches', 'files', 'skills'], versions: ['v1'], moves: false, verbs: [] },
  images: 'none',
  ownImages: [],
  videos: 'none',
  asksInBody: true,
  counts: 'countTokens',
  keepsAnswers: false,
  endsFailed: false,
  simulated: 'sim-messages',
  simulatedMedia: [],
  isError: (body, error) => body.type === 'error' && typeof error.type === 'string',
};
