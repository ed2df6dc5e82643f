import { OPENAI_CHAT } from './openai.js';
import { type HostRow, PARSES } from './row.js';

/** Clouds, where each customer has an address of its own. */
export const CLOUDS = {
  azure: {
    title: 'Azure OpenAI',
    hosts: ['*.openai.azure.com', '*.cognitiveservices.azure.com'],
    endpoints: {
      responses: {
        example: 'https://RESOURCE.openai.azure.com/openai',
        dated: 'api-version',
        unsupported: ['inputTokens', 'modelList'],
      },
      chatCompletions: {
        example: 'https://RESOURCE.openai.azure.com/openai/v1',
        dated: 'api-version',
        ...OPENAI_CHAT,
        names: [],
        server: { ...OPENAI_CHAT.server, fileParts: 'none' },
      },
    },
    auth: 'api-key',
    key: 'needed',
    variable: 'AZURE_OPENAI_API_KEY',
    state: 'own',
    provider: 'azure.ai.openai',
    note: 'A deployment is the name of the model; `profile` of the target says which model it is. With a dated API version: `baseUrl: https://RESOURCE.openai.azure.com/openai?api-version=2025-04-01-preview`, and for chat completions `dialect: chatCompletions`, `baseUrl: https://RESOURCE.openai.azure.com/openai/deployments/DEPLOYMENT?api-version=2024-10-21`. With an Entra token: `auth: bearer`.',
  },
  foundry: {
    title: 'Microsoft Foundry',
    hosts: ['*.services.ai.azure.com'],
    endpoints: {
      messages: {
        example: 'https://RESOURCE.services.ai.azure.com/anthropic',
        unsupported: ['modelList'],
        threads: true,
      },
      chatCompletions: {
        example: 'https://RESOURCE.services.ai.azure.com/models?api-version=2024-05-01-preview',
        server: { systemMessages: 'many' },
        keeps: PARSES,
      },
    },
    auth: 'api-key',
    key: 'needed',
    variable: 'ANTHROPIC_FOUNDRY_API_KEY',
    provider: 'azure.ai.inference',
    note: 'A deployment is the name of the model; `profile` of the target says which model it is.',
  },
  bedrock: {
    title: 'Amazon Bedrock',
    hosts: ['bedrock-runtime.*.amazonaws.com', 'bedrock-mantle.*.api.aws'],
    alike: ['bedrock-mantle.*', 'bedrock-runtime.*'],
    manyRoots: true,
    endpoints: {
      responses: {
        example: 'https://bedrock-runtime.REGION.amazonaws.com/openai',
        unsupported: [
          'inputTokens',
          'background',
          'hostedTools',
          'additionalTools',
          'codexItems',
          'tiers',
          'summaryWords',
        ],
      },
      messages: {
        example: 'https://bedrock-runtime.REGION.amazonaws.com/anthropic',
        unsupported: ['countTokens'],
      },
      chatCompletions: {
        example: 'https://bedrock-runtime.REGION.amazonaws.com/openai/v1',
        server: { idRule: 'any' },
        models: [{ prefix: 'mistral.voxtral', server: { audioParts: 'base64' } }],
        keeps: PARSES,
      },
    },
    auth: 'bearer',
    key: 'needed',
    variable: 'AWS_BEARER_TOKEN_BEDROCK',
    state: 'own',
    provider: 'aws.bedrock',
    note: 'The end of the address says the dialect: `/openai` for GPT models, `/anthropic` for Claude. The key is a Bedrock API key; `auth: aws` signs calls with the credentials of the account in its place.',
  },
  vertex: {
    title: 'Vertex AI, Gemini',
    hosts: ['*aiplatform.googleapis.com'],
    manyRoots: true,
    endpoints: {
      generateContent: {
        example: 'https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION/publishers/google',
        profile: { cloud: true },
        unsupported: ['modelList'],
      },
    },
    auth: 'google',
    key: 'none',
    provider: 'gcp.vertex_ai',
    note: 'Needs `npm install google-auth-library`, which finds the credentials. With an API key: `auth: x-goog-api-key`, `baseUrl: https://aiplatform.googleapis.com/v1/publishers/google`.',
  },
  'vertex-anthropic': {
    title: 'Vertex AI, Claude',
    hosts: ['*aiplatform.googleapis.com'],
    manyRoots: true,
    endpoints: {
      messages: {
        example: 'https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION/publishers/anthropic',
        unsupported: ['modelList', 'mcp', 'containers'],
      },
    },
    auth: 'google',
    key: 'none',
    provider: 'gcp.vertex_ai',
    note: 'Needs `npm install google-auth-library`, which finds the credentials. Models have the names of the cloud, such as `claude-sonnet-4-5@20250929`.',
  },
} as const satisfies Readonly<Record<string, HostRow>>;
