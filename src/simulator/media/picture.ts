import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Longer edge of a simulated picture, in pixels. */
const EDGE = 64;

/**
 * A small PNG in the shape of `size` (`WIDTHxHEIGHT`; a square for anything else) whose colours follow from the prompt:
 * equal words give equal pictures.
 */
export function drawPicture(prompt: string, size = '', variant = 0): Buffer {
  const { width, height } = shapeOf(size);
  const digest = createHash('sha256').update(`${variant} ${prompt}`).digest();
  const rows = Array.from({ length: height }, (_row, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        const from = digest[channel] ?? 0;
        const to = digest[channel + 3] ?? 0;
        row[1 + x * 3 + channel] = Math.round(from + ((to - from) * (x + y)) / (width + height));
      }
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function shapeOf(size: string): { readonly width: number; readonly height: number } {
  const [, a = '1', b = '1'] = /^(\d{1,5})[x:](\d{1,5})$/.exec(size) ?? [];
  const longer = Math.max(Number(a), Number(b), 1);
  const edge = (side: string): number => Math.max(1, Math.round((EDGE * Number(side)) / longer));
  return { width: edge(a), height: edge(b) };
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}
