import type { DialectId } from '../../translators/index.js';

/** Routes of a dialect's service that nothing here translates. */
interface Families {
  /** How their paths begin below the version. */
  readonly names: readonly string[];
  /** The versions below which the service has them; any other stands for the first. */
  readonly versions: readonly [string, ...string[]];
  /** Files go in and out below paths of their own. */
  readonly moves: boolean;
}

/** No more are relayed: others, such as those that administer an account, would be called with the operator's key. */
export const FAMILIES = {
  messages: { names: ['messages/batches', 'files', 'skills'], versions: ['v1'], moves: false },
  responses: {
    names: [
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
    versions: ['v1'],
    moves: false,
  },
  generateContent: {
    names: ['cachedContents', 'files', 'batches', 'fileSearchStores', 'operations'],
    versions: ['v1beta', 'v1beta1', 'v1alpha'],
    moves: true,
  },
} as const satisfies Record<DialectId, Families>;

/** Verbs on a model of generateContent services [G §1]. */
export const VERBS = [
  'embedContent',
  'batchEmbedContents',
  'asyncBatchEmbedContent',
  'batchGenerateContent',
  'predict',
  'predictLongRunning',
] as const;

/** The path of a service for a path that a client called, which has no runs of slashes; undefined where the service has none that may be called. */
export function servicePath(dialect: DialectId, path: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  if (!isPlain(plain)) return undefined;
  const [, moved = '', version = '', rest = ''] =
    /^(\/(?:upload|download))?(?:\/(v1|v1beta|v1beta1|v1alpha))?\/(.+)$/.exec(plain) ?? [];
  const { names, versions, moves }: Families = FAMILIES[dialect];
  if (moved !== '' && !moves) return undefined;
  if (!names.some((family) => rest === family || rest.startsWith(`${family}/`))) return undefined;
  return `${moved}/${versions.includes(version) ? version : versions[0]}/${rest}`;
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
