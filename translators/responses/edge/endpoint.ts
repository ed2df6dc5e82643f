/** Path of a call below the service root. */
export function endpoint(operation: 'create' | 'count' | 'models'): string {
  return PATHS[operation];
}

const PATHS = { create: '/v1/responses', count: '/v1/responses/input_tokens', models: '/v1/models' } as const;
