import { adviceFor, explainLoss, FEATURES, type Loss, refusedLosses } from '../library.js';
import { type Range, rangeOf, type Spans, spansOf } from '../spans.js';
import type { Mark, Row, ToldLoss } from './messages.js';
import { meantBy, traceLosses } from './trace.js';
import { type Given, type Translation, translateBody } from './translate.js';

/** So many rows are told. */
const MOST_ROWS = 500;

/** The places of a source's values. */
export const placesOf = ({ value, source }: Given): Spans | undefined =>
  value === undefined ? undefined : spansOf(source.text);

/** A loss in words. */
export function told(loss: Loss): ToldLoss {
  const { feature, kind } = loss;
  return {
    feature,
    kind,
    small: refusedLosses([loss]).length === 0,
    meaning: (FEATURES as Readonly<Record<string, string>>)[feature] ?? 'A key that only the dialect it came from has.',
    sentence: explainLoss(loss),
    advice: adviceFor(loss),
  };
}

/** A row with its place. */
interface OpenRow extends Row {
  readonly place: Range;
  readonly cells: ToldLoss[][];
}

/** The losses of all targets, one row for each place of the source. */
export function rowsOf(given: Given, spans: Spans | undefined, translations: readonly Translation[]) {
  const rows = new Map<string, OpenRow>();
  const add = (index: number, loss: Loss, path: string, place: () => Range, step?: number): void => {
    const key = `${step ?? ''} ${path}`;
    let row = rows.get(key);
    if (row === undefined) {
      row = { path, label: labelOf(path), place: place(), cells: translations.map(() => []) };
      if (step !== undefined) Object.assign(row, { step });
      rows.set(key, row);
    }
    row.cells[index]?.push(told(loss));
  };
  translations.forEach(({ losses, steps }, index) => {
    steps?.forEach((one, step) => {
      for (const loss of one.losses) add(index, loss, loss.path, () => rangeInStream(given, step, loss.path), step);
    });
    if (steps !== undefined) return;
    for (const loss of losses) {
      const path = meantBy(given.value, loss);
      add(index, loss, path, () => rangeIn(spans, path));
    }
  });
  const sorted = [...rows.values()].sort((a, b) => weightOf(b) - weightOf(a) || a.place.start - b.place.start);
  const first = sorted.slice(0, MOST_ROWS);
  return {
    rows: first.map(({ place: _, ...row }): Row => row),
    places: first.map(({ place }) => place),
    beyond: Math.max(0, sorted.length - MOST_ROWS),
  };
}

const WEIGHTS = { dropped: 4, approximated: 3, moved: 1, invented: 2 } as const;

/** What strict would refuse is before all else; then the worst that happens to a place, then at how many targets. */
function weightOf({ cells }: Row): number {
  const weights = cells.flat().map(({ kind, small }) => WEIGHTS[kind] + (small ? 0 : 10));
  return Math.max(0, ...weights) * 100 + cells.filter(({ length }) => length > 0).length;
}

/** A JSON Pointer as people write places: `system[0].cache_control`. */
export function labelOf(path: string): string {
  if (path === '') return 'whole body';
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [first, second] = parts;
  if (first === '$url') return `${second} in the URL`;
  if (first === '$headers') return `header ${second}`;
  const said = parts.map((part, index) => {
    if (/^\d+$/.test(part)) return `[${part}]`;
    if (!/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
    return index === 0 ? part : `.${part}`;
  });
  return said.join('');
}

/** The place of a path in the source. */
function rangeIn(spans: Spans | undefined, path: string): Range {
  return spans === undefined ? { start: 0, end: 0 } : rangeOf(spans, path);
}

/** Within the event that brought a loss: what its path names there, else all that the event says. */
function rangeInStream({ source: { text }, frames }: Given, step: number, path: string): Range {
  const data = frames[Math.min(step, frames.length - 1)]?.data;
  if (data === undefined) return { start: 0, end: 0 };
  const span = path === '' ? undefined : spansOf(text.slice(data.start, data.end)).get(path);
  return span === undefined ? data : { start: data.start + span.start, end: data.start + span.end };
}

/** How long looking for places in one body may take, in ms; later losses are placed by what the bodies have in common. */
const TRACING_MS = 250;

/** The marks of losses in a translated body. */
export function marksInBody({ source, value }: Given, text: string, translation: Translation): Mark[] {
  const { target, losses, value: made } = translation;
  if (made === undefined || losses.length === 0) return [];
  const end = performance.now() + TRACING_MS;
  const translate = (body: unknown): unknown => translateBody(source, body, target).value;
  const traces = traceLosses(value, made, losses, translate, () => performance.now() < end);
  const spans = spansOf(text);
  return traces.flatMap(({ loss, places, around }) =>
    places.map((place) => {
      const range = rangeOf(spans, place);
      const start = spans.get(place);
      // What would hold a lost value is marked where it begins.
      const shown = around && start !== undefined ? { start: start.start, end: start.valueStart + 1 } : range;
      return { start: shown.start, end: shown.end, kind: loss.kind, around, title: explainLoss(loss) };
    }),
  );
}
