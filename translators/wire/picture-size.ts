import { decodeBase64, isBase64 } from './base64.js';

/** How many base64 characters of a picture are looked at; the size is in front. */
const REACH = 65_536;

/** Width and height in pixels as the bytes of a PNG or JPEG hold them; undefined for anything else. */
export function pictureSize(base64: string): { readonly width: number; readonly height: number } | undefined {
  const head = base64.startsWith('iVBOR')
    ? base64.slice(0, 64)
    : base64.startsWith('/9j/')
      ? base64.slice(0, REACH)
      : '';
  const bytes = head === '' || !isBase64(head) ? undefined : decodeBase64(head);
  if (bytes === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return head.startsWith('iV') ? pngSize(view) : jpegSize(view);
}

function pngSize(view: DataView): { width: number; height: number } | undefined {
  if (view.byteLength < 24) return undefined;
  return sized(view.getUint32(16), view.getUint32(20));
}

/** Walks the segments up to the frame header, whose marker is one of C0 to CF but C4, C8 and CC. */
function jpegSize(view: DataView): { width: number; height: number } | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized(view.getUint16(at + 7), view.getUint16(at + 5));
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function sized(width: number, height: number): { width: number; height: number } | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
