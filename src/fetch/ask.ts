import {
  type CanonicalRequest,
  createLosses,
  dialects,
  type EncodeRequestContext,
  encodeBase64,
  type JsonObject,
  type Loss,
  type Profile,
  requirements,
} from '../../translators/index.js';
import { Failure, isObject } from '../ground/plain/index.js';
import { checkModelName, fileType, type JsonText } from '../protocol/index.js';
import type { Call } from './call.js';

/** What a client wants of a model. */
export interface Ask {
  readonly json: JsonText;
  /** The model as the client names it. */
  readonly asked: string;
  /** The backend's name of it. */
  readonly model: string;
  readonly stream: boolean;
  /** How the client wants its stream cut. */
  readonly framing: 'sse' | 'array';
  /** The tokens of the request are wanted, and no answer. */
  readonly counting: boolean;
}

/** An ask with the backend's name of the model. Throws Failure for a name that is none. */
export function askFor(call: Call, ask: Omit<Ask, 'model'>): Ask {
  return { ...ask, model: checkModelName(call.settings.modelOf(ask.asked), '/model') };
}

/** A request in the canonical model, with its body and what was lost. */
export interface Decoded {
  readonly request: CanonicalRequest;
  readonly body: JsonObject;
  readonly losses: readonly Loss[];
}

/** Reads the request. Throws TranslationError for a body that is none of the client's dialect. */
export function decode(call: Call, { json, asked, stream, counting }: Ask): Decoded {
  const losses = createLosses();
  const dialect = dialects[call.dialect];
  const context = { losses, model: asked, stream, counting };
  const request = counting
    ? dialect.count.decodeRequest(json.value, context)
    : dialect.decodeRequest(json.value, context);
  return { request, body: isObject(json.value) ? json.value : {}, losses: losses.list };
}

/** The profile of the model at its host. */
export function profileFor({ settings: { host, profile } }: Call, { model }: Ask): Profile {
  return dialects[host.dialect].profile(model, profile);
}

type Media = NonNullable<EncodeRequestContext['media']>;

/** The files that a target takes only inline, where the options say how they are fetched. */
export async function mediaFor(
  { settings }: Call,
  request: CanonicalRequest,
  profile: Profile,
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
