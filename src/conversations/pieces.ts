import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { storedResponses } from '../../translators/index.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A stretch of a stream as it is kept. The work is done off the main thread. */
export async function toPiece(text: string): Promise<storedResponses.StoredPiece> {
  return { v: storedResponses.VERSION, deflated: (await deflate(text)).toString('base64') };
}

/** The text of a piece. */
export async function fromPiece({ deflated }: storedResponses.StoredPiece): Promise<string> {
  return (await inflate(Buffer.from(deflated, 'base64'))).toString();
}
