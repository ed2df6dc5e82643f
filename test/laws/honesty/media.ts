import fc from 'fast-check';
import type { MediaPart } from '../../../translators/canonical/content.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { cache, ext, fields, label, NOTHING, rarely } from './words.js';

/** A picture of the size of a display: what a user shows may be taken for one. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAAA';

/** Kinds of media by their bytes. The last ones fit only some of the dialects. */
export const BYTES: readonly Pick<MediaPart, 'class' | 'mime' | 'data'>[] = [
  { class: 'image', mime: 'image/png', data: { from: 'base64', base64: PNG } },
  { class: 'image', mime: 'image/jpeg', data: { from: 'base64', base64: '/9j/4AAQ' } },
  { class: 'image', mime: 'image/gif', data: { from: 'base64', base64: 'R0lGODdh' } },
  { class: 'document', mime: 'application/pdf', data: { from: 'base64', base64: 'JVBERi0xLjQK' } },
  { class: 'document', mime: 'text/plain', data: { from: 'base64', base64: 'aGVsbG8=' } },
  { class: 'file', mime: 'application/json', data: { from: 'base64', base64: 'eyJhIjoxfQ==' } },
  { class: 'document', mime: 'text/csv', data: { from: 'base64', base64: 'YSxiCjEsMgo=' } },
  { class: 'image', data: { from: 'url', url: 'https://example.org/a.png' } },
  { class: 'image', mime: 'image/png', data: { from: 'url', url: 'https://example.org/b.png' } },
  { class: 'document', mime: 'application/pdf', data: { from: 'url', url: 'https://example.org/c.pdf' } },
];
const RARE_BYTES: readonly Pick<MediaPart, 'class' | 'mime' | 'data'>[] = [
  { class: 'image', mime: 'image/heic', data: { from: 'base64', base64: 'AAAAGGZ0eXBoZWljAAAAAA==' } },
  { class: 'audio', mime: 'audio/wav', data: { from: 'base64', base64: 'UklGRgAA' } },
  { class: 'video', mime: 'video/mp4', data: { from: 'base64', base64: 'AAAAIGZ0' } },
  { class: 'file', mime: 'application/zip', data: { from: 'base64', base64: 'UEsDBP/+' } },
  { class: 'image', data: { from: 'base64', base64: PNG } },
  { class: 'image', data: { from: 'url', url: 'gs://bucket/a.png' } },
  { class: 'image', data: { from: 'file', id: 'file_abc', vendor: 'other' } },
];

/** Media of every kind, with all that may be said of it. */
export function mediaPart(source: DialectId): fc.Arbitrary<MediaPart> {
  const head = fc.oneof(
    { arbitrary: fc.constantFrom(...BYTES), weight: 15 },
    { arbitrary: fc.constantFrom(...RARE_BYTES), weight: 1 },
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
