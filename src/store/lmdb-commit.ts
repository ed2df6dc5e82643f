import type { LmdbFile } from './lmdb-file.js';

/**
 * Runs `work` in a transaction of its own, or of others beside it. Resolves with what it gives once that is committed;
 * rejects when it throws, when the file takes no writes, as on a full disk, and when it is gone.
 */
export async function commit<T>({ root, check }: LmdbFile, work: () => T): Promise<T> {
  check();
  try {
    return await root.transaction(work);
  } catch (error) {
    if (!isFailedCommit(error)) throw error;
    // The reason comes by a promise of its own, which nobody else holds.
    error.commitError.catch(() => {});
    throw new Error('the store file cannot be written; is the disk full?', { cause: error });
  }
}

/** An error of lmdb about a commit, in which it wrote nothing. */
function isFailedCommit(error: unknown): error is Error & { readonly commitError: Promise<never> } {
  return error instanceof Error && 'commitError' in error && error.commitError instanceof Promise;
}
