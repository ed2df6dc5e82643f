import type { Environment } from './environment.js';
import type { ConfigInput } from './schema.js';

type Backends = ConfigInput['backends'];
type Models = NonNullable<ConfigInput['models']>;

/** The services whose keys are looked for when there is no configuration file, with the names their models have. */
const SERVICES = [
  {
    name: 'anthropic',
    variable: 'ANTHROPIC_API_KEY',
    dialect: 'messages',
    baseUrl: 'https://api.anthropic.com',
    models: ['claude-*'],
    neutral: {},
  },
  {
    name: 'openai',
    variable: 'OPENAI_API_KEY',
    dialect: 'responses',
    baseUrl: 'https://api.openai.com',
    models: ['gpt-*', 'o1*', 'o3*', 'o4*', 'codex-*', 'chatgpt-image-*', 'dall-e-*', 'sora-*'],
    neutral: {
      'img-legacy': 'dall-e-2',
      'img-v3': 'dall-e-3',
      'img-multi': 'gpt-image-1',
      'img-multi-2': 'gpt-image-2',
      'video-2': 'sora-2',
    },
  },
  {
    name: 'gemini',
    variable: 'GEMINI_API_KEY',
    dialect: 'generateContent',
    baseUrl: 'https://generativelanguage.googleapis.com',
    models: ['gemini-*', 'gemma-*', 'imagen-*', 'veo-*'],
    neutral: {},
  },
] as const;

/** The simulator's models when there is neither a file nor a key, one per dialect. */
export const SIMULATED = [
  { model: 'sim-messages', dialect: 'messages' },
  { model: 'sim-responses', dialect: 'responses' },
  { model: 'sim-generate-content', dialect: 'generateContent' },
] as const;

/** The neutral names of media models, and those that their vendors have for them: the routes without a `model` mean some of them. */
const SIMULATED_MEDIA = {
  backend: 'sim-responses',
  models: [
    ...[
      'img-legacy',
      'img-v3',
      'img-multi',
      'img-multi-2',
      'img-ctx',
      'img-ctx-*',
      'img-wide',
      'img-wide-*',
      'video-2',
    ],
    ...['dall-e-*', 'gpt-image-*', 'chatgpt-image-*', 'flux-kontext*', 'flux-1-kontext*', 'flux.1-kontext*'],
    ...['imagen-*', 'sora-*'],
  ],
} as const;

/** The configuration of a start without a file (contract.md 3): the keys in the environment decide. */
export function defaultInput(environment: Environment): ConfigInput {
  const found = SERVICES.filter(({ variable }) => (environment[variable] ?? '') !== '');
  return found.length === 0 ? simulated() : served(found, environment);
}

function simulated(): ConfigInput {
  const backends: Backends = {};
  const models: Models = {};
  for (const { model, dialect } of SIMULATED) {
    backends[model] = { dialect, simulator: true };
    models[model] = { backend: model };
  }
  for (const model of SIMULATED_MEDIA.models) models[model] = { backend: SIMULATED_MEDIA.backend };
  return { backends, models };
}

function served(services: readonly (typeof SERVICES)[number][], environment: Environment): ConfigInput {
  const backends: Backends = {};
  const models: Models = {};
  for (const service of services) {
    backends[service.name] = {
      dialect: service.dialect,
      baseUrl: service.baseUrl,
      apiKey: environment[service.variable],
    };
    for (const pattern of service.models) models[pattern] = { backend: service.name };
    for (const [name, model] of Object.entries(service.neutral)) models[name] = { backend: service.name, model };
  }
  const only = services.length === 1 ? services[0] : undefined;
  if (only !== undefined) models['*'] = { backend: only.name };
  return { backends, models };
}
