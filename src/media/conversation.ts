import {
  dialects,
  type EncodeRequestContext,
  type KeepPicture,
  type Requirements,
  requirements,
} from '../../translators/index.js';
import type { Attempt, Passage } from '../exchange/passage.js';
import type { Gateway } from '../gateway.js';
import { Failure } from '../http/failure.js';
import { fetchAll } from './fetch-all.js';
import { fileType } from './file-type.js';
import { mimeOfBase64 } from './pictures.js';

type Media = NonNullable<EncodeRequestContext['media']>;

/** Most files that one conversation may name by URL. */
const MOST = 64;
const MB = 1024 * 1024;

/**
 * Builds a way through a target of another dialect once the files that it takes only inline are here. Nothing is fetched,
 * and nothing waits, for a request without any.
 */
export function withMedia(attempt: Attempt, build: (media: Media | undefined) => Passage): Passage | Promise<Passage> {
  const files = filesOf(attempt);
  return files.length === 0 ? build(undefined) : fetchMedia(attempt, files).then(build);
}

type Files = Requirements['media'];

/** Files behind http and https, each once; other URLs are for the service that knows them. */
function filesOf({ gateway, call, target, decoded }: Attempt): Files {
  const { dialect } = target.backend;
  if (dialect === call.dialect || !gateway.config.media.fetch) return [];
  const needed = requirements(decoded().request, dialects[dialect].profile(target.model, target.profile)).media;
  if (needed.length === 0) return needed;
  const seen = new Set<string>();
  return needed.filter(({ url }) => /^https?:/i.test(url) && !seen.has(url) && seen.add(url));
}

async function fetchMedia({ gateway, call }: Attempt, files: Files): Promise<Media> {
  const { media, config } = gateway;
  if (files.length > MOST) throw refusal(files[MOST]?.path, `more than ${MOST} files are named by URL`);
  const entries = await fetchAll(media.fetcher, call, files, config.limits.bodyMb * MB, ({ bytes, declared }, file) => {
    const mime = fileType(bytes, declared);
    if (mime === undefined) throw refusal(file.path, 'the file behind the URL is of no known type');
    return [file.url, { mime, base64: bytes.toString('base64') }] as const;
  });
  return new Map(entries);
}

function refusal(path: string | undefined, message: string): Failure {
  return new Failure({ kind: 'invalid_request', message, path });
}

/** Keeps the pictures of one answer. */
export interface Keeping {
  readonly keepPicture: KeepPicture;
  /** Resolves once everything that was taken is kept; what cannot be kept was logged. */
  settled(): Promise<void>;
}

/** Where the pictures of an answer go whose client cannot be given them as they are. */
export function createKeeping({ media }: Gateway): Keeping {
  const pending: Promise<void>[] = [];
  return {
    keepPicture(_mime, base64) {
      // What it is called would decide how browsers show it.
      const kept = media.blobs.keep(mimeOfBase64(base64), base64);
      if (kept !== undefined) pending.push(kept.kept);
      return kept?.url;
    },
    async settled() {
      if (pending.length > 0) await Promise.allSettled(pending);
    },
  };
}
