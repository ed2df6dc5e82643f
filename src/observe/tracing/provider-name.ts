import type { BackendConfig } from '../../config/index.js';
import { gatewayDialect } from '../../dialects/index.js';

/** Well-known names of services by their hosts, as the semantic conventions have them. */
const BY_HOST: readonly (readonly [RegExp, string])[] = [
  [/\.services\.ai\.azure\.com$/, 'azure.ai.inference'],
  [/\.azure\.com$/, 'azure.ai.openai'],
  [/(?:^|\.|-)aiplatform\.googleapis\.com$/, 'gcp.vertex_ai'],
  [/^generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/\.amazonaws\.com$/, 'aws.bedrock'],
  [/(?:^|\.)x\.ai$/, 'x_ai'],
  [/(?:^|\.)groq\.com$/, 'groq'],
  [/(?:^|\.)deepseek\.com$/, 'deepseek'],
  [/(?:^|\.)mistral\.ai$/, 'mistral_ai'],
  [/(?:^|\.)perplexity\.ai$/, 'perplexity'],
];

/** `gen_ai.provider.name` of a backend. */
export function providerName({ baseUrl, dialect }: Pick<BackendConfig, 'baseUrl' | 'dialect'>): string {
  const host = baseUrl === undefined ? '' : new URL(baseUrl).hostname;
  return BY_HOST.find(([pattern]) => pattern.test(host))?.[1] ?? gatewayDialect(dialect).service.provider;
}
