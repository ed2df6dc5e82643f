/** What each name of a model leads to. */
export function View() {
  return (
    <main class="models empty" aria-label="Models">
      <p>This gateway does not tell of its models here; the command `interlingua check` does.</p>
    </main>
  );
}
