import type { DialectId } from '../../translators/index.js';

/** The dialect that a backend is called in, by the path of the call. */
export function dialectAt(path: string): DialectId {
  if (path.includes(':')) return 'generateContent';
  if (path.includes('/chat/completions')) return 'chatCompletions';
  return path.includes('/messages') ? 'messages' : 'responses';
}
