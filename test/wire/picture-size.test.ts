import { describe, expect, test } from '@jest/globals';
import { pictureSize } from '../../translators/wire/picture-size.js';

function base64(...bytes: number[]): string {
  return Buffer.from(bytes).toString('base64');
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const APP0 = [0xff, 0xe0, 0, 4, 1, 2];
const FRAME = [0xff, 0xc2, 0, 17, 8, 0x01, 0x02, 0x03, 0x04, 3];

describe('the size of a picture', () => {
  test.each([
    ['a PNG', base64(...PNG, 0, 0, 4, 0, 0, 0, 3, 0), { width: 1024, height: 768 }],
    ['a JPEG', base64(0xff, 0xd8, ...APP0, ...FRAME), { width: 0x0304, height: 0x0102 }],
    ['a JPEG without a frame', base64(0xff, 0xd8, ...APP0), undefined],
    ['a PNG that is cut', base64(...PNG), undefined],
    ['a PNG of no size', base64(...PNG, 0, 0, 0, 0, 0, 0, 0, 1), undefined],
    ['a GIF', base64(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0), undefined],
    ['something else', 'iVBOR not base64', undefined],
    ['nothing', '', undefined],
  ])('%s', (_title, text, size) => {
    expect(pictureSize(text)).toEqual(size);
  });
});
