import {
  type CanonicalRequest,
  type EncodeRequestContext,
  encodeBase64,
  type JsonObject,
  type ModelTarget,
  requirements,
  type StoredItems,
} from '../../translators/index.js';
import { type Decoded, decodeRequest, type GenerationRequest } from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkFileCount, FILES_AT_ONCE, fileType } from '../protocol/index.js';
import type { Call } from './call.js';

/** What a client asks of a model, and which one of the host that is. */
export interface WebRequest extends GenerationRequest {
  /** The host's name of the model. */
  readonly target: string;
  /** The tokens of the request are wanted, and no answer. */
  readonly counting: boolean;
  /** What is kept of the conversation that the body names, and the body as answers repeat it. */
  readonly conversation?: { readonly state: StoredItems; readonly echo: JsonObject };
  /** The path in the client's own body for one in `json`, where that was made of it. */
  readonly pathOf?: (path: string) => string;
}

/** Reads the request. Throws TranslationError for a body that is none of the client's dialect. */
export function decode(call: Call, ask: WebRequest): Decoded {
  const { conversation, counting } = ask;
  const found = decodeRequest(call.client, ask, { counting, state: conversation?.state });
  return conversation === undefined ? found : { ...found, body: conversation.echo };
}

/** The profile of the model at its host. */
export function profileFor({ settings: { service, profile } }: Call, { target }: WebRequest): ModelTarget {
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
  checkFileCount(web.map(([, path]) => ({ path })));
  const found: [string, { readonly mime: string; readonly base64: string }][] = [];
  const work = async (): Promise<void> => {
    for (let next = web.shift(); next !== undefined; next = web.shift()) {
      const [url, path] = next;
      found.push([url, await fileAt(media, url, path)]);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work)).finally(() => {
    // Where one cannot be had, the rest are not asked for.
    web.length = 0;
  });
  return new Map(found);
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
