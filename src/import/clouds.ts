import type { ConfigInput } from '../config/index.js';

type BackendInput = ConfigInput['backends'][string];

export const AWS_CREDENTIALS = 'credentials are found where the tools of AWS look: the environment, a profile, a role';
export const GOOGLE_CREDENTIALS =
  'credentials are found where the tools of Google look: GOOGLE_APPLICATION_CREDENTIALS';

/** Where Bedrock serves a model: Claude by messages, the others by chat completions. */
export function bedrockAt(region: string, model: string): BackendInput {
  const host = `https://bedrock-runtime.${region}.amazonaws.com`;
  if (/claude/.test(model))
    return { preset: 'bedrock', dialect: 'messages', baseUrl: `${host}/anthropic`, auth: 'aws' };
  return { preset: 'bedrock', dialect: 'chatCompletions', baseUrl: `${host}/openai/v1`, auth: 'aws' };
}

/** Where Vertex AI serves a model, by its publisher. */
export function vertexAt(project: string, location = 'us-central1', model = ''): BackendInput {
  const [preset, publisher] = /^claude/.test(model)
    ? (['vertex-anthropic', 'anthropic'] as const)
    : (['vertex', 'google'] as const);
  const host = location === 'global' ? 'aiplatform.googleapis.com' : `${location}-aiplatform.googleapis.com`;
  return {
    preset,
    baseUrl: `https://${host}/v1/projects/${project}/locations/${location}/publishers/${publisher}`,
    auth: 'google',
  };
}
