import fc from 'fast-check';
import type { MediaPart } from '../../../translators/canonical/content.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { VALUES } from './values.js';
import { cache, ext, fields, label, NOTHING, rarely } from './words.js';

type Head = Pick<MediaPart, 'class' | 'mime' | 'data'>;

/** Media of every kind, with all that may be said of it. */
export function mediaPart(source: DialectId): fc.Arbitrary<MediaPart> {
  const head = fc.oneof(
    { arbitrary: fc.constantFrom<Head>(...VALUES.bytes), weight: 15 },
    { arbitrary: fc.constantFrom<Head>(...VALUES.rareBytes), weight: 1 },
  );
  const rest = fields<Omit<MediaPart, 'kind' | 'class' | 'mime' | 'data'>>({
    filename: has(source, 'filenames') ? rarely(label) : NOTHING,
    title: has(source, 'documents') ? rarely(label, 3) : NOTHING,
    context: has(source, 'documents') ? rarely(fc.constant('about it'), 14) : NOTHING,
    citable: has(source, 'documents') ? rarely(fc.boolean(), 14) : NOTHING,
    detail: has(source, 'mediaDetail') ? rarely(fc.constantFrom('low', 'high', 'auto', 'original'), 9) : NOTHING,
    clip: has(source, 'mediaClips') ? rarely(fc.constantFrom({ start: '1s', end: '2s' }, { fps: 2 }), 19) : NOTHING,
    cache: rarely(cache, 9),
    ext: ext(source),
  });
  return fc.tuple(head, rest).map(([one, more]) => {
    const about = one.class === 'image' ? { filename: more.filename, detail: more.detail } : more;
    return { kind: 'media', ...one, ...about, cache: more.cache, ext: more.ext, clip: more.clip };
  });
}
