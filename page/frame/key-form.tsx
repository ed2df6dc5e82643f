import { useSignal } from '@preact/signals';
import { key } from '../gateway.js';

/** Asks for the key of an operator, where a view got none of what it asked for. `reason` is a sentence. */
export function KeyForm({ reason }: { readonly reason: string }) {
  const typed = useSignal('');
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        key.value = typed.value.trim();
      }}
    >
      <p role="status">{reason}</p>
      <label>
        Key of an operator
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="main" disabled={typed.value.trim() === ''}>
        Show
      </button>
      <p class="note">It stays in this page and is forgotten when that is closed.</p>
    </form>
  );
}
