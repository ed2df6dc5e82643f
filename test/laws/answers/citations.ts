import type { Citation, TextPart } from '../../../translators/canonical/content.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { same, stable } from './differ.js';
import { citationFact, type Item } from './norm.js';

/** What became of the citations of a text: which do not read as they were, and whether there are some that nobody made. */
export interface Cited {
  readonly changed: readonly Citation[];
  readonly made: boolean;
}

/** Compares the citations of a text with those of the text, or pieces of it, that a client reads. */
export function compareCitations(from: TextPart, to: Item, client: DialectId): Cited {
  const pieces = to.parts.filter((part): part is TextPart => part.kind === 'text');
  return has(client, 'citedBlocks') ? comparePieces(from, pieces) : compareSpans(from, pieces);
}

function compareSpans(from: TextPart, pieces: readonly TextPart[]): Cited {
  const read = pieces.flatMap((piece) =>
    (piece.citations ?? []).map((citation) => stable(citationFact(citation, piece.text))),
  );
  const changed = (from.citations ?? []).filter((citation) => {
    const place = read.indexOf(stable(citationFact(citation, from.text)));
    if (place < 0) return true;
    read.splice(place, 1);
    return false;
  });
  return { changed, made: read.length > changed.length };
}

/**
 * A citation here covers a whole block (translation.md 5.5): it reads as it was when it stands at every character that
 * it covered, blanks aside. The words it covers are told with it.
 */
function comparePieces(from: TextPart, pieces: readonly TextPart[]): Cited {
  const places: ReadonlySet<string>[] = [];
  for (const piece of pieces) {
    const keys = new Set((piece.citations ?? []).map((citation) => keyOf(citation, citation.citedText)));
    for (let at = 0; at < piece.text.length; at += 1) places.push(keys);
  }
  const used = new Set<string>();
  const covers = new Map<string, { readonly start: number; readonly end: number }[]>();
  const wanted = (from.citations ?? []).map((citation) => {
    const { start, end } = citation.span ?? { start: 0, end: from.text.length };
    const words = citation.span === undefined ? undefined : from.text.slice(start, end);
    const key = keyOf(citation, citation.citedText ?? words);
    covers.set(key, [...(covers.get(key) ?? []), { start, end }]);
    return { citation, key };
  });
  const blank = from.text.trim() === '';
  const inked = (at: number): boolean => blank || from.text.charAt(at).trim() !== '';
  const wrong = (key: string): boolean => {
    const spans = covers.get(key) ?? [];
    if (!blank && spans.every(({ start, end }) => from.text.slice(start, end).trim() === '')) return true;
    return places.some(
      (keys, at) => inked(at) && keys.has(key) !== spans.some(({ start, end }) => start <= at && at < end),
    );
  };
  const changed = wanted.filter(({ key }) => {
    const isWrong = wrong(key);
    if (!isWrong) used.add(key);
    return isWrong;
  });
  const extra = new Set(places.flatMap((keys) => [...keys].filter((key) => !used.has(key))));
  return {
    changed: changed.map(({ citation }) => citation),
    made: extra.size > new Set(changed.map(({ key }) => key)).size,
  };
}

function keyOf(citation: Citation, citedText: string | undefined): string {
  const { span: _span, citedText: _cited, ...fact } = citationFact(citation, '');
  return stable({ ...fact, citedText: citedText === '' ? undefined : citedText });
}

/** Whether a citation stands among the pieces word for word as it was. */
export function isLiteral(citation: Citation, to: Item): boolean {
  const { src: _src, ...bare } = citation;
  return to.parts.some(
    (part) =>
      part.kind === 'text' && (part.citations ?? []).some(({ src: _other, ext: _ext, ...read }) => same(bare, read)),
  );
}
