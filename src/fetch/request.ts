import {
  type CanonicalRequest,
  type EncodeRequestContext,
  encodeBase64,
  type ModelTarget,
  requirements,
} from '../../translators/index.js';
import { type Decoded, decodeRequest, type GenerationRequest } from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkModelName, fileType } from '../protocol/index.js';
import type { Call } from './call.js';

/** What a client asks of a model, and which one of the host that is. */
export interface FetchRequest extends GenerationRequest {
  /** The host's name of the model. */
  readonly target: string;
  /** The tokens of the request are wanted, and no answer. */
  readonly counting: boolean;
}

/** A request with the host's name of the model. Throws Failure for a name that is none. */
export function requestFor(call: Call, asked: Omit<FetchRequest, 'target'>): FetchRequest {
  return { ...asked, target: checkModelName(call.settings.modelOf(asked.model), '/model') };
}

/** Reads the request. Throws TranslationError for a body that is none of the client's dialect. */
export function decode(call: Call, ask: FetchRequest): Decoded {
  return decodeRequest(call.client, ask, ask);
}

/** The profile of the model at its host. */
export function profileFor({ settings: { service, profile } }: Call, { target }: FetchRequest): ModelTarget {
  return service.target(target, profile);
}

type Media = NonNullable<EncodeRequestContext['media']>;

/** The files that a target takes only inline, where the options say how they are fetched. */
export async function mediaFor(
  { settings }: Call,
  request: CanonicalRequest,
  profile: ModelTarget,
): Promise<Media | undefined> {
  const { media } = settings;
  if (media === undefined) return undefined;
  const places = new Map(requirements(request, profile).media.map(({ url, path }) => [url, path]));
  const web = [...places].filter(([url]) => /^https?:/i.test(url));
  if (web.length === 0) return undefined;
  return new Map(await Promise.all(web.map(async ([url, path]) => [url, await fileAt(media, url, path)] as const)));
}

async function fileAt(
  media: (url: string) => Promise<Uint8Array>,
  url: string,
  path: string,
): Promise<{ readonly mime: string; readonly base64: string }> {
  const bytes = await media(url).catch((cause: unknown) => {
    throw new Failure({ kind: 'invalid_request', message: 'the file behind the URL cannot be had', path }, { cause });
  });
  const mime = fileType(bytes, 'text/plain');
  if (mime !== undefined) return { mime, base64: encodeBase64(bytes) };
  throw new Failure({ kind: 'invalid_request', message: 'the file behind the URL is of no known type', path });
}
