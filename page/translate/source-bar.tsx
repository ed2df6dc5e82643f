import { signal } from '@preact/signals';
import { example, examples } from './examples.js';
import { KINDS } from './kinds.js';
import { SendButton } from './send/index.js';
import { answer, fill, pick, share } from './source.js';
import {
  chosenDialect,
  chosenKind,
  dialect,
  facts,
  judge,
  kind,
  read,
  said,
  status,
  strict,
  text,
  urlModel,
} from './state.js';
import { FileButton } from './traffic/file-button.js';

/** What became of the last link. */
const shared = signal('');

/** What the source is in words. */
function readText(): string {
  if (said.value !== '') return said.value;
  const now = read.value;
  if (text.value.trim() === '') return 'nothing yet';
  if (now === undefined) return '';
  const model = kind.value === 'request' ? (urlModel.value ?? now.model) : '';
  const named = model === '' ? '' : `, model ${model}`;
  return `${kind.value} in ${dialect.value ?? 'an unknown dialect'}${named}`;
}

/** What is translated, and how. */
export function SourceBar() {
  return (
    <section class="source-bar" aria-label="What to translate">
      <p class="read" role="status" aria-label="Detected" title={readText()}>
        {readText()}
      </p>
      {answer.value !== undefined && (
        <button
          type="button"
          class="quiet"
          onClick={() => answer.value !== undefined && fill(answer.value.text, answer.value)}
        >
          Show its answer
        </button>
      )}
      <Chooser />
      <FileButton />
      <label class="check">
        <input
          type="checkbox"
          autocomplete="off"
          checked={strict.value}
          disabled={kind.value !== 'request'}
          onChange={({ currentTarget: { checked } }) => {
            strict.value = checked;
            judge();
          }}
        />{' '}
        Strict
      </label>
      <SendButton />
      <span class="share">
        <button
          type="button"
          onClick={async () => {
            const link = await share();
            shared.value = await navigator.clipboard.writeText(link).then(
              () => 'Link copied, without keys',
              () => 'The link is in the address bar',
            );
          }}
        >
          Share
        </button>
        <span class="meta" role="status" aria-label="Link">
          {shared.value}
        </span>
      </span>
    </section>
  );
}

function Chooser() {
  return (
    <>
      <select
        class="example"
        aria-label="Example"
        value={example.value === undefined ? '' : String(example.value)}
        onChange={({ currentTarget: { value } }) => value !== '' && void pick(Number(value))}
      >
        <option value="">Your own input</option>
        {facts.value.map(({ id }) => (
          <optgroup key={id} label={id}>
            {examples.value.map((one, index) =>
              one.dialect === id ? (
                <option key={one.name} value={String(index)}>
                  {one.name}
                </option>
              ) : null,
            )}
          </optgroup>
        ))}
      </select>
      <select
        aria-label="Dialect"
        value={chosenDialect.value ?? 'auto'}
        onChange={({ currentTarget: { value } }) => {
          chosenDialect.value = facts.value.find(({ id }) => id === value)?.id;
          judge();
        }}
      >
        <option value="auto">auto</option>
        {facts.value.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <select
        aria-label="Kind"
        value={kind.value}
        onChange={({ currentTarget: { value } }) => {
          chosenKind.value = KINDS.find((one) => one === value);
          judge();
        }}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      {kind.value === 'error' && (
        <input
          class="status"
          type="number"
          aria-label="Status"
          min="300"
          max="599"
          value={status.value}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => {
            status.value = Number(value) || 400;
            judge();
          }}
        />
      )}
    </>
  );
}
