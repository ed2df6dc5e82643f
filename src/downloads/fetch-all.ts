import { Failure } from '../ground/index.js';
import { runFor, type Waiting } from '../http/index.js';
import { FILES_AT_ONCE } from '../protocol/index.js';
import type { Fetched, Fetcher } from './fetch.js';

/** A file that a request names, and where it does. */
export interface NamedFile {
  readonly url: string;
  /** JSON Pointer into the client's body. */
  readonly path: string;
}

/**
 * Fetches the files of one request: a few at a time, bounded together to `most` bytes, and no longer than the client waits.
 * Gives what `take` makes of each, in their order. Rejects with a Failure (400) that names the place of the first that fails.
 */
export async function fetchAll<T, F extends NamedFile>(
  fetcher: Fetcher,
  waiting: Waiting,
  files: readonly F[],
  most: number,
  take: (fetched: Fetched, file: F) => T,
): Promise<T[]> {
  const controller = new AbortController();
  runFor(waiting, controller);
  const found: T[] = [];
  const queue = [...files.entries()];
  let left = most;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, file] = next;
      const fetched = await fetcher.fetch(file.url, file.path, controller.signal);
      left -= fetched.bytes.length;
      if (left < 0) {
        const message = 'the files named by URL are too large together';
        throw new Failure({ kind: 'invalid_request', message, path: file.path });
      }
      found[index] = take(fetched, file);
    }
  };
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
    return found;
  } catch (thrown) {
    const { reason } = controller.signal;
    controller.abort();
    throw reason instanceof Failure ? reason : thrown;
  }
}
