import fc from 'fast-check';
import { changed, malformed } from '../../backend/faults/mutations.js';
import { BOUNDARY, filePart, formOf, type SentPart } from '../../media/form.js';
import { png } from '../pictures.js';

/** A body of any kind on its way to a route. */
export interface MediaSent {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

const PICTURE = png({ width: 64, height: 64 });
const DATA_URL = `data:image/png;base64,${PICTURE.toString('base64')}`;

/** A whole request for each route that makes pictures or films. */
const VALID: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>])[] = [
  [
    '/v1/images/generations',
    { prompt: 'a red barn', n: 2, size: '1024x1024', quality: 'low', output_format: 'png', background: 'opaque' },
  ],
  ['/v1/images/generations', { prompt: 'a red barn', stream: true, partial_images: 2, moderation: 'low', user: 'u1' }],
  ['/v1/images/generations', { prompt: 'a red barn', response_format: 'b64_json', style: 'vivid' }],
  [
    '/v1/images/edits',
    { prompt: 'a blue barn', images: [{ image_url: DATA_URL }], mask: { image_url: DATA_URL }, n: 1 },
  ],
  ['/v1/images/variations', { image: DATA_URL, n: 1, size: '256x256', response_format: 'url' }],
  [
    '/v1/videos',
    { prompt: 'a barn in the wind', seconds: '4', size: '720x1280', input_reference: { image_url: DATA_URL } },
  ],
  ['/v1/video/generations', { prompt: 'a barn in the wind', duration: 4, width: 720, height: 1280, image: DATA_URL }],
  ['/v1/videos/video_0123456789/remix', { prompt: 'at night' }],
];

const MODELS = ['responses', 'generateContent', 'messages', 'absent'] as const;
const FORMS = ['/v1/images/edits', '/v1/images/variations', '/v1/videos', '/v1/video/generations'] as const;

const inJson: fc.Arbitrary<MediaSent> = fc
  .tuple(fc.constantFrom(...VALID), fc.constantFrom(...MODELS))
  .chain(([[path, body], model]) =>
    malformed(fc.constant({ model, ...body })).map((text) => ({ path, type: 'application/json', body: text })),
  );

/** The fields of a form that was one: a value of each kind under every name. */
const fields: fc.Arbitrary<readonly SentPart[]> = fc
  .tuple(fc.constantFrom(...VALID), fc.constantFrom(...MODELS))
  .chain(([[, body], model]) => changed(fc.constant({ model, ...body })))
  .map((value) =>
    Object.entries(Object(value)).map(([name, field]) => ({
      name,
      value: typeof field === 'string' ? field : (JSON.stringify(field) ?? ''),
    })),
  );

const file: fc.Arbitrary<SentPart> = fc
  .tuple(
    fc.constantFrom('image', 'image[]', 'mask', 'input_reference', '', '__proto__'),
    fc.oneof(
      fc.constant(PICTURE),
      fc.nat(PICTURE.length).map((end) => PICTURE.subarray(0, end)),
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    ),
    fc.constantFrom('a.png', '../../a.png', '', 'a"b.png', `${'x'.repeat(300)}.png`),
    fc.constantFrom('image/png', 'application/octet-stream', 'text/html', 'video/mp4'),
  )
  .map(([name, value, filename, type]) => filePart(name, value, filename, type));

const inForm: fc.Arbitrary<MediaSent> = fc
  .record({
    path: fc.constantFrom(...FORMS),
    fields,
    files: fc.array(file, { maxLength: 3 }),
    end: fc.oneof(
      { arbitrary: fc.constant(1), weight: 8 },
      { arbitrary: fc.double({ min: 0, max: 1, noNaN: true }), weight: 1 },
    ),
  })
  .map(({ path, fields: named, files, end }) => {
    const whole = formOf([...named, ...files]);
    const body = whole.subarray(0, Math.floor(end * whole.length));
    return { path, type: `multipart/form-data; boundary=${BOUNDARY}`, body };
  });

/** Malformed JSON bodies and forms for the routes that make pictures and films. */
export const mediaSendings: fc.Arbitrary<MediaSent> = fc.oneof(
  { arbitrary: inJson, weight: 2 },
  { arbitrary: inForm, weight: 1 },
);
