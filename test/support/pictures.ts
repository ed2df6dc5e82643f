import { crc32, deflateSync } from 'node:zlib';

/** A picture file and what it is. */
export interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  /** With an alpha channel. */
  readonly alpha?: boolean;
  /** Pads the file to exactly so many bytes, where it is smaller. */
  readonly bytes?: number;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 8 + data.length);
  return out;
}

/** A PNG with one colour. Padding is a text chunk behind the header, so that the file stays a whole one. */
export function png({ width = 8, height = 8, alpha = true, bytes = 0 }: PictureOptions = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = alpha ? 6 : 2;
  const row = Buffer.alloc(1 + width * (alpha ? 4 : 3));
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)];
  const tail = [chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  const missing = bytes - [...parts, ...tail].reduce((sum, part) => sum + part.length, 0) - 12;
  if (missing > 0) parts.push(chunk('tEXt', Buffer.alloc(missing, 0x61)));
  return Buffer.concat([...parts, ...tail]);
}

/** A palette PNG whose transparency stands in a chunk of its own. */
export function palettePng(width = 8, height = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 3;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([255, 0, 0])),
    chunk('tRNS', Buffer.from([0])),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG that says it has frames. */
export function animatedPng(): Buffer {
  const still = png();
  return Buffer.concat([still.subarray(0, 33), chunk('acTL', Buffer.alloc(8)), still.subarray(33)]);
}

/** The header of a JPEG with one segment in front of its frame. */
export function jpeg({ width = 8, height = 8, bytes = 0 }: PictureOptions = {}): Buffer {
  const application = Buffer.from([0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3]);
  const components = Buffer.from([1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  const end = Buffer.from([0xff, 0xd9]);
  const parts = [Buffer.from([0xff, 0xd8]), application, frame, components];
  const missing = bytes - parts.reduce((sum, part) => sum + part.length, 0) - 2;
  return Buffer.concat([...parts, Buffer.alloc(Math.max(0, missing)), end]);
}

/** A lossless WEBP's header. */
export function webp({ width = 8, height = 8, alpha = false, bytes = 0 }: PictureOptions = {}): Buffer {
  const out = Buffer.alloc(Math.max(30, bytes));
  out.write('RIFF', 0, 'latin1');
  out.writeUInt32LE(out.length - 8, 4);
  out.write('WEBPVP8L', 8, 'latin1');
  out.writeUInt32LE(out.length - 20, 16);
  out[20] = 0x2f;
  out.writeUInt32LE((width - 1) | ((height - 1) << 14) | (alpha ? 1 << 28 : 0), 21);
  return out;
}

/** A GIF's header. */
export function gif({ width = 8, height = 8, bytes = 0 }: PictureOptions = {}): Buffer {
  const out = Buffer.alloc(Math.max(14, bytes));
  out.write('GIF89a', 0, 'latin1');
  out.writeUInt16LE(width, 6);
  out.writeUInt16LE(height, 8);
  out[out.length - 1] = 0x3b;
  return out;
}
