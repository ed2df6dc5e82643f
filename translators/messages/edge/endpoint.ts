/** Path and query of a call below the service root. */
export function endpoint(operation: 'create' | 'count' | 'models'): string {
  return PATHS[operation];
}

const PATHS = {
  create: '/v1/messages',
  count: '/v1/messages/count_tokens',
  models: '/v1/models?limit=1000',
} as const;
