import { passedEvents } from './shown.js';
import { passed, shown } from './state.js';

/** The events of a stream, of which as many as one likes are passed. */
export function StreamBar() {
  const events = shown.value?.events ?? [];
  if (events.length === 0) return null;
  const now = passedEvents.value;
  const name = events[now - 1]?.name ?? '';
  const words = `${now} of ${events.length}${name === '' ? '' : `: ${name}`}`;
  return (
    <section class="stream-bar" aria-label="Stream">
      <label for="event">Event</label>
      <input
        id="event"
        type="range"
        min="0"
        max={events.length}
        value={now}
        aria-valuetext={words}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => {
          passed.value = Number(value);
        }}
      />
      <output for="event">{words}</output>
    </section>
  );
}
