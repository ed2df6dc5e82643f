import { dialectAt } from '../../support/dialect-at.js';
import { WHOLE } from '../../support/gateway/harness.js';

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A good answer of a backend for whatever it was asked at a path. */
export function wholeFor(path: string): object {
  const [bare = ''] = path.split('?');
  if (bare.endsWith('/count_tokens') || bare.endsWith('/input_tokens')) {
    return { object: 'response.input_tokens', input_tokens: 3 };
  }
  if (bare.endsWith(':countTokens')) return { totalTokens: 3 };
  if (/\/models\/?$/.test(bare)) return { object: 'list', data: [], models: [] };
  if (/\/videos\?/.test(path)) return { object: 'list', data: [], has_more: false };
  if (bare.includes('/images/')) return { created: 1, data: [{ b64_json: PICTURE }] };
  if (bare.includes('/videos')) return { id: 'video_1', object: 'video', status: 'queued', created_at: 1, progress: 0 };
  return WHOLE[dialectAt(bare)]('hi');
}
