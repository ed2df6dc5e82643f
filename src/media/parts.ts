import { createFamilyOf, type FamilyOf, type FileLimits } from '../../translators/index.js';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { createMemoryStorage } from '../store/memory.js';
import type { Storage } from '../store/types.js';
import { type Blobs, createBlobs } from './blobs.js';
import { createFetcher, type Fetcher } from './fetch.js';
import { type FormLimits, formLimits } from './form-limits.js';
import { createGuard, type Guard } from './guard.js';
import { createVideoIds, type VideoIds } from './video-id.js';
import { createVideoKey } from './video-key.js';
import { createVideoOwners, type VideoOwners } from './video-owners.js';

/** What everything about pictures and videos shares. */
export interface Media {
  readonly familyOf: FamilyOf;
  readonly blobs: Blobs;
  readonly fetcher: Fetcher;
  /** Decides where anything may be fetched from. */
  readonly guard: Guard;
  readonly videos: { readonly ids: VideoIds; readonly owners: VideoOwners };
  /** Base of URLs that are given out, without a trailing slash. */
  root(): string;
  /** Sizes below which files must stay. */
  readonly files: FileLimits;
  readonly form: FormLimits;
  close(): void;
}

const MB = 1024 * 1024;

/**
 * The media parts of a gateway. `base` tells its own address, for URLs that it gives out. Files are kept in `storage`;
 * where nothing outlives an exchange they still have to live until they are fetched, and stay in this process.
 */
export function createMedia(config: Config, storage: Storage | undefined, base: () => string, log: Logger): Media {
  const { media, limits } = config;
  const files = { small: media.smallFileMb * MB, large: media.fileMb * MB };
  const root = (): string => config.listen.publicUrl ?? base();
  const guard = createGuard(media.allowPrivate);
  const blobs = createBlobs(
    storage ?? createMemoryStorage(),
    { ttlMs: media.blobMinutes * 60_000, maxBytes: media.blobMb * MB },
    root,
    log,
  );
  const fetcher = createFetcher(guard, {
    bytes: media.fetchMb * MB,
    deadline: media.fetchSeconds * 1000,
    on: media.fetch,
  });
  return {
    familyOf: createFamilyOf(media.families),
    blobs,
    fetcher,
    guard,
    videos: { ids: createVideoIds(createVideoKey(config, storage)), owners: createVideoOwners(config, storage) },
    root,
    files,
    form: formLimits({
      total: limits.uploadMb * MB,
      file: Math.max(files.small, files.large),
      deadline: limits.bodySeconds * 1000,
    }),
    close: () => fetcher.close(),
  };
}
