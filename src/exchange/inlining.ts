import {
  type HostFeature,
  type KeepPicture,
  type ModelTarget,
  type Requirements,
  requirements,
} from '../../translators/index.js';
import { checkAll, fetchAll, mimeOfBase64 } from '../downloads/index.js';
import { Failure, MB } from '../ground/index.js';
import { type ClientCall, tagOf } from '../http/index.js';
import { checkFileCount, fileType } from '../protocol/index.js';
import type { Attempt, Media } from './attempt.js';
import { hostProfile, unsupportedOf } from './restrictions.js';
import type { ExchangeServices } from './services.js';

/** A body without this names no picture that could be fetched. */
const NAMES_PICTURE = /"(?:image_url|url)"\s*:\s*"https?:/i;

/** All media but pictures. */
const NO_PICTURES: ModelTarget['urlMedia'] = ['audio', 'video', 'document', 'file'];

/**
 * Builds a way through a target once the files that it takes only inline are here, and the URLs that it is to open itself were
 * looked at: of one of the client's own dialect only pictures that its host does not fetch. Nothing is fetched, and nothing
 * waits, for a request without any. `learned` = what its refusals said that the host does not support.
 */
export function withMedia<P>(
  attempt: Attempt,
  build: (media: Media | undefined) => P | Promise<P>,
  learned: readonly HostFeature[] = [],
): P | Promise<P> {
  const { gateway, call, ask, target, decoded } = attempt;
  const { dialect } = target.backend;
  const relays = dialect === call.dialect;
  if (relays && !(unsupportedOf(attempt, learned).includes('imageUrls') && NAMES_PICTURE.test(ask.json.text)))
    return build(undefined);
  const profile = hostProfile(attempt, learned);
  const needed = requirements(decoded().request, relays ? { ...profile, urlMedia: NO_PICTURES } : profile);
  const files = gateway.config.media.fetch ? filesOf(needed.media) : [];
  // A data URL leads nowhere, and what is relayed is looked at by nobody.
  const links = relays ? [] : needed.handedOn.filter(({ url }) => !/^data:/i.test(url));
  if (files.length === 0 && links.length === 0) return build(undefined);
  return prepare(attempt, links, files).then(build);
}

type Files = Requirements['media'];

async function prepare(attempt: Attempt, links: Files, files: Files): Promise<Media | undefined> {
  if (links.length > 0) await checkAll(attempt.gateway.media.fetcher, links);
  return files.length === 0 ? undefined : fetchMedia(attempt, files);
}

/** Files behind http and https, each once; other URLs are for the service that knows them. */
function filesOf(needed: Files): Files {
  const seen = new Set<string>();
  return needed.filter(({ url }) => /^https?:/i.test(url) && !seen.has(url) && seen.add(url));
}

/** A file as it is sent inline. */
type Inline = Media extends ReadonlyMap<string, infer F> ? F : never;

/** The files that were fetched for a request, by URL: several endpoints are planned for, and a URL may open only once. */
const fetched = new WeakMap<ClientCall, Map<string, Inline>>();

async function fetchMedia({ gateway, call }: Attempt, files: Files): Promise<Media> {
  const { media, config } = gateway;
  checkFileCount(files);
  const known = fetched.get(call) ?? new Map<string, Inline>();
  fetched.set(call, known);
  const found = new Map<string, Inline>();
  let left = config.limits.bodyMb * MB;
  for (const { url } of files) {
    const file = known.get(url);
    if (file === undefined) continue;
    found.set(url, file);
    left -= Buffer.byteLength(file.base64, 'base64');
  }
  const rest = files.filter(({ url }) => !found.has(url));
  await fetchAll(media.fetcher, call, rest, left, ({ bytes, declared }, { url, path }) => {
    const mime = fileType(bytes, declared);
    if (mime === undefined) throw refusal(path, 'the file behind the URL is of no known type');
    const file = { mime, base64: bytes.toString('base64') };
    known.set(url, file);
    found.set(url, file);
  });
  return found;
}

function refusal(path: string | undefined, message: string): Failure {
  return new Failure({ kind: 'invalid_request', message, path });
}

/** Keeps the pictures of one answer. */
export interface Keeping {
  readonly keepPicture: KeepPicture;
  /** Resolves once everything that was taken is kept; what cannot be kept was logged. undefined = nothing was taken. */
  settled(): Promise<unknown> | undefined;
}

/** Where the pictures of an answer go whose client cannot be given them as they are. */
export function createKeeping({ media, config }: ExchangeServices, call: ClientCall): Keeping {
  const pending: Promise<void>[] = [];
  return {
    keepPicture(_mime, base64) {
      // What it is called would decide how browsers show it.
      const kept = media.blobs.keep(tagOf(call, config), { mime: mimeOfBase64(base64), base64 }, call.base);
      if (kept !== undefined) pending.push(kept.kept);
      return kept?.url;
    },
    settled: () => (pending.length === 0 ? undefined : Promise.allSettled(pending)),
  };
}
