import { isObject } from '../ground/plain/index.js';
import type { Fields, GatewayDialect } from './dialect.js';

const formatOf = ({ response_format: format }: Fields): unknown => (isObject(format) ? format.type : undefined);
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

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
  answerObject: 'chat.completion',
  counts: false,
  keepsAnswers: false,
  endsFailed: false,
  simulated: 'sim-chat-completions',
  simulatedMedia: [],
  serviceRoot(baseUrl) {
    const root = baseUrl.replace(/\/chat\/completions$/, '');
    return new URL(root).pathname === '/' ? `${root}/v1` : root;
  },
  // A relayed body keeps what its server ignores: each counts as lost, although nothing of it was written anew.
  wishes: [
    { isIn: (body) => formatOf(body) === 'json_schema', lacks: ({ schemaOutput }) => !schemaOutput },
    { isIn: (body) => formatOf(body) === 'json_object', lacks: ({ jsonMode }) => !jsonMode },
    { isIn: ({ seed }) => isGiven(seed), lacks: ({ server }) => server?.seedField === 'none' },
    { isIn: ({ logprobs }) => logprobs === true, lacks: ({ server }) => server?.logprobs === false },
    { isIn: ({ stop }) => isGiven(stop), lacks: ({ server }) => server?.stopMax === 0 },
    {
      isIn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
      lacks: ({ server }) => server?.functionTools === false,
    },
    {
      isIn: (body) => Number(body.presence_penalty ?? 0) !== 0 || Number(body.frequency_penalty ?? 0) !== 0,
      lacks: ({ sampling }) => sampling.includes('no-penalties') || sampling.includes('none'),
    },
  ],
  isError: (_body, error) => 'type' in error || 'code' in error,
};
