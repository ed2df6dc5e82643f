import { elements, make } from './elements.js';
import { type DialectId, dialectIds } from './library.js';
import { type Mark, showMarked } from './marks.js';
import { marksInBody, streamUpTo } from './places.js';
import type { Translation, Work } from './translate.js';

/** The region of one dialect. */
interface Target {
  readonly section: HTMLElement;
  readonly meta: HTMLElement;
  readonly alert: HTMLElement;
  readonly text: HTMLElement;
}

const targets: ReadonlyMap<DialectId, Target> = new Map(dialectIds.map((id) => [id, createTarget(id)]));

function createTarget(id: DialectId): Target {
  const meta = make('p', { class: 'meta' });
  const alert = make('p', { class: 'alert', role: 'alert', hidden: '' });
  const text = make('pre', { tabindex: '0', role: 'group', 'aria-label': `Translation to ${id}` });
  const copy = make('button', { type: 'button', class: 'quiet' }, 'Copy');
  const bar = make('div', { class: 'bar' }, make('h2', {}, id), meta, copy);
  const section = make('section', { class: 'side', 'aria-label': id, hidden: '' }, bar, alert, text);
  copy.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(text.textContent ?? '').then(
      () => 'copied',
      () => 'the browser does not let this page copy',
    );
    meta.textContent = copied;
  });
  elements.targets.append(section);
  return { section, meta, alert, text };
}

/** Shows what became of a source, up to `passed` events of a stream; marks of bodies are found by {@link markTargets}. */
export function showTargets({ translations, source }: Work, passed: number): void {
  for (const [id, target] of targets) {
    const translation = translations.find(({ dialect }) => dialect === id);
    target.section.hidden = translation === undefined;
    if (translation !== undefined) show(target, translation, passed, source.kind !== 'error');
  }
}

function show({ meta, alert, text }: Target, translation: Translation, passed: number, counts: boolean): void {
  const { refusal, steps } = translation;
  meta.textContent = summaryOf(translation, counts);
  alert.hidden = refusal === undefined;
  alert.textContent = refusal === undefined ? '' : said(refusal);
  text.hidden = refusal !== undefined;
  const shown = steps === undefined ? { text: translation.text, marks: [] } : streamUpTo(steps, passed);
  showMarked(text, shown.text, shown.marks);
  if (steps !== undefined) keepInSight(text);
}

const said = ({ path, message }: NonNullable<Translation['refusal']>): string =>
  path === '' || message.includes(path) ? message : `${path}: ${message}`;

/** `counts`: losses are told of what this is. */
function summaryOf({ notes, losses, refusal }: Translation, counts: boolean): string {
  const lost = losses.length === 0 ? 'nothing lost' : losses.length === 1 ? '1 loss' : `${losses.length} losses`;
  return refusal === undefined ? [...notes, ...(counts ? [lost] : [])].join(' · ') : 'refused';
}

/** Of a stream that is stepped through, what the last event brought. */
function keepInSight(text: HTMLElement): void {
  const current = text.querySelector<HTMLElement>('.current');
  if (current !== null) text.scrollTop = current.offsetTop - text.offsetTop - text.clientHeight / 3;
}

/** Marks the losses of a body at their places on this side. */
export function markTarget(work: Work, translation: Translation): void {
  const target = targets.get(translation.dialect);
  if (target === undefined || translation.steps !== undefined) return;
  const marks: readonly Mark[] = marksInBody(work, translation);
  if (marks.length > 0) showMarked(target.text, translation.text, marks);
}
