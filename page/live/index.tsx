import { UsagePlots } from '../usage/index.js';

/** What goes through the gateway. */
export function View() {
  return (
    <main class="live" aria-label="Live" aria-busy={false}>
      <UsagePlots />
      <p class="note">This gateway keeps no record of its exchanges.</p>
    </main>
  );
}
