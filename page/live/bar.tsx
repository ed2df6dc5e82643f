import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { gatewayDialects } from '../../src/dialects/index.js';
import { address, keepQuery } from '../frame/address.js';
import { connection, exchanges, fault, missed, pause, paused, shown, waiting } from './state.js';

/** What can be chosen of a filter, with the words for it. */
const CHOICES = {
  dialect: { '': 'all dialects', ...Object.fromEntries(gatewayDialects.map(({ id }) => [id, id])) },
  status: {
    '': 'all outcomes',
    ok: 'served',
    failed: 'failed',
    '4xx': '4xx',
    '429': '429',
    '5xx': '5xx',
    none: 'no answer',
  },
  losses: { '': 'with or without losses', any: 'any loss', counted: 'losses that count', none: 'unchanged' },
} as const;

/** How long, in ms, a typed filter may change before it is applied. */
const TYPED_MS = 150;

function choose(name: string, value: string): void {
  const query = Object.fromEntries(address.value.query);
  if (value === '') delete query[name];
  else query[name] = value;
  keepQuery(query);
}

/** The filters, the state of the stream, and the button that holds it. */
export function Bar() {
  const keys = [...new Set(exchanges.value.flatMap((one) => one.key ?? []))].sort();
  return (
    <section class="bar" aria-label="Filter">
      <Typed name="key" label="Key" words={keys} />
      <Typed name="model" label="Model" />
      {(['dialect', 'status', 'losses'] as const).map((name) => (
        <Choice key={name} name={name} />
      ))}
      {address.value.query.size > 0 && (
        <button type="button" class="quiet" onClick={() => keepQuery({})}>
          Show all
        </button>
      )}
      <Stream />
      {fault.value !== undefined && <p class="fault">The filter in the address is not applied: {fault.value}.</p>}
    </section>
  );
}

function Choice({ name }: { readonly name: keyof typeof CHOICES }) {
  const chosen = address.value.query.get(name) ?? '';
  const words: Readonly<Record<string, string>> = CHOICES[name];
  return (
    <select aria-label={name} value={chosen} onChange={({ currentTarget }) => choose(name, currentTarget.value)}>
      {Object.entries(words).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {words[chosen] === undefined && <option value={chosen}>{chosen}</option>}
    </select>
  );
}

interface TypedProps {
  readonly name: 'key' | 'model';
  readonly label: string;
  readonly words?: readonly string[];
}

function Typed({ name, label, words = [] }: TypedProps) {
  const kept = address.value.query.get(name) ?? '';
  const typed = useSignal(kept);
  useEffect(() => {
    typed.value = kept;
  }, [kept, typed]);
  const value = typed.value;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (value !== (address.value.query.get(name) ?? '')) choose(name, value);
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [value, name]);
  return (
    <label>
      {label}
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        list={words.length > 0 ? `live-${name}` : undefined}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />
      {words.length > 0 && (
        <datalist id={`live-${name}`}>
          {words.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** The form of the mark for the state of the stream. */
const MARKS = { connecting: 'paused', live: 'on', lost: 'lost', refused: 'lost' } as const;

function Stream() {
  const state = connection.value;
  const held = waiting.value.length;
  const words = {
    connecting: 'connecting',
    live: paused.value ? 'paused' : 'live',
    lost: state.kind === 'lost' ? `${state.message} It is tried again.` : '',
    refused: '',
  }[state.kind];
  const all = exchanges.value.length;
  const count = shown.value.length === all ? `${all}` : `${shown.value.length} of ${all}`;
  return (
    <div class="stream">
      <p>
        <span class={`mark ${paused.value ? 'paused' : MARKS[state.kind]}`} aria-hidden="true" />
        <span role="status">{words}</span>
        <span class="soft">
          {`${count} shown`}
          {missed.value > 0 && `, ${missed.value} not seen`}
        </span>
      </p>
      <button type="button" aria-pressed={paused.value} onClick={() => pause(!paused.value)}>
        {paused.value ? `Resume${held > 0 ? ` (${held} new)` : ''}` : 'Pause'}
      </button>
    </div>
  );
}
