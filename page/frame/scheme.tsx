import { effect, signal } from '@preact/signals';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The colours that were chosen; undefined = those of the system. */
const chosen = signal<'light' | 'dark' | undefined>(undefined);
const system = signal(dark.matches);
dark.addEventListener('change', ({ matches }) => {
  system.value = matches;
});

effect(() => {
  const { dataset } = document.documentElement;
  if (chosen.value === undefined) delete dataset.scheme;
  else dataset.scheme = chosen.value;
});

/** Whether the page is dark. */
const isDark = (): boolean => (chosen.value ?? (system.value ? 'dark' : 'light')) === 'dark';

/** Changes between light and dark. */
export function Scheme() {
  const now = isDark();
  return (
    <button
      type="button"
      class="plain scheme"
      aria-label={now ? 'Light colours' : 'Dark colours'}
      title={now ? 'Light colours' : 'Dark colours'}
      onClick={() => {
        chosen.value = now ? 'light' : 'dark';
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {now ? (
          <path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5 13 13M13 3l-1.5 1.5M4.5 11.5 3 13M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6" />
        ) : (
          <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7" />
        )}
      </svg>
    </button>
  );
}
