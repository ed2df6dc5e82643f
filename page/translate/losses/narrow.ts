import { computed, signal } from '@preact/signals';

/** A query of the width of the page. */
function fits(query: string) {
  const media = matchMedia(query);
  const now = signal(media.matches);
  media.addEventListener('change', ({ matches }) => {
    now.value = matches;
  });
  return now;
}

const isBeside = fits('(width >= 112.5rem)');
const isPhone = fits('(width < 50rem)');

/** Whether the table of losses has no room for a column of words: beside the editors (translate.css), and on a phone. */
export const isNarrow = computed(() => isBeside.value || isPhone.value);

/** Of how many targets the names have room in a line there; those of more stand upright. */
export const mostNamed = computed(() => (isPhone.value ? 1 : 4));
