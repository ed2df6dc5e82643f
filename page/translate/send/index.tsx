import { signal } from '@preact/signals';
import type { LiveText } from '../../../src/live/plain/index.js';
import { gateway, key, servedModels } from '../../gateway.js';
import { costText, sizeText } from '../../live/words.js';
import { betas, dialect, kind, read, strictHeader, text, urlModel } from '../state.js';
import { Ticks, totalsText } from '../stream/ticks.js';
import { type Exchange, exchange, passedHere, sendCall, stopSending } from './state.js';

/** Whether the panel is open. */
const sendOpen = signal(false);

/** The model that was typed; '' = the usual one. */
const model = signal('');

/** The model that is asked for when none is typed: that of the request where it is served, else the first there is. */
function usualModel(): string {
  const asked = urlModel.value ?? read.value?.model ?? '';
  const all = servedModels();
  const fits = all.some(({ name, isPattern }) => {
    const [head = '', tail = ''] = name.split('*');
    return isPattern ? asked.startsWith(head) && asked.endsWith(tail) : asked === name;
  });
  return asked !== '' && fits ? asked : (all.find(({ isPattern }) => !isPattern)?.name ?? asked);
}

/** Opens the panel. */
export function SendButton() {
  if (gateway.value.kind === 'none') return null;
  return (
    <button
      type="button"
      aria-expanded={sendOpen.value}
      aria-controls="send"
      onClick={() => {
        sendOpen.value = !sendOpen.value;
      }}
    >
      Send
    </button>
  );
}

/** Sends the source to this gateway, and shows what the client gets beside what the backend was sent. */
export function SendPanel() {
  if (!sendOpen.value) return null;
  const able = kind.value === 'request' && dialect.value !== undefined && read.value?.fault === undefined;
  const { state } = exchange.value ?? {};
  const isRunning = state === 'waiting' || state === 'coming';
  return (
    <section class="send" id="send" aria-label="Send" aria-busy={isRunning}>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (able && !isRunning) void send();
        }}
      >
        <label>
          Model{' '}
          <input
            list="models"
            autocomplete="off"
            spellcheck={false}
            placeholder={usualModel() || 'a name'}
            value={model.value}
            onInput={({ currentTarget: { value } }) => {
              model.value = value.trim();
            }}
          />
        </label>
        <label>
          Key{' '}
          <input
            type="password"
            autocomplete="off"
            placeholder="none"
            value={key.value}
            onInput={({ currentTarget: { value } }) => {
              key.value = value.trim();
            }}
          />
        </label>
        <button type="submit" class="main" disabled={!able || isRunning}>
          Send to this gateway
        </button>
        {isRunning && (
          <button type="button" onClick={stopSending}>
            Stop
          </button>
        )}
        <p class="meta" role="status" aria-label="Sending">
          {able ? statusText(exchange.value) : 'Only a request can be sent.'}
        </p>
      </form>
      {exchange.value !== undefined && <Answer of={exchange.value} />}
    </section>
  );
}

function send(): Promise<void> {
  const from = dialect.value;
  if (from === undefined) return Promise.resolve();
  return sendCall({
    dialect: from,
    text: text.value,
    model: model.value || usualModel(),
    betas: betas.value,
    losses: strictHeader.value.replace(/^[^:]*:\s*/, ''),
  });
}

function statusText(now: Exchange | undefined): string {
  const status = now?.head === undefined ? '' : `status ${now.head.status}`;
  switch (now?.state) {
    case undefined:
      return 'by its ordinary route, with the key that you type: it is held in memory alone';
    case 'waiting':
      return 'waiting';
    case 'coming':
      return `${status}, coming`;
    case 'done':
      return status;
    case 'stopped':
      return status === '' ? 'stopped' : `${status}, stopped`;
    case 'failed':
      return status === '' ? now.reason : `${status}: ${now.reason}`;
  }
}

function Answer({ of: now }: { readonly of: Exchange }) {
  const { text: said, isCut, ticks, losses, explained, account } = now;
  const { backendRequest, backendAnswer } = account ?? {};
  return (
    <>
      <dl class="facts">
        {factsOf(now).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {ticks.length > 0 && (
        <div class="stream">
          <Ticks
            label="Event of the answer"
            ticks={ticks}
            passed={passedHere.value ?? ticks.length}
            move={(next) => {
              passedHere.value = next;
            }}
          />
          <p class="meta">{totalsText(ticks)}</p>
        </div>
      )}
      <div class="pair">
        <Text label="What the client gets" text={said} note={isCut ? 'the beginning of it' : ''} />
        {backendRequest === undefined ? (
          <Text
            label="What the backend was sent"
            text={explained?.text ?? ''}
            note={
              explained === undefined
                ? 'the gateway does not tell'
                : `by x-interlingua-explain, for ${explained.backend}`
            }
          />
        ) : (
          <Kept label="What the backend was sent" said={backendRequest} />
        )}
        {backendAnswer !== undefined && <Kept label="What the backend answered" said={backendAnswer} />}
      </div>
      {losses.length > 0 && (
        <ul class="told" aria-label="Losses of this call">
          {losses.map((loss, index) => (
            <li key={index}>
              <span class={`kind ${loss.kind}`}>{loss.kind}</span> {loss.sentence}
              {loss.count > 1 ? ` And ${loss.count - 1} more of these.` : ''}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A text of the exchange itself, as the gateway keeps it. */
function Kept({ label, said }: { readonly label: string; readonly said: LiveText }) {
  return <Text label={label} text={said.text} note={sizeText(said)} />;
}

function Text({ label, text: said, note }: { readonly label: string; readonly text: string; readonly note: string }) {
  return (
    <section aria-label={label}>
      <h2>
        {label} <span class="meta">{note}</span>
      </h2>
      <pre tabIndex={0}>{said}</pre>
    </section>
  );
}

/** What is known of the answer, as names and values. */
function factsOf({ head, firstByte, whole, tokens: told, account }: Exchange): readonly (readonly [string, string])[] {
  if (head === undefined) return [];
  const { backend, dialect: spoken, model: named, requestId, times, more } = head;
  const { tokens: counted, cost: sum, costPartial } = account?.exchange ?? {};
  const tokens = {
    in: counted?.input ?? told.in,
    cached: counted?.cached ?? told.cached,
    out: counted?.output ?? told.out,
  };
  // Of streams the account alone has it.
  const cost = head.cost === undefined ? sum : Number(head.cost);
  const ms = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ms`;
  const counts = [
    ...(tokens.in === undefined ? [] : [`${tokens.in} in`]),
    ...(tokens.cached === undefined ? [] : [`${tokens.cached} cached`]),
    ...(tokens.out === undefined ? [] : [`${tokens.out} out`]),
    ...(counted?.reasoning === undefined ? [] : [`${counted.reasoning} of these reasoning`]),
  ];
  const parts = [
    ...times.map(([name, value]) => `${name === 'head' ? 'until the head' : name} ${ms(value)}`),
    ...(firstByte === undefined ? [] : [`first byte here ${ms(firstByte)}`]),
    ...(whole === undefined ? [] : [`whole ${ms(whole)}`]),
  ];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Backend', backend],
    ['Dialect', spoken],
    ['Model', named],
    ['Time', parts.length === 0 ? undefined : parts.join(', ')],
    ['Tokens', counts.length === 0 ? undefined : counts.join(', ')],
    [
      'Cost',
      cost === undefined
        ? undefined
        : `${costText(cost)}${head.costPartial || costPartial === true ? ' and fees of tools' : ''}`,
    ],
    ['Losses', more ? 'more than are told here' : undefined],
    ['Request', requestId],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
