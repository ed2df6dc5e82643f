import { Failure } from '../ground/index.js';
import type { Fetcher } from './fetch.js';
import type { NamedFile } from './fetch-all.js';

/** How many names are looked up at the same time for one request. */
const AT_ONCE = 4;
/** Most hosts that the URLs of one request may be at. */
const MOST = 64;

/**
 * Checks the URLs of one request that go on to a backend: they must not lead that one to private places either
 * (media.md 8.2). Each host is looked up once. Rejects with a Failure (400) that names the place of a URL that may not.
 */
export async function checkAll(fetcher: Fetcher, files: readonly NamedFile[]): Promise<void> {
  const places = new Map(files.map((file) => [placeOf(file.url), file]));
  const queue = [...places.values()];
  const beyond = queue[MOST];
  if (beyond !== undefined) {
    const message = `the URLs of the request are at more than ${MOST} hosts`;
    throw new Failure({ kind: 'invalid_request', message, path: beyond.path });
  }
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await fetcher.check(next.url, next.path);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
}

/** Everything of a URL that the check looks at: what follows the host plays no part. */
function placeOf(url: string): string {
  return /^https?:\/\/[^/?#\\]+/i.exec(url)?.[0] ?? url;
}
