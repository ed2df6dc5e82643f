/** Path of a call below the service root, which holds the version. */
export function endpoint(operation: 'create' | 'count' | 'models'): string {
  return PATHS[operation];
}

const PATHS = {
  create: '/chat/completions',
  count: '/chat/completions/input_tokens',
  models: '/models',
} as const;
