/** What goes through the gateway. */
export function View() {
  return (
    <main class="live empty" aria-label="Live">
      <p>This gateway keeps no record of its exchanges.</p>
    </main>
  );
}
