import type { DialectId } from '../../../translators/index.js';
import type { BackendConfig } from '../../config.js';

/** Well-known names of services by their hosts, as the semantic conventions have them. */
const BY_HOST: readonly (readonly [RegExp, string])[] = [
  [/\.azure\.com$/, 'azure.ai.openai'],
  [/(?:^|\.|-)aiplatform\.googleapis\.com$/, 'gcp.vertex_ai'],
  [/^generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/\.amazonaws\.com$/, 'aws.bedrock'],
  [/(?:^|\.)x\.ai$/, 'x_ai'],
  [/(?:^|\.)groq\.com$/, 'groq'],
  [/(?:^|\.)deepseek\.com$/, 'deepseek'],
  [/(?:^|\.)mistral\.ai$/, 'mistral_ai'],
];

/** What a service speaks tells best what it is, where its host does not. */
const BY_DIALECT: Record<DialectId, string> = {
  messages: 'anthropic',
  responses: 'openai',
  generateContent: 'gcp.gen_ai',
};

/** `gen_ai.provider.name` of a backend. */
export function providerName({ baseUrl, dialect }: Pick<BackendConfig, 'baseUrl' | 'dialect'>): string {
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname;
  return BY_HOST.find(([pattern]) => pattern.test(host))?.[1] ?? BY_DIALECT[dialect];
}

/** `gen_ai.operation.name` of calls in a dialect. */
export const OPERATIONS: Record<DialectId, string> = {
  messages: 'chat',
  responses: 'chat',
  generateContent: 'generate_content',
};
