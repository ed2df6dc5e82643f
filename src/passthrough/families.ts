import type { DialectId } from '../../translators/index.js';

/**
 * The routes of each dialect's service that nothing here translates, by how their paths begin below the version. No more are
 * relayed: others, such as those that administer an account, would be called with the operator's key.
 */
export const FAMILIES = {
  messages: ['messages/batches', 'files', 'skills'],
  responses: [
    'embeddings',
    'files',
    'uploads',
    'batches',
    'audio',
    'moderations',
    'conversations',
    'vector_stores',
    'containers',
    'fine_tuning',
    'evals',
  ],
  generateContent: ['cachedContents', 'files', 'batches', 'fileSearchStores', 'operations'],
} as const satisfies Record<DialectId, readonly string[]>;

/** Verbs on a model of generateContent services [G §1]. */
export const VERBS = [
  'embedContent',
  'batchEmbedContents',
  'asyncBatchEmbedContent',
  'batchGenerateContent',
  'predict',
  'predictLongRunning',
] as const;

/** The path of a service for a path that a client called; undefined where the service has none that may be called. */
export function servicePath(dialect: DialectId, path: string): string | undefined {
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  if (!isPlain(plain)) return undefined;
  const [, moved = '', version = '', rest = ''] =
    /^(\/(?:upload|download))?(?:\/(v1|v1beta|v1beta1|v1alpha))?\/(.+)$/.exec(plain) ?? [];
  const families: readonly string[] = FAMILIES[dialect];
  if (!families.some((family) => rest === family || rest.startsWith(`${family}/`))) return undefined;
  if (dialect === 'generateContent')
    return `${moved}/${version === '' || version === 'v1' ? 'v1beta' : version}/${rest}`;
  return moved === '' ? `/v1/${rest}` : undefined;
}

/** Whether each segment is one for every reader of the path: none leads up, or holds what ends a segment. */
function isPlain(path: string): boolean {
  return path.split('/').every((segment) => {
    try {
      const text = decodeURIComponent(segment);
      return /^[\x21-\x7e]*$/.test(segment) && !/^\.{1,2}$/.test(text) && !/[/\\?#%\p{Cc}]/u.test(text);
    } catch {
      return false;
    }
  });
}
