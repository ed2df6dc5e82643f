import { elements, make } from './elements.js';
import { explainLoss } from './library.js';
import type { Placed } from './places.js';

/** So many rows are shown. */
const MOST_ROWS = 500;

/** Lists losses; `show` is called with the one whose path was pressed. */
export function showLosses(placed: readonly Placed[], show: (placed: Placed) => void): void {
  const { lossRows, lossCount, noLosses } = elements;
  lossRows.replaceChildren(...placed.slice(0, MOST_ROWS).map((one) => rowOf(one, show)));
  const hidden = placed.length - MOST_ROWS;
  lossCount.textContent =
    placed.length === 0 ? '' : hidden > 0 ? `${placed.length}, the first ${MOST_ROWS} shown` : `${placed.length}`;
  noLosses.hidden = placed.length > 0;
  noLosses.textContent = 'Everything crosses unchanged.';
}

function rowOf(placed: Placed, show: (placed: Placed) => void): HTMLElement {
  const { translation, loss } = placed;
  const path = make('button', { type: 'button', class: 'path', title: 'Show in Source' }, loss.path || 'whole body');
  path.addEventListener('click', () => show(placed));
  const cell = (name: string, ...content: readonly (Node | string)[]): HTMLElement =>
    make('td', { role: 'cell', class: name }, ...content);
  return make(
    'tr',
    { role: 'row' },
    cell('towards', translation.dialect),
    cell('at', path),
    cell('feature', make('code', {}, loss.feature)),
    cell('kind', make('span', { class: `kind ${loss.kind}` }, loss.kind)),
    cell('sentence', explainLoss(loss)),
  );
}
