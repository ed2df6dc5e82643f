import { computed, effect, signal } from '@preact/signals';
import { passed, places, read, rows, selected, shown, targetMarks, targets, verdicts } from './state.js';
import type { Mark, ToldLoss } from './work/messages.js';

/** Whether the translation is shown in one line, as it goes over the wire. */
export const compact = signal(false);

/** How many events of a stream are passed. */
export const passedEvents = computed(() => {
  const { events = [] } = shown.value ?? {};
  return Math.min(passed.value ?? events.length, events.length);
});

/** How many steps of the translation that is; at the last event the stream is over, and what its end brings is shown with it. */
const steps = computed(() => {
  const { events = [], steps: all = [] } = shown.value ?? {};
  return passedEvents.value === events.length ? all.length : passedEvents.value;
});

/** What stands in the editor of the target. */
export const targetText = computed(() => {
  const now = shown.value;
  if (now === undefined) return '';
  if (now.events.length > 0)
    return now.steps
      .slice(0, steps.value)
      .map(({ text }) => text)
      .join('');
  return compact.value && now.text !== '' ? `${JSON.stringify(JSON.parse(now.text))}\n` : now.text;
});

/** The marks of the source: what is lost towards the shown target, what it refuses, and the event that was passed last. */
export const sourceMarks = computed((): readonly Mark[] => {
  const index = selected.value;
  const target = targets.value[index];
  const isStream = (shown.value?.events.length ?? 0) > 0;
  const marks = rows.value.rows.flatMap(({ cells, step = 0 }, row): readonly Mark[] => {
    const place = places.value[row];
    if (place === undefined || (isStream && step >= steps.value)) return [];
    const losses = cells[index] ?? [];
    return losses.map(({ kind, sentence }) => ({ ...plain(place), kind, title: `${target?.dialect}: ${sentence}` }));
  });
  const event = shown.value?.events[passedEvents.value - 1];
  return event === undefined
    ? marks
    : [...marks, { ...plain(event), kind: 'current', title: 'the event that was passed last' }];
});

const plain = ({ start, end }: { readonly start: number; readonly end: number }) => ({ start, end });

/** The marks of the translation. */
export const shownMarks = computed((): readonly Mark[] => {
  const now = shown.value;
  if (now === undefined || now.events.length === 0) return compact.value ? [] : targetMarks.value;
  const marks: Mark[] = [];
  let length = 0;
  let before: { readonly start: number; readonly end: number } | undefined;
  /** What was lost before anything was said. */
  let early: ToldLoss[] = [];
  const seen = now.steps.slice(0, steps.value);
  seen.forEach(({ text, losses }, index) => {
    const range = { start: length, end: length + text.trimEnd().length };
    length += text.length;
    const isLast = index === passedEvents.value - 1;
    if (isLast) marks.push({ ...range, kind: 'current', title: 'what the event that was passed last brought' });
    const said = range.end > range.start;
    if (said) before = range;
    early.push(...losses);
    if (before === undefined) return;
    for (const { kind, sentence } of early) marks.push({ ...before, kind, around: !said, title: sentence });
    early = [];
  });
  return marks;
});

export const fault = computed(() => read.value?.fault);

/** Why the shown translation does not go, in words; undefined = it goes. */
export const refusal = computed(() => {
  const { refusal: said } = verdicts.value[selected.value] ?? {};
  const target = targets.value[selected.value];
  if (said === undefined || target === undefined) return undefined;
  const where = said.path === '' || said.message.includes(said.path) ? '' : `${said.path}: `;
  const by = said.by === 'service' ? `The service of ${target.dialect} refuses this: ` : '';
  return `${by}${where}${said.message}`;
});

// Another stream begins at its end.
effect(() => {
  if (read.value?.kind !== 'stream') passed.value = undefined;
});
