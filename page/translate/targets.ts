import type { Kind } from './detect.js';
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
  /** The model that is asked for there. */
  readonly model: HTMLInputElement;
  /** The whole text, of which the beginning is shown where it is long. */
  whole: string;
}

/** So many UTF-16 units of a text are laid out: more takes seconds. */
const MOST_SHOWN = 150_000;

const targets: ReadonlyMap<DialectId, Target> = new Map(dialectIds.map((id) => [id, createTarget(id)]));

function createTarget(id: DialectId): Target {
  const meta = make('p', { class: 'meta' });
  const alert = make('p', { class: 'alert', role: 'alert', hidden: '' });
  const text = make('pre', { tabindex: '0', role: 'group', 'aria-label': `Translation to ${id}` });
  const copy = make('button', { type: 'button', class: 'quiet' }, 'Copy');
  const model = make('input', {
    class: 'model',
    'aria-label': `Model for ${id}`,
    placeholder: 'same model',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const bar = make('div', { class: 'bar' }, make('h2', {}, id), model, make('div', { class: 'told' }, meta, copy));
  const section = make('section', { class: 'side', 'aria-label': id, hidden: '' }, bar, alert, text);
  const target: Target = { section, meta, alert, text, model, whole: '' };
  copy.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(target.whole).then(
      () => 'copied',
      () => 'the browser does not let this page copy',
    );
    meta.textContent = copied;
  });
  elements.targets.append(section);
  return target;
}

/** Shows what became of a source, up to `passed` events of a stream; marks of bodies are found by {@link markTargets}. */
export function showTargets({ translations, source }: Work, passed: number): void {
  for (const [id, target] of targets) {
    const translation = translations.find(({ dialect }) => dialect === id);
    target.section.hidden = translation === undefined;
    if (translation !== undefined) show(target, translation, passed, source.kind);
  }
}

/** The models that are asked for, by dialect. */
export function chosenModels(): Partial<Record<DialectId, string>> {
  const named = [...targets].map(([id, { model }]) => [id, model.value.trim()] as const);
  return Object.fromEntries(named.filter(([, name]) => name !== ''));
}

/** Names the models that are asked for; of a dialect that is absent, the one that the source asks for. */
export function chooseModels(models: Partial<Record<DialectId, string>>): void {
  for (const [id, { model }] of targets) model.value = models[id] ?? '';
}

/** Hears of a model that is typed. */
export function onModel(changed: () => void): void {
  for (const { model } of targets.values()) model.addEventListener('input', changed);
}

function show(target: Target, translation: Translation, passed: number, kind: Kind): void {
  const { meta, alert, text, model } = target;
  const { refusal, refusedThere, steps } = translation;
  model.hidden = kind !== 'request';
  meta.textContent = summaryOf(translation, kind !== 'error');
  alert.hidden = (refusal ?? refusedThere) === undefined;
  alert.textContent =
    refusal !== undefined
      ? said(refusal)
      : refusedThere
        ? `The service of ${translation.dialect} refuses this: ${refusedThere}`
        : '';
  text.hidden = refusal !== undefined;
  const shown = steps === undefined ? { text: translation.text, marks: [] } : streamUpTo(steps, passed);
  target.whole = shown.text;
  showPart(text, shown.text, shown.marks);
  if (steps !== undefined) keepInSight(text);
}

const said = ({ path, message }: NonNullable<Translation['refusal']>): string =>
  path === '' || message.includes(path) ? message : `${path}: ${message}`;

/** `counts`: losses are told of what this is. */
function summaryOf({ notes, losses, refusal, refusedThere }: Translation, counts: boolean): string {
  const lost = losses.length === 0 ? 'nothing lost' : losses.length === 1 ? '1 loss' : `${losses.length} losses`;
  if (refusal !== undefined) return 'refused';
  return [...notes, ...(counts ? [lost] : []), ...(refusedThere === undefined ? [] : ['refused there'])].join(' · ');
}

/** Shows a text as far as it can be laid out at once. */
function showPart(element: HTMLElement, text: string, marks: readonly Mark[]): void {
  if (text.length <= MOST_SHOWN) {
    showMarked(element, text, marks);
    return;
  }
  showMarked(
    element,
    text.slice(0, MOST_SHOWN),
    marks.filter(({ end }) => end <= MOST_SHOWN),
  );
  element.append(`\n… ${(text.length - MOST_SHOWN).toLocaleString('en-US')} more characters: Copy has all of it.`);
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
  if (marks.length > 0) showPart(target.text, translation.text, marks);
}
