import { expect, test } from '@jest/globals';
import { decode, encode } from './support.js';

const hi = { role: 'user', parts: [{ text: 'hi' }] };

test.each<[string, unknown[], number]>([
  ['alone', [{ functionCall: {} }], 0],
  ['behind a text', [{ text: 'a' }, { functionCall: {} }], 1],
  ['behind a whole call', [{ functionCall: { name: 'f', args: {} } }, { functionCall: {} }], 1],
])('a call without a name is refused with its place: %s', (_where, parts, index) => {
  const body = { contents: [hi, { role: 'model', parts }, hi] };
  let path: unknown;
  try {
    decode(body);
  } catch (error) {
    path = (error as { path?: string }).path;
  }
  expect(path).toBe(`/contents/1/parts/${index}/functionCall/name`);
});

/** The body that a request becomes in its own dialect once its output is capped, so that its settings are written anew. */
function changed(body: object): { readonly generationConfig: object; readonly safetySettings?: unknown } {
  const request = decode({ contents: [hi], ...body });
  const safety = request.safety?.map((setting) => ({ ...setting }));
  const copy = { ...request, maxOutput: 5, ...(safety && { safety }) };
  return encode(copy).body as ReturnType<typeof changed>;
}

test.each([
  'MEDIA_RESOLUTION_LOW',
  'MEDIA_RESOLUTION_ULTRA_HIGH',
  'MEDIA_RESOLUTION_UNSPECIFIED',
  'MEDIA_RESOLUTION_ORIGINAL',
  'LOW',
  '',
])('a media resolution keeps its spelling when its neighbour changes: %j', (mediaResolution) => {
  const { generationConfig } = changed({ generationConfig: { mediaResolution, maxOutputTokens: 9 } });
  expect(generationConfig).toEqual({ mediaResolution, maxOutputTokens: 5 });
});

test.each(['HARM_CATEGORY_HARASSMENT', 'harm_category_harassment', 'x', 'X'])(
  'a safety setting that was copied keeps its category: %s',
  (category) => {
    const safetySettings = [{ category, threshold: 'BLOCK_NONE' }];
    expect(changed({ safetySettings, generationConfig: { maxOutputTokens: 9 } }).safetySettings).toEqual(
      safetySettings,
    );
  },
);
