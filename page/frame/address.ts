import { signal } from '@preact/signals';
import { VIEWS, type ViewId } from './views.js';

/**
 * What the address says behind its `#`: a view and what the view keeps there, as `#live?status=500`. A link of Translate begins
 * with its version, `#1.`, and has its state behind that.
 */
export interface Address {
  readonly view: ViewId;
  readonly query: URLSearchParams;
  /** The state of a shared link; '' = there is none. */
  readonly shared: string;
}

const SHARED = /^\d+\./;

function read(): Address {
  const text = location.hash.slice(1);
  if (SHARED.test(text)) return { view: 'translate', query: new URLSearchParams(), shared: text };
  const [name = '', query = ''] = text.split('?', 2);
  return {
    view: VIEWS.find(({ id }) => id === name)?.id ?? 'translate',
    query: new URLSearchParams(query),
    shared: '',
  };
}

/** The present address; it follows links, the buttons of the browser and {@link keepQuery}. */
export const address = signal<Address>(read());
addEventListener('hashchange', () => {
  address.value = read();
});

/** The address of a view, for links. */
export function linkTo(view: ViewId, query: Readonly<Record<string, string>> = {}): string {
  const words = new URLSearchParams(query).toString();
  return `#${view}${words === '' ? '' : `?${words}`}`;
}

/** Keeps words of the present view in the address, in place of those before, without a step in the history. */
export function keepQuery(query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', linkTo(address.value.view, query));
  address.value = read();
}

/** Keeps the state of a shared link in the address. */
export function keepShared(state: string): void {
  history.replaceState(null, '', `#${state}`);
  address.value = read();
}
