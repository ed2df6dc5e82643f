import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeBase64 } from '../../translators/wire/base64.js';
import { formatDataUrl, parseDataUrl } from '../../translators/wire/data-url.js';
import { WireError } from '../../translators/wire/errors.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

function utf8ToBase64(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}

describe('parseDataUrl', () => {
  test.each<[string, string, string, Record<string, string>]>([
    ['data:image/png;base64,iVBORw0K', 'image/png', 'iVBORw0K', {}],
    ['DATA:Image/PNG;BASE64,iVBORw0K', 'image/png', 'iVBORw0K', {}],
    ['data:image/png ; base64,iVBORw0K', 'image/png', 'iVBORw0K', {}],
    ['data:text/plain;charset=utf-8;base64,w6Q', 'text/plain', 'w6Q=', { charset: 'utf-8' }],
    ['data:text/plain;Name="a%20b";x=1,a', 'text/plain', 'YQ==', { name: 'a b', x: '1' }],
    ['data:application/pdf;base64,-_-_', 'application/pdf', '+/+/', {}],
    ['data:a/b;base64,QQ%3D%3d', 'a/b', 'QQ==', {}],
    ['data:a/b;base64,QU\r\nFB\n', 'a/b', 'QUFB', {}],
    ['data:a/b;base64,', 'a/b', '', {}],
    ['data:,', 'text/plain', '', {}],
    ['data:;base64,QQ==', 'text/plain', 'QQ==', {}],
    ['data:,Hello%2C%20World!', 'text/plain', utf8ToBase64('Hello, World!'), {}],
    [
      'data:image/svg+xml,<svg width="100%"/>%F0%9F%91%8D%',
      'image/svg+xml',
      utf8ToBase64('<svg width="100%"/>👍%'),
      {},
    ],
    ['data:text/plain,ä', 'text/plain', utf8ToBase64('ä'), {}],
    ['data:a/b,%00%fF%zz%1', 'a/b', encodeBase64(Uint8Array.of(0, 255, 37, 122, 122, 37, 49)), {}],
    ['data:a/b;__proto__=x;flag;=y,', 'a/b', '', Object.fromEntries([['__proto__', 'x']])],
  ])('%s', (url, mime, base64, parameters) => {
    const parsed = parseDataUrl(url);
    expect(parsed).toMatchObject({ mime, base64 });
    expect(Object.entries(parsed?.parameters ?? {})).toEqual(Object.entries(parameters));
  });

  test.each(['', 'data', 'https://x/data:a/b,', ' data:,', 'blob:data:,'])('%j is not a data URL', (url) => {
    expect(parseDataUrl(url)).toBeUndefined();
  });

  test.each([
    'data:',
    'data:image/png;base64',
    'data:image;base64,QQ==',
    'data:a/b/c,',
    'data:a b/c,',
    'data:a/b;base64,***',
    'data:a/b;base64,QQ=',
    'data:a/b;base64,%FF',
  ])('%s is malformed', (url) => {
    expect(() => parseDataUrl(url)).toThrow(WireError);
    expect(() => parseDataUrl(url)).toThrow(expect.objectContaining({ reason: 'bad_data_url' }));
  });

  test('white space of any length overflows no stack where V8 does not optimise its patterns', () => {
    const program = `
      import { translateRequest } from '${pathToFileURL(`${PACKAGE_ROOT}/dist/translators/node/index.js`)}';
      const url = 'data:image/png;base64,iVBORw0K' + '\\n'.repeat(17 * 1024 * 1024) + 'Ggo=';
      const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
      const { body } = translateRequest({ from: 'responses', to: 'messages', body: { model: 'm', input } });
      console.log(body.messages[0].content[0].source.data);`;
    const flags = ['--no-regexp-optimization', '--input-type=module', '-e', program];
    const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8', env: {} });
    expect([stdout, stderr]).toEqual(['iVBORw0KGgo=\n', '']);
  });

  test('what was formatted comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('image/png', 'application/x.y+json'), (bytes, mime) => {
        const base64 = encodeBase64(bytes);
        expect(parseDataUrl(formatDataUrl(mime, base64))).toMatchObject({ mime, base64 });
      }),
    );
  });

  test('agrees with the data URLs that fetch reads', async () => {
    const body = fc.array(fc.constantFrom('%', '2', '0', 'C', 'z', 'ä', ',', ';', '=', ' ', 'x'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(body, async (list) => {
        const url = `data:text/x,${list.join('').trimEnd()}x`;
        const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
        expect(parseDataUrl(url)?.base64).toBe(encodeBase64(bytes));
      }),
    );
  });
});

test.each([
  ['image/png', 'data:image/png;base64,QQ=='],
  ['text/plain; charset=utf-8', 'data:text/plain; charset=utf-8;base64,QQ=='],
  ['pdf', 'data:application/octet-stream;base64,QQ=='],
  ['', 'data:application/octet-stream;base64,QQ=='],
])('bytes called %s are written as %s', (mime, url) => {
  expect(formatDataUrl(mime, 'QQ==')).toBe(url);
});
