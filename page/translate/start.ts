import { address, keepShared } from '../frame/address.js';
import { setBusy } from './busy.js';
import { isCurl, readCurl } from './curl.js';
import { type Detected, detect, KINDS, type Kind } from './detect.js';
import { elements, make } from './elements.js';
import examples from './examples.json' with { type: 'json' };
import { dialectIds } from './library.js';
import { connectLive, type Sendable, showSendable } from './live.js';
import { showLosses } from './losses.js';
import type { Mark } from './marks.js';
import { marksInSource, type Placed, placeLosses, rangeIn } from './places.js';
import { fromFragment, type Shared, toFragment } from './share.js';
import { focusSource, scrollTo, showSource } from './source.js';
import { spansOf } from './spans.js';
import { chooseModels, chosenModels, markTarget, onModel, showTargets } from './targets.js';
import { jsonProblem, translateAll, type Work } from './translate.js';

/** How long nobody must have typed before the input is translated, in ms: a long text is laid out in more time. */
const pauseAfter = (text: string): number => 120 + Math.min(1500, text.length / 500);

/** The model that the URL of a pasted command line names. */
let inUrl: string | undefined;

/** A kind that was chosen holds until the input looks like another one than it did then. */
let chosen: { readonly kind: Kind; readonly looked: Kind | undefined } | undefined;
/** The dialect of an example that does not show it holds until the input looks like something else than it did then. */
let lent: Detected | undefined;
let work: Work | undefined;
let placed: readonly Placed[] = [];
/** The work that is still to be done; a later one takes its place. */
let due: ReturnType<typeof setTimeout> | undefined;

/** What the fields say, with what the input shows where they leave it open. */
function reading(): Sendable & { readonly status: number } {
  const { input, dialect, strict, status } = elements;
  const text = input.value;
  const looks = detect(text);
  if (chosen !== undefined && looks.kind !== undefined && looks.kind !== chosen.looked) chosen = undefined;
  if (lent !== undefined && (looks.kind !== lent.kind || looks.dialect !== lent.dialect)) {
    lent = undefined;
    dialect.value = 'auto';
  }
  const picked = dialectIds.find((id) => id === dialect.value);
  return {
    text,
    kind: chosen?.kind ?? looks.kind ?? 'request',
    dialect: picked ?? looks.dialect,
    strict: strict.checked,
    status: Number(status.value) || 400,
  };
}

function schedule(work: () => void, ms = 0): void {
  clearTimeout(due);
  setBusy('translating', true);
  due = setTimeout(work, ms);
}

/** Translates what stands in the input, and shows it. `passed` is how many events of a stream to pass; absent = all. */
function update(passed?: number): void {
  const read = reading();
  const { text, kind, dialect } = read;
  showKind(kind);
  showSendable(read);
  elements.detected.textContent = text.trim() === '' ? 'nothing yet' : `${kind} in ${dialect ?? 'an unknown dialect'}`;
  if (text.trim() === '' || dialect === undefined) {
    showNothing(text, text.trim() === '' ? undefined : problemOf(text, kind));
    return;
  }
  const now = Math.floor(Date.now() / 1000);
  work = translateAll({ ...read, dialect, models: chosenModels(), now, ...(inUrl !== undefined && { model: inUrl }) });
  placed = placeLosses(work);
  showProblem(work.problem);
  showEvents(work, passed);
  show(work);
  traceFrom(work, 0);
}

/** Why a text is not translated. */
function problemOf(text: string, kind: Kind): string {
  const broken = kind === 'stream' ? undefined : jsonProblem(text);
  if (broken !== undefined && /^\s*[[{]/.test(text)) return broken;
  if (isCurl(text)) return 'This command has no JSON in it: paste one with -d and the body, or the body alone.';
  return 'No dialect is recognised: paste JSON, a stream or a curl command, or choose a dialect above.';
}

function showNothing(text: string, problem: string | undefined): void {
  work = undefined;
  placed = [];
  showProblem(problem);
  elements.eventField.hidden = true;
  showSource(text, []);
  elements.targets.querySelectorAll('section').forEach((section) => {
    section.hidden = true;
  });
  showLosses([], [], focusSource);
  elements.noLosses.hidden = true;
  setBusy('translating', false);
}

function showProblem(problem: string | undefined): void {
  elements.problem.hidden = problem === undefined;
  elements.problem.textContent = problem ?? '';
}

function showKind(kind: Kind): void {
  for (const radio of elements.kinds.querySelectorAll('input')) radio.checked = radio.value === kind;
  elements.statusField.hidden = kind !== 'error';
  elements.strict.disabled = kind !== 'request';
}

/** Sets the slider for a stream. */
function showEvents({ frames, source }: Work, passed: number | undefined): void {
  const { eventField, event } = elements;
  eventField.hidden = source.kind !== 'stream';
  event.max = String(frames.length);
  event.value = String(passed ?? frames.length);
}

/** Shows both sides; of a stream as far as the slider says. */
function show(current: Work): void {
  const { event, eventName } = elements;
  const { source, frames, translations } = current;
  const isStream = source.kind === 'stream';
  const passed = Math.min(Number(event.value), frames.length);
  // At the last event the stream is over: what its end brings is shown with it.
  const steps = passed === frames.length ? passed + 1 : passed;
  const seen = isStream ? placed.filter(({ step = 0 }) => step < steps) : placed;
  const frame = isStream ? frames[passed - 1] : undefined;
  const name = `${passed} of ${frames.length}${frame === undefined || frame.name === '' ? '' : `: ${frame.name}`}`;
  eventName.textContent = name;
  event.setAttribute('aria-valuetext', name);
  const marks: Mark[] = marksInSource(seen);
  if (frame !== undefined) marks.push({ start: frame.start, end: frame.end, kind: 'current' });
  const spans = current.value === undefined ? undefined : spansOf(source.text);
  for (const { refusal } of translations)
    if (refusal !== undefined) marks.push({ ...rangeIn(spans, refusal.path), kind: 'fault', title: refusal.message });
  showSource(source.text, marks);
  if (frame !== undefined && passed < frames.length) scrollTo(frame);
  showTargets(current, isStream ? steps : 0);
  showLosses(seen, translations, focusSource);
  if (source.kind === 'error') elements.noLosses.textContent = 'Errors are rewritten whole: losses are not told.';
}

/** Marks the other sides one by one, so that the page stays alive; a change meanwhile ends it. */
function traceFrom(current: Work, index: number): void {
  const translation = current.translations[index];
  if (translation === undefined) {
    due = undefined;
    setBusy('translating', false);
    return;
  }
  markTarget(current, translation);
  schedule(() => traceFrom(current, index + 1));
}

/** Puts the body of a pasted command line in its place. */
function unpack(): void {
  const { input, dialect } = elements;
  const curl = readCurl(input.value);
  if (curl !== undefined || input.value.trim() === '') inUrl = curl?.model;
  if (curl === undefined) return;
  input.value = curl.body;
  lent = curl.dialect === undefined ? undefined : detect(curl.body);
  dialect.value = curl.dialect ?? 'auto';
}

function fill({ text, dialect, kind, status, strict, event, model }: Shared): void {
  inUrl = model;
  elements.input.value = text;
  elements.dialect.value = dialect ?? 'auto';
  elements.status.value = String(status);
  elements.strict.checked = strict;
  chosen = kind === undefined ? undefined : { kind, looked: detect(text).kind };
  schedule(() => update(event));
}

function pick(index: number): void {
  const example = examples[index];
  if (example === undefined) return;
  const { dialect, kind, status = 400 } = example;
  lent = undefined;
  const text = 'stream' in example ? `${example.stream?.join('\n')}\n` : JSON.stringify(example.body, null, 2);
  const looks = detect(text);
  const hidden = dialectIds.find((id) => id === dialect && looks.dialect !== id);
  fill({ text, dialect: hidden, kind: KINDS.find((one) => one === kind), status, strict: elements.strict.checked });
  if (hidden !== undefined) lent = looks;
}

async function share(): Promise<void> {
  const { kind, status, strict, text } = reading();
  const { dialect, event, shared } = elements;
  const state: Shared = {
    text,
    kind: kind === detect(text).kind ? undefined : kind,
    dialect: dialectIds.find((id) => id === dialect.value),
    status,
    strict,
    model: inUrl,
    models: chosenModels(),
    event: work?.source.kind === 'stream' ? Number(event.value) : undefined,
  };
  keepShared(await toFragment(state));
  shared.textContent = await navigator.clipboard.writeText(location.href).then(
    () => 'Link copied, without keys',
    () => 'The link is in the address bar',
  );
}

async function restore(): Promise<boolean> {
  const state = await fromFragment(address.value.shared);
  if (state !== undefined) {
    chooseModels(state.models ?? {});
    fill(state);
  }
  return state !== undefined;
}

function build(): void {
  const { dialect, kinds, example } = elements;
  for (const id of dialectIds) {
    dialect.append(make('option', { value: id }, id));
    const own = examples.flatMap((one, index) =>
      one.dialect === id ? [make('option', { value: String(index) }, one.name)] : [],
    );
    if (own.length > 0) example.append(make('optgroup', { label: id }, ...own));
  }
  for (const kind of KINDS) {
    const radio = make('input', { type: 'radio', name: 'kind', value: kind, autocomplete: 'off' });
    radio.addEventListener('change', () => {
      chosen = { kind, looked: detect(elements.input.value).kind };
      schedule(() => update());
    });
    kinds.append(make('label', {}, radio, kind));
  }
}

function connect(): void {
  const { input, dialect, status, strict, event, example, share: button } = elements;
  input.addEventListener('input', () => {
    example.value = '';
    unpack();
    // The size of the field follows its mirror.
    showSource(input.value, []);
    schedule(() => update(), pauseAfter(input.value));
  });
  dialect.addEventListener('input', () => {
    lent = undefined;
    schedule(() => update());
  });
  for (const field of [status, strict]) field.addEventListener('input', () => schedule(() => update()));
  event.addEventListener('input', () => work !== undefined && show(work));
  example.addEventListener('change', () => example.value !== '' && pick(Number(example.value)));
  button.addEventListener('click', () => void share());
  onModel(() => schedule(() => update(), pauseAfter(input.value)));
  address.subscribe(() => void restore());
  connectLive(reading);
}

build();
connect();
if (!(await restore())) {
  elements.example.value = '0';
  pick(0);
}
