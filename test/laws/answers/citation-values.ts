import fc from 'fast-check';
import type { Citation } from '../../../translators/canonical/content.js';
import type { DialectId } from '../../../translators/index.js';
import { base64, ids, known, maybe, urls, words } from '../values.js';

/** The places where a citation may begin or end: never inside a character. */
function borders(text: string): number[] {
  const at = [0];
  for (const character of text) at.push((at.at(-1) ?? 0) + character.length);
  return at;
}

/** Now and then a service has them the wrong way round. */
function spans(text: string, reversed: boolean): fc.Arbitrary<{ readonly start: number; readonly end: number }> {
  return fc
    .tuple(fc.constantFrom(...borders(text)), fc.constantFrom(...borders(text)), fc.integer({ min: 0, max: 9 }))
    .map(([a, b, luck]) =>
      reversed && luck === 0 ? { start: a, end: b } : { start: Math.min(a, b), end: Math.max(a, b) },
    );
}

const range = fc
  .tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }))
  .map(([start, length]) => [start, start + length + 1] as const);

const title = maybe(words);

/** Citations as annotations of a text [R §4.3]. */
export function annotations(text: string): fc.Arbitrary<Citation> {
  const span = spans(text, true);
  return fc.oneof(
    fc.record({ source: fc.constant('web' as const), url: urls, title, span: maybe(span) }).map(known),
    fc
      .record({
        source: fc.constant('file' as const),
        fileId: ids,
        filename: maybe(words),
        span: maybe(span.map(({ end }) => ({ start: end, end }))),
      })
      .map(known),
  );
}

/** Citations of whole blocks: of documents, of search results and of the web. `source` owns what only it knows. */
export function blockCitations(source: DialectId): fc.Arbitrary<Citation> {
  const citedText = maybe(words);
  const index = fc.nat({ max: 3 });
  const doc = fc.oneof(
    fc.record({ index, title, charRange: range }),
    fc.record({ index, title, pageRange: range }),
    fc.record({ index, title, blockRange: range }),
  );
  return fc.oneof(
    fc
      .record({ source: fc.constant('doc' as const), doc: doc.map(known), citedText, fileId: maybe(ids) })
      .map((citation) => known({ ...citation, title: citation.doc.title })),
    fc
      .record({
        source: fc.constant('search' as const),
        url: urls,
        title,
        citedText,
        doc: fc.record({ index, blockRange: range }),
      })
      .map(known),
    fc
      .record({ url: urls, title, citedText, encrypted: base64 })
      .map(({ encrypted, ...rest }) =>
        known({ source: 'web' as const, ...rest, ext: { [source]: { encrypted_index: encrypted } } }),
      ),
  );
}

/** Citations of segments, as metadata beside the text tells them. `source` owns what only it knows. */
export function segmentCitations(source: DialectId, text: string): fc.Arbitrary<Citation> {
  const span = spans(text, false);
  return fc
    .oneof(
      fc.record({ source: fc.constant('web' as const), url: urls, title, span: maybe(span) }).map(known),
      fc
        .record({ url: maybe(urls), title, citedText: maybe(words), span: maybe(span) })
        .map((rest) => known({ source: 'file' as const, ...rest, filename: rest.title })),
      fc.record({ url: maybe(urls), title, span: maybe(span), license: maybe(words) }).map(({ license, ...rest }) =>
        known({
          source: 'license' as const,
          ...rest,
          ext: license === undefined ? undefined : { [source]: { license } },
        }),
      ),
    )
    .map(worded);
}

/** Citations without a single word under them do not come from a service that counts in segments. */
function worded(citation: Citation): Citation {
  const { span } = citation;
  if (span === undefined || span.start < span.end) return citation;
  const { span: _span, ...rest } = citation;
  return rest;
}

/** Citations of the web, as annotations of a message [H §6.4]. */
export function webAnnotations(text: string): fc.Arbitrary<Citation> {
  return fc
    .record({ source: fc.constant('web' as const), url: urls, title, span: maybe(spans(text, false)) })
    .map(known);
}
