import { elements, make } from './elements.js';
import { explainLoss } from './library.js';
import type { Placed } from './places.js';
import type { Translation } from './translate.js';

/** So many rows are shown. */
const MOST_ROWS = 500;

/** Lists losses; `show` is called with the one whose path was pressed. */
export function showLosses(
  placed: readonly Placed[],
  translations: readonly Translation[],
  show: (placed: Placed) => void,
): void {
  const { lossRows, lossCount, noLosses } = elements;
  lossRows.replaceChildren(...placed.slice(0, MOST_ROWS).map((one) => rowOf(one, show)));
  const hidden = placed.length - MOST_ROWS;
  lossCount.textContent =
    placed.length === 0 ? '' : hidden > 0 ? `${countOf(placed)}, the first ${MOST_ROWS} shown` : countOf(placed);
  noLosses.hidden = placed.length > 0 || translations.length === 0;
  noLosses.textContent = withoutLosses(translations);
}

function countOf({ length }: readonly Placed[]): string {
  return length === 1 ? '1 loss' : `${length} losses`;
}

/** What there is to say where nothing is lost: a request that is refused does not cross. */
function withoutLosses(translations: readonly Translation[]): string {
  const refused = translations.filter(({ refusal, refusedThere }) => (refusal ?? refusedThere) !== undefined);
  if (refused.length === 0) return 'Everything crosses unchanged.';
  if (refused.length === translations.length) return 'Nothing crosses: every target refuses this.';
  return `Refused towards ${refused.map(({ dialect }) => dialect).join(' and ')}; everything else crosses unchanged.`;
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
