import { explainLoss, type Loss } from './library.js';
import type { Mark } from './marks.js';
import { type Range, rangeOf, type Spans, spansOf } from './spans.js';
import { meantBy, traceLosses } from './trace.js';
import { type Step, type Translation, translateBody, type Work } from './translate.js';

/** A loss with its place in the text of the source. */
export interface Placed {
  readonly translation: Translation;
  readonly loss: Loss;
  readonly range: Range;
  /** Of streams, the event that brought it, from 0. */
  readonly step?: number;
}

/** Every loss of a work with its place in the source, in the order of their places for each dialect. */
export function placeLosses(work: Work): Placed[] {
  const { value, source, translations } = work;
  const spans = value === undefined ? undefined : spansOf(source.text);
  const inBody = (translation: Translation): Placed[] =>
    translation.losses
      .map((loss) => ({ translation, loss, range: rangeIn(spans, meantBy(value, loss)) }))
      .sort((a, b) => a.range.start - b.range.start);
  return translations.flatMap((translation) =>
    translation.steps === undefined
      ? inBody(translation)
      : translation.steps.flatMap(({ losses }, step) =>
          losses.map((loss) => ({ translation, loss, range: rangeInStream(work, step, loss.path), step })),
        ),
  );
}

/** The place of a fault in the source. */
export function rangeIn(spans: Spans | undefined, path: string): Range {
  return spans === undefined ? { start: 0, end: 0 } : rangeOf(spans, path);
}

/** Within the event that brought a loss: what its path names there, else all that the event says. */
function rangeInStream({ source: { text }, frames }: Work, step: number, path: string): Range {
  const data = frames[Math.min(step, frames.length - 1)]?.data;
  if (data === undefined) return { start: 0, end: 0 };
  const span = path === '' ? undefined : spansOf(text.slice(data.start, data.end)).get(path);
  return span === undefined ? data : { start: data.start + span.start, end: data.start + span.end };
}

/** The marks of losses in the source. */
export function marksInSource(placed: readonly Placed[]): Mark[] {
  return placed.map(({ range, loss, translation }) => ({
    ...range,
    kind: loss.kind,
    title: `${translation.dialect}: ${explainLoss(loss)}`,
  }));
}

/** How long looking for places in one body may take, in ms; later losses are placed by what the bodies have in common. */
const TRACING_MS = 250;

/** The marks of losses in a translated body. */
export function marksInBody({ source, value }: Work, { dialect, value: target, text, losses }: Translation): Mark[] {
  if (target === undefined || losses.length === 0) return [];
  const end = performance.now() + TRACING_MS;
  const lenient = { ...source, strict: false };
  const translate = (body: unknown): unknown => translateBody(lenient, body, dialect).value;
  const traces = traceLosses(value, target, losses, translate, () => performance.now() < end);
  const spans = spansOf(text);
  return traces.flatMap(({ loss, places, around }) =>
    places.map((place) => {
      const range = rangeOf(spans, place);
      const start = spans.get(place);
      // What would hold a lost value is marked where it begins.
      const shown = around && start !== undefined ? { start: start.start, end: start.valueStart + 1 } : range;
      return { ...shown, kind: loss.kind, around, title: explainLoss(loss) };
    }),
  );
}

/** The text that the first events of a stream brought, with the marks of the last one and of what was lost. */
export function streamUpTo(steps: readonly Step[], passed: number): { readonly text: string; readonly marks: Mark[] } {
  const marks: Mark[] = [];
  let text = '';
  let before: Range | undefined;
  /** What was lost before anything was said. */
  let early: Loss[] = [];
  steps.slice(0, passed).forEach((step, index) => {
    const range = { start: text.length, end: text.length + step.text.trimEnd().length };
    text += step.text;
    if (index === passed - 1 || (passed === steps.length && index === passed - 2))
      marks.push({ ...range, kind: 'current' });
    const said = range.end > range.start;
    if (said) before = range;
    early.push(...step.losses);
    if (before === undefined) return;
    for (const loss of early) marks.push({ ...before, kind: loss.kind, around: !said, title: explainLoss(loss) });
    early = [];
  });
  return { text, marks };
}
