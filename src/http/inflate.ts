import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Failure } from '../ground/index.js';
import { createGathered } from './pieces.js';

/** The encodings in which bodies come. */
export type Encoding = 'identity' | 'gzip' | 'deflate' | 'br';

/** The encoding that a `content-encoding` header names. Throws Failure (415) for others. */
export function encodingOf(header: string | undefined): Encoding {
  switch ((header ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return 'deflate';
    case 'br':
      return 'br';
    default:
      throw new Failure({
        kind: 'invalid_request',
        status: 415,
        message: 'the content-encoding must be gzip, deflate, br or identity',
      });
  }
}

/** Bytes that come out at a time. Each is counted before the next are made. */
const chunkSize = 64 * 1024;

const decoders = {
  gzip: () => createGunzip({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  raw: () => createInflateRaw({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
};

/**
 * Decompresses a body. `take` sees each piece before it is kept, and throws to end it. Rejects with what it threw, and
 * with Failure (400) for what is no such data.
 */
export function inflate(
  raw: readonly Buffer[],
  encoding: Exclude<Encoding, 'identity'>,
  take: (bytes: number) => void,
): Promise<readonly Buffer[]> {
  // Some clients send deflate without the zlib wrapper; its first byte tells.
  const form = encoding === 'deflate' && ((raw[0]?.[0] ?? 0) & 0x0f) !== 8 ? 'raw' : encoding;
  return new Promise((resolve, reject) => {
    const decoder = decoders[form]();
    const gathered = createGathered();
    decoder.on('data', (chunk: Buffer) => {
      try {
        take(chunk.length);
      } catch (thrown) {
        decoder.destroy();
        return reject(thrown);
      }
      gathered.add(chunk);
    });
    decoder.once('end', () => resolve(gathered.take()));
    decoder.once('error', (cause) => {
      reject(new Failure({ kind: 'invalid_request', message: `the body is not valid ${encoding} data` }, { cause }));
    });
    for (const piece of raw) decoder.write(piece);
    decoder.end();
  });
}
