import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';
import { storedResponses } from '../../translators/index.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Frames repeat each other: more effort makes them hardly shorter, and takes longer. */
const EFFORT = { level: 1 };

/** Up to so many bytes are packed at once: a tenth of a millisecond, less than it takes to ask a thread for it. */
const SMALL = 80 * 1024;

/** A stretch of a stream, in UTF-8, as it is kept. Long ones are packed off the main thread. */
export async function toPiece(frames: Uint8Array): Promise<storedResponses.StoredPiece> {
  const packed = frames.byteLength <= SMALL ? deflateRawSync(frames, EFFORT) : await deflate(frames, EFFORT);
  return { v: storedResponses.VERSION, deflated: packed.toString('base64') };
}

/** The text of a piece. */
export async function fromPiece({ deflated }: storedResponses.StoredPiece): Promise<string> {
  return (await inflate(Buffer.from(deflated, 'base64'))).toString();
}
