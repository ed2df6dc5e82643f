import { parseDataUrl } from '../../translators/index.js';
import { Failure } from '../ground/index.js';

/**
 * The bytes of a data URL. Its length is looked at before anything is decoded: a URL that is too long costs nothing
 * (hardening.md row 11). Throws Failure (400).
 */
export function decodeDataUrl(url: string, limit: number, path: string): { bytes: Buffer; declared: string } {
  const comma = url.indexOf(',');
  const dense = /;\s*base64\s*$/i.test(url.slice(0, Math.max(comma, 0)).slice(-32));
  const most = dense ? Math.ceil(limit / 3) * 4 + 1024 : limit * 3;
  if (url.length - comma > most) throw tooLarge(limit, path);
  const bytes = decode(url, path);
  // Text that is not base64 may have up to three characters for a byte, or one.
  if (bytes.bytes.length > limit) throw tooLarge(limit, path);
  return bytes;
}

function tooLarge(limit: number, path: string): Failure {
  return new Failure({
    kind: 'invalid_request',
    message: `the file is larger than ${limit / 1024 / 1024} MB`,
    path,
    code: 'image_too_large',
  });
}

function decode(url: string, path: string): { bytes: Buffer; declared: string } {
  try {
    const parsed = parseDataUrl(url);
    if (parsed !== undefined) return { bytes: Buffer.from(parsed.base64, 'base64'), declared: parsed.mime };
  } catch (error) {
    throw new Failure(
      { kind: 'invalid_request', message: 'the data URL cannot be read', path, code: 'invalid_image' },
      { cause: error },
    );
  }
  throw new Failure({ kind: 'invalid_request', message: 'is not a data URL', path, code: 'invalid_image' });
}
