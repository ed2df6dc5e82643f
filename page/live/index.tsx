import { useEffect } from 'preact/hooks';
import { KeyForm } from '../frame/key-form.js';
import { addressOf, gateway, key, wantsKey } from '../gateway.js';
import { UsagePlots } from '../usage/index.js';
import { Bar } from './bar.js';
import { Text } from './detail.js';
import { type Connection, connection, exchanges, follow, shown } from './state.js';
import { Exchanges } from './table.js';

/** What goes through the gateway. */
export function View() {
  const typed = key.value;
  const { kind } = gateway.value;
  const isAlone = kind === 'none';
  useEffect(() => {
    if (isAlone) return;
    const following = new AbortController();
    void follow(following.signal);
    return () => following.abort();
  }, [typed, isAlone]);
  const state = connection.value;
  return (
    <main class="live" aria-label="Live" aria-busy={!isAlone && state.kind === 'connecting'}>
      {isAlone ? (
        <p class="told">This page stands by itself: a gateway shows its exchanges here.</p>
      ) : state.kind === 'refused' ? (
        <Refused status={state.status} message={state.message} />
      ) : (
        <Shown state={state} />
      )}
    </main>
  );
}

function Refused({ status, message }: { readonly status: number; readonly message: string }) {
  if (wantsKey(status)) return <KeyForm reason={message} />;
  return (
    <p class="told" role="status">
      {message}
    </p>
  );
}

function Shown({ state }: { readonly state: Connection }) {
  const isEmpty = exchanges.value.length === 0;
  return (
    <>
      <UsagePlots />
      <Bar />
      {isEmpty && state.kind === 'live' && <First />}
      {!isEmpty && shown.value.length === 0 && <p class="told">None of them fits the filter.</p>}
      {shown.value.length > 0 && <Exchanges />}
    </>
  );
}

/** How to make a first exchange. */
function First() {
  const call = `curl ${addressOf('/v1/messages')} \\
  -H 'content-type: application/json' \\${key.value === '' ? '' : "\n  -H 'authorization: Bearer YOUR-KEY' \\"}
  -d '{"model": "MODEL", "max_tokens": 200, "messages": [{"role": "user", "content": "Hello"}]}'`;
  return (
    <section class="first" aria-label="A first exchange">
      <p>
        Nothing has gone through since the gateway was started. Make a first exchange, with a name of the view Models:
      </p>
      <Text label="A call" text={call} />
      <button type="button" onClick={() => void navigator.clipboard.writeText(call)}>
        Copy
      </button>
    </section>
  );
}
