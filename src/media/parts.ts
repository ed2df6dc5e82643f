import { createFamilyOf, type FamilyOf, type FileLimits } from '../../translators/index.js';
import type { Config } from '../config.js';
import type { Lasting } from '../lasting.js';
import { type Blobs, createBlobs } from './blobs.js';
import { createFetcher, type Fetcher } from './fetch.js';
import { type FormLimits, formLimits } from './form-limits.js';
import { createGuard, type Guard } from './guard.js';
import { createVideoIds, type VideoIds } from './video-id.js';
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

const MB = 1024 * 1024;

/** The media parts of a gateway. */
export function createMedia(
  config: Config,
  { files: kept, videoKey, logger }: Pick<Lasting, 'files' | 'videoKey' | 'logger'>,
): Media {
  const { media, limits } = config;
  const files = { small: media.smallFileMb * MB, large: media.fileMb * MB };
  const guard = createGuard(media.allowPrivate);
  const blobs = createBlobs(kept, { ttlMs: media.blobMinutes * 60_000, maxBytes: media.blobMb * MB }, logger);
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
