import type { Store } from '../archive/index.js';
import { type Logger, randomHex } from '../ground/index.js';
import type { Storage } from '../store/index.js';

/** A kept file. */
export interface Blob {
  readonly mime: string;
  readonly bytes: Buffer;
  /** Unix ms from which on it is gone. */
  readonly expires: number;
}

/** Files kept for a while behind URLs that nobody can guess. */
export interface Blobs {
  /**
   * Keeps a file below the URL `base`. Its URL is good at once; `kept` resolves when the file is safely there and rejects when it
   * cannot be kept. undefined for a file that is larger than may be kept. `owner` is the tag of whose it is, with
   * which its id begins: where there is no room, the owner who keeps most loses its oldest.
   */
  keep(
    owner: string,
    file: { readonly mime: string; readonly base64: string },
    base: string,
  ): { readonly url: string; readonly kept: Promise<void> } | undefined;
  /** undefined for an unknown id and for a file that has expired. */
  get(id: string): Promise<Blob | undefined>;
}

/** How long, how much of it, and how large one file may be: times in ms, sizes in bytes. */
export interface BlobLimits {
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly fileBytes: number;
}

/** An id is that of its owner, and so many characters that nobody can guess. */
const TAG = 8;
const SECRET = 24;

interface Kept {
  readonly mime: string;
  readonly base64: string;
  readonly expires: number;
}

export function createBlobs(storage: Pick<Storage, 'area'>, limits: BlobLimits, log: Logger): Blobs {
  const { ttlMs, fileBytes } = limits;
  const store = openStore(storage, limits);
  /** What is on its way into the store: a client may be faster than the disk. */
  const coming = new Map<string, Kept>();
  const put = async (id: string, value: Kept): Promise<void> => {
    coming.set(id, value);
    try {
      await store.set([{ key: id, value }]);
    } catch (error) {
      log.error({ err: error }, 'a picture could not be kept');
      throw error;
    } finally {
      coming.delete(id);
    }
  };
  return {
    keep(owner, { mime, base64 }, base) {
      if (base64.length > fileBytes) return undefined;
      const id = owner.slice(0, TAG) + randomHex().slice(0, SECRET);
      const kept = put(id, { mime, base64, expires: Date.now() + ttlMs });
      // Who does not wait for it must not end the process.
      kept.catch(() => {});
      return { url: `${base}/media/${id}`, kept };
    },
    async get(id) {
      const [found] = coming.has(id) ? [coming.get(id)] : await store.get([id]);
      return isKept(found) && found.expires > Date.now()
        ? { mime: found.mime, bytes: Buffer.from(found.base64, 'base64'), expires: found.expires }
        : undefined;
    },
  };
}

/** What a store adds to a file: the key, the media type, the time. */
const FRAME_BYTES = 1024;

function openStore(storage: Pick<Storage, 'area'>, { ttlMs, maxBytes, fileBytes }: BlobLimits): Store {
  const ownerOf = (id: string): string => id.slice(0, TAG);
  return storage.area('media', { ttlMs, maxBytes, entryBytes: fileBytes + FRAME_BYTES, ownerOf });
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mime' in value &&
    typeof value.mime === 'string' &&
    'base64' in value &&
    typeof value.base64 === 'string' &&
    'expires' in value &&
    typeof value.expires === 'number'
  );
}
