import { elements } from './elements.js';
import { type Mark, showMarked } from './marks.js';
import type { Placed } from './places.js';
import type { Range } from './spans.js';

/**
 * The field of the source. A mirror below it has its marks and gives it its size; a text longer than this, in UTF-16 units, has
 * none, since every key would lay out a copy of it.
 */
const MOST_MARKED = 150_000;

/** Shows the input with marks in it. */
export function showSource(text: string, marks: readonly Mark[]): void {
  const long = text.length > MOST_MARKED;
  elements.sourceScroll.classList.toggle('long', long);
  showMarked(elements.mirror, long ? '' : `${text}\n`, long ? [] : marks);
}

/** Moves the focus to the place of a loss. */
export function focusSource({ range }: Placed): void {
  const { input, source } = elements;
  input.focus({ preventScroll: true });
  input.setSelectionRange(range.start, range.end);
  source.scrollIntoView({ block: 'nearest' });
  scrollTo(range);
}

/** Brings a place of the source into sight. */
export function scrollTo({ start }: Range): void {
  const { input, mirror, sourceScroll } = elements;
  if (sourceScroll.classList.contains('long')) {
    // Without a mirror the place is known about: lines of a long text are alike.
    input.scrollTop = (start / input.value.length) * input.scrollHeight - input.clientHeight / 3;
    return;
  }
  const nodes = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
  let left = start;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const { length } = node as Text;
    if (left < length) {
      const place = document.createRange();
      place.setStart(node, left);
      place.setEnd(node, left + 1);
      const top = place.getBoundingClientRect().top - mirror.getBoundingClientRect().top;
      sourceScroll.scrollTop = top - sourceScroll.clientHeight / 3;
      return;
    }
    left -= length;
  }
}
