import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { passedEvents } from '../shown.js';
import { kind, passed, shown, target, text } from '../state.js';
import type { StreamEvent } from './events.js';
import { Ticks, totalsText } from './ticks.js';

type Cut = (text: string) => readonly StreamEvent[];

/** Comes with the library. */
const cut = signal<Cut | undefined>(undefined);

/** The events of the source. */
const events = computed(() => (kind.value === 'stream' ? (cut.value?.(text.value) ?? []) : []));

/** The events on the other side that the one passed last brought. */
const brought = computed((): readonly StreamEvent[] => {
  const now = shown.value;
  const step = passedEvents.value - 1;
  if (now === undefined || step < 0) return [];
  // What the end of the stream brings belongs to the last event.
  const own = step === now.events.length - 1 ? now.steps.slice(step) : now.steps.slice(step, step + 1);
  return cut.value?.(own.map(({ text: said }) => said).join('')) ?? [];
});

/** A stream event by event: a row of ticks, and beside each event what it became. */
export function StreamArea() {
  useEffect(() => {
    void import('./events.js').then(({ eventsOf }) => {
      cut.value = eventsOf;
    });
  }, []);
  if (kind.value !== 'stream' || (shown.value?.events.length ?? 0) === 0 || events.value.length === 0) return null;
  const now = events.value[passedEvents.value - 1];
  return (
    <section class="stream" aria-label="Stream">
      <Ticks
        label="Event"
        ticks={events.value}
        passed={passedEvents.value}
        move={(next) => {
          passed.value = next;
        }}
      />
      <p class="meta">{totalsText(events.value)}</p>
      <div class="events">
        <Events label="Event of the source" list={now === undefined ? [] : [now]} none="no event is passed" />
        <Events label={`Events of ${target.value?.dialect ?? ''}`} list={brought.value} none="it brings none" />
      </div>
    </section>
  );
}

/** Longer data is cut: the editors have all of it. */
const MOST_DATA = 2000;

function Events({
  label,
  list,
  none,
}: {
  readonly label: string;
  readonly list: readonly StreamEvent[];
  readonly none: string;
}) {
  return (
    <ol aria-label={label} tabIndex={0}>
      {list.length === 0 && <li class="meta">{none}</li>}
      {list.map(({ name, data, start }) => (
        <li key={start}>
          {name !== '' && <span class="name">{name}</span>}
          <code>{data.length <= MOST_DATA ? data : `${data.slice(0, MOST_DATA)}…`}</code>
        </li>
      ))}
    </ol>
  );
}
