import { effect } from '@preact/signals';
import { editors } from './editor/pane.js';
import { follow, followed, places, rows } from './state.js';
import type { Row } from './work/messages.js';

/** The other editor follows the next answer. */
let going = false;

/** Brings the place of a row into sight on both sides. */
export function goTo(row: Row): void {
  const place = places.value[rows.value.rows.indexOf(row)];
  if (place === undefined) return;
  editors.source?.reveal(place, true);
  going = follow('source', place.start);
}

effect(() => {
  const [there] = followed.value?.others ?? [];
  if (!going || followed.value === undefined) return;
  going = false;
  if (there !== undefined) editors.target?.reveal({ start: there.start, end: there.start }, false);
});
