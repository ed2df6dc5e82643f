import { type ImageRequest, type Picture, TranslationError } from '../../translators/index.js';
import { type Fetched, type Fetcher, headOf, readPicture } from '../downloads/index.js';
import type { FormFile } from '../http/index.js';

/** A picture whose bytes are here, in the pieces in which they came. */
export interface HeldPicture extends Extract<Picture, { readonly from: 'bytes' }> {
  readonly chunks: readonly Uint8Array[];
  /** The name under which it came; '' when it had none. */
  readonly filename: string;
}

/** A picture of a request: here, or still behind a URL or a file id. */
export type GivenPicture = HeldPicture | Exclude<Picture, { readonly from: 'bytes' }>;

/** A request with its pictures as they are at hand here. */
export interface HeldRequest extends ImageRequest {
  readonly images: readonly GivenPicture[];
  readonly mask?: GivenPicture;
}

/** The picture in an uploaded file, whatever its part claimed to be. Throws TranslationError for what is no picture. */
export function uploadedPicture({ chunks, bytes, filename }: FormFile, path: string): HeldPicture {
  return hold(chunks, bytes, filename, path);
}

/** The picture in fetched bytes. */
export function fetchedPicture({ bytes }: Fetched, path: string): HeldPicture {
  return hold([bytes], bytes.length, '', path);
}

function hold(chunks: readonly Uint8Array[], bytes: number, filename: string, path: string): HeldPicture {
  const facts = readPicture(headOf(chunks), bytes);
  if (facts === undefined) {
    throw new TranslationError('invalid_request', 'the file is not a PNG, JPEG, WEBP or GIF image', {
      path,
      code: 'unsupported_file_mimetype',
    });
  }
  return { from: 'bytes', path, facts, chunks, filename, base64: () => Buffer.concat(chunks).toString('base64') };
}

/** A picture given as text: a data URL is taken at once, another URL stays one, anything else must be bare base64. */
export async function namedPicture(text: string, path: string, fetcher: Fetcher): Promise<GivenPicture> {
  if (/^https?:/i.test(text)) return { from: 'url', path, url: text };
  const url = /^data:/i.test(text) ? text : `data:;base64,${text}`;
  return fetchedPicture(await fetcher.fetch(url, path), path);
}

/** The same picture with its bytes; what is behind a URL is fetched. File ids stay what they are. */
export async function withBytes(picture: GivenPicture, fetcher: Fetcher): Promise<GivenPicture> {
  return picture.from === 'url'
    ? fetchedPicture(await fetcher.fetch(picture.url, picture.path), picture.path)
    : picture;
}
