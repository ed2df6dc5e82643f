import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useGateway } from '../gateway.js';
import { address, linkTo } from './address.js';
import { Scheme } from './scheme.js';
import { search, searchEntered } from './search.js';
import { Status } from './status.js';
import { VIEWS } from './views.js';

/** Where the documents of the project are. */
const DOCUMENTS = 'https://github.com/interlingua/interlingua/tree/main/docs';

/** The views that are loaded, by their ids; a sentence where one cannot be loaded. */
const loaded = signal<Readonly<Record<string, ComponentType | string>>>({});

async function load(id: string): Promise<void> {
  const view = VIEWS.find((one) => one.id === id);
  if (view === undefined || typeof loaded.value[id] === 'function') return;
  const found = await view.load().then(
    ({ View }): ComponentType | string => View,
    () => 'This part of the page cannot be loaded: is the gateway still there? Load the page again.',
  );
  loaded.value = { ...loaded.value, [id]: found };
}

/** The header of the page and the view that the address names. */
export function Frame() {
  const { view } = address.value;
  useGateway();
  useEffect(() => {
    void load(view);
    document.title = `${VIEWS.find(({ id }) => id === view)?.label} · interlingua`;
  }, [view]);
  return (
    <>
      <Header />
      <Room of={loaded.value[view]} key={view} />
    </>
  );
}

function Room({ of: View }: { readonly of: ComponentType | string | undefined }) {
  if (typeof View === 'function') return <View />;
  return (
    <main class="empty" aria-busy={View === undefined}>
      {View === undefined ? null : <p role="alert">{View}</p>}
    </main>
  );
}

function Header() {
  const { view } = address.value;
  return (
    <header class="frame">
      <h1>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M7 12h15l-4-4M25 20H10l4 4" />
        </svg>
        <span class="name">interlingua</span>
      </h1>
      <nav aria-label="Views">
        {VIEWS.map(({ id, label }) => (
          <a key={id} href={linkTo(id)} aria-current={id === view ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Search />
      <Status />
      <a class="documents" href={DOCUMENTS}>
        Documents
      </a>
      <Scheme />
    </header>
  );
}

function Search() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <input
      ref={field}
      class="search"
      type="search"
      aria-label="Search paths and models"
      placeholder="Search paths and models   /"
      autocomplete="off"
      spellcheck={false}
      value={search.value}
      onInput={({ currentTarget }) => {
        search.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        const { key, currentTarget } = event;
        if (key === 'Enter') {
          // The focus may go to an editor, which the key is not meant for.
          event.preventDefault();
          searchEntered.value += 1;
        }
        if (key === 'Escape') {
          search.value = '';
          currentTarget.blur();
        }
      }}
    />
  );
}

/** Whether a key is typed into a field; fields may lie in shadow roots. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
