import { decodeBase64, isBase64 } from './base64.js';

/** How much base64 a type is read from: 48 bytes, whatever the size of the file. */
const HEAD = 64;

/** Text at a place in the first bytes, as Latin-1. */
type Mark = readonly [at: number, text: string];

/** Brands of the container that several formats of pictures share, behind `ftyp`. */
const BRANDS: readonly (readonly [mime: string, brands: readonly string[]])[] = [
  ['image/heic', ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']],
  ['image/heif', ['mif1', 'msf1', 'heif']],
  ['image/avif', ['avif', 'avis']],
];

/** How pictures begin; formats that no service takes are here to be distinguished from what is no picture. */
const PICTURES: readonly (readonly [mime: string, marks: readonly Mark[]])[] = [
  ['image/png', [[0, '\x89PNG\r\n\x1a\n']]],
  ['image/jpeg', [[0, '\xff\xd8\xff']]],
  ['image/gif', [[0, 'GIF87a']]],
  ['image/gif', [[0, 'GIF89a']]],
  [
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
  ['image/tiff', [[0, 'II*\0']]],
  ['image/tiff', [[0, 'MM\0*']]],
  [
    'image/bmp',
    [
      [0, 'BM'],
      [6, '\0\0\0\0'],
    ],
  ],
  ...BRANDS.flatMap(([mime, brands]) => brands.map((brand) => [mime, [[4, `ftyp${brand}`]]] as const)),
];

/** The MIME type of bytes in base64 by how they begin; undefined when they are neither a picture nor PDF. */
export function sniffMime(base64: string): string | undefined {
  const head = base64.slice(0, HEAD);
  if (!isBase64(head)) return undefined;
  const bytes = decodeBase64(head);
  return sniffPicture(bytes) ?? (latin1(bytes).startsWith('%PDF-') ? 'application/pdf' : undefined);
}

/** The MIME type of a picture by its first bytes; undefined when they are none. */
export function sniffPicture(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes);
  return PICTURES.find(([, marks]) => marks.every(([at, text]) => head.startsWith(text, at)))?.[0];
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 16));
}
