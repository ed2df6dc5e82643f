import { createRequire } from 'node:module';
import { mimeOf, type PictureFacts, type PictureType, sniffPicture } from '../../translators/index.js';

const TYPES: ReadonlySet<string> = new Set(['png', 'jpg', 'webp', 'gif']);
let sizes: typeof import('image-size') | undefined;

/** Loaded with the first picture. The readers of rarer formats are not for bytes that strangers send. */
function imageSizes(): typeof import('image-size') {
  if (sizes === undefined) {
    sizes = createRequire(import.meta.url)('image-size') as typeof import('image-size');
    sizes.disableTypes(sizes.types.filter((type) => !TYPES.has(type)));
  }
  return sizes;
}

/** How much of a JPEG may precede its dimensions, in bytes (media.md 2.3.1). */
const SCAN_BYTES = 256 * 1024;
/** How many PNG chunks are looked through for transparency. */
const SCAN_CHUNKS = 1000;

/** The first `SCAN_BYTES` bytes of a file that is in pieces. */
export function headOf(chunks: readonly Uint8Array[]): Buffer {
  const [first] = chunks;
  if (first !== undefined && (chunks.length === 1 || first.byteLength >= SCAN_BYTES)) {
    return Buffer.from(first.buffer, first.byteOffset, Math.min(first.byteLength, SCAN_BYTES));
  }
  const taken: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    if (length >= SCAN_BYTES) break;
    taken.push(chunk);
    length += chunk.byteLength;
  }
  return Buffer.concat(taken).subarray(0, SCAN_BYTES);
}

/** The types of pictures that the media routes take. */
const PICTURES: readonly PictureType[] = ['png', 'jpeg', 'webp', 'gif'];

/** The type of a picture by its first bytes; undefined for what is none of those. */
function pictureType(head: Buffer): PictureType | undefined {
  const mime = sniffPicture(head);
  const type = PICTURES.find((one) => mimeOf(one) === mime);
  return type === 'png' && head.toString('latin1', 12, 16) !== 'IHDR' ? undefined : type;
}

/** What the header of a picture tells; undefined for what is no picture. `bytes` is the size of the whole file. */
export function readPicture(head: Buffer, bytes: number): PictureFacts | undefined {
  const type = pictureType(head);
  if (type === undefined) return undefined;
  const size = readSize(head);
  return {
    type,
    ...(size !== undefined && size),
    ...LOOK[type](head),
    bytes,
  };
}

/** Bytes are read, never decoded. The axes are those of the file, before any rotation (media.md 2.3.4). */
function readSize(head: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height } = imageSizes().imageSize(head);
    return Number.isInteger(width) && Number.isInteger(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

type Look = (head: Buffer) => { readonly alpha: boolean; readonly animated: boolean };

const LOOK: Readonly<Record<PictureType, Look>> = {
  png(head) {
    const colour = head[25] ?? 0;
    let alpha = colour === 4 || colour === 6;
    let animated = false;
    let at = 8;
    for (let count = 0; count < SCAN_CHUNKS && at + 8 <= head.length; count += 1) {
      const name = head.toString('latin1', at + 4, at + 8);
      if (name === 'IDAT') break;
      if (name === 'tRNS') alpha = true;
      if (name === 'acTL') animated = true;
      at += head.readUInt32BE(at) + 12;
    }
    return { alpha, animated };
  },
  jpeg: () => ({ alpha: false, animated: false }),
  webp(head) {
    const form = head.toString('latin1', 12, 16);
    const flags = head[20] ?? 0;
    if (form === 'VP8X') return { alpha: (flags & 0x10) !== 0, animated: (flags & 0x02) !== 0 };
    return { alpha: form === 'VP8L' && ((head[24] ?? 0) & 0x10) !== 0, animated: false };
  },
  /** Only a scan of all frames would tell; still pictures and films look alike in the header. */
  gif: () => ({ alpha: true, animated: false }),
};

/** The media type of a picture in base64 by its first bytes, whatever it was called: what is no picture is nameless bytes. */
export function mimeOfBase64(base64: string): string {
  const facts = factsOf(base64);
  return facts === undefined ? 'application/octet-stream' : mimeOf(facts.type);
}

/** What a picture's base64 tells by its first bytes; undefined for what is no picture. */
export function factsOf(base64: string): PictureFacts | undefined {
  // Enough of the text for everything that precedes the pixels; a whole number of groups.
  const head = Buffer.from(base64.slice(0, 349_528), 'base64');
  return readPicture(head, Math.floor((base64.length * 3) / 4));
}
