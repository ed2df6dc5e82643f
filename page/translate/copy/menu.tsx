import { signal } from '@preact/signals';
import { addressOf } from '../../gateway.js';
import { targetText } from '../shown.js';
import { dialect, kind, shown, target } from '../state.js';

/** What a translation can be copied as. */
const FORMS = [
  ['json', 'JSON'],
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
  ['gateway', 'Two lines for this gateway'],
] as const;

type Choice = (typeof FORMS)[number][0];

const form = signal<Choice>('json');

/** What became of the copy that was asked for last. */
const copied = signal('');

/** Copies the translation in the form that is chosen. */
export function CopyMenu() {
  const isRequest = kind.value === 'request';
  return (
    <span class="copy">
      {isRequest && (
        <select
          aria-label="Copy as"
          value={form.value}
          onChange={({ currentTarget: { value } }) => {
            form.value = FORMS.find(([id]) => id === value)?.[0] ?? 'json';
          }}
        >
          {FORMS.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="quiet" disabled={targetText.value === ''} onClick={() => void copy()}>
        Copy
      </button>
      <span class="meta" role="status" aria-label="Copy">
        {copied.value}
      </span>
    </span>
  );
}

async function copy(): Promise<void> {
  const text = await textFor(kind.value === 'request' ? form.value : 'json');
  if (text === undefined) {
    copied.value = 'this host wants a login and no key: copy JSON';
    return;
  }
  copied.value = await navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'the browser does not let this page copy',
  );
}

async function textFor(choice: Choice): Promise<string | undefined> {
  const [now, to, from] = [shown.value, target.value, dialect.value];
  if (choice === 'json' || now === undefined || to === undefined || from === undefined) return targetText.value;
  const { codeFor, gatewayLines } = await import('./index.js');
  if (choice === 'gateway') return gatewayLines(from, addressOf(''));
  const { request } = now;
  if (request === undefined) return targetText.value;
  return codeFor(choice, {
    dialect: to.dialect,
    body: JSON.parse(now.text),
    ...request,
    ...(to.host !== '' && { host: to.host }),
  });
}
