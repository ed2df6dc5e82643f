import { createFamilyOf, type FamilyOf, type FileLimits } from '../../translators/index.js';
import type { Config } from '../config/index.js';
import { type Blobs, createBlobs, createFetcher, createGuard, type Fetcher, type Guard } from '../downloads/index.js';
import { type Logger, MB } from '../ground/index.js';
import { type FormLimits, formLimits, shareOfKey } from '../http/index.js';
import type { Storage } from '../store/index.js';
import { createVideoIds, type VideoIds } from './video-id.js';
import type { VideoKey } from './video-key.js';
import { createVideoOwners, type VideoOwners } from './video-owners.js';

/** What everything about pictures and videos shares. */
export interface Media {
  readonly familyOf: FamilyOf;
  readonly blobs: Blobs;
  readonly fetcher: Fetcher;
  /** Decides where anything may be fetched from. */
  readonly guard: Guard;
  readonly videos: { readonly ids: VideoIds; readonly owners: VideoOwners };
  /** Sizes below which files must stay. */
  readonly files: FileLimits;
  readonly form: FormLimits;
  close(): void;
}

/** The media parts of a gateway. */
export function createMedia(
  config: Config,
  { files: kept, videoKey, logger }: { readonly files: Storage; readonly videoKey: VideoKey; readonly logger: Logger },
): Media {
  const { media, limits } = config;
  const files = { small: media.smallFileMb * MB, large: media.fileMb * MB };
  const guard = createGuard(media.allowPrivate);
  const maxBytes = media.blobMb * MB;
  // A file that is more than half would go at once where others keep some.
  const fileBytes = config.keys.length > 1 ? shareOfKey(maxBytes) : maxBytes;
  const blobs = createBlobs(kept, { ttlMs: media.blobMinutes * 60_000, maxBytes, fileBytes }, logger);
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
    videos: { ids: createVideoIds(videoKey), owners: createVideoOwners(config, kept) },
    files,
    form: formLimits({
      total: limits.uploadMb * MB,
      file: Math.max(files.small, files.large),
      deadline: limits.bodySeconds * 1000,
    }),
    close: () => fetcher.close(),
  };
}
