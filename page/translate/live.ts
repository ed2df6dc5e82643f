import { setBusy } from './busy.js';
import type { Kind } from './detect.js';
import { elements, make } from './elements.js';
import type { DialectId } from './library.js';
import { type Answered, type BackendSide, type Call, explain, send } from './send.js';

/** What would be sent. */
export interface Sendable {
  readonly kind: Kind;
  readonly dialect?: DialectId;
  readonly text: string;
  readonly strict: boolean;
}

/** More of an answer than this is not shown. */
const MOST_SHOWN = 2_000_000;

let running: AbortController | undefined;

/** What the gateway serves of the names of models: names, and patterns of names. */
const names = [...elements.models.options].filter(({ disabled }) => !disabled).map(({ value }) => value);
const patterns = [...elements.models.options].map(({ value }) => value.split('*'));

/** The model that is asked for when none is chosen: that of the request where it is served, else the first there is. */
function usualModel(text: string): string {
  const asked = /"model"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? '';
  const served = patterns.some(([head = '', tail]) =>
    tail === undefined ? asked === head : asked.startsWith(head) && asked.endsWith(tail),
  );
  return asked !== '' && served ? asked : (names[0] ?? asked);
}

/** Says whether something can be sent. */
export function showSendable({ kind, dialect, text }: Sendable): void {
  const { send: button, sendHint, model } = elements;
  const able = kind === 'request' && dialect !== undefined && text.trim() !== '';
  button.disabled = !able || running !== undefined;
  model.placeholder = usualModel(text) || 'a name';
  sendHint.textContent = able ? 'to this gateway, by its ordinary route' : 'only a request can be sent';
}

/** Sends what stands in the page when asked to. */
export function connectLive(current: () => Sendable): void {
  elements.send.addEventListener('click', () => void run(current()).finally(() => showSendable(current())));
  elements.stop.addEventListener('click', () => running?.abort());
}

async function run({ dialect, text, strict }: Sendable): Promise<void> {
  const { model, key, send: button, stop, client, clientStatus, clientBody } = elements;
  if (dialect === undefined || running !== undefined) return;
  running = new AbortController();
  button.disabled = true;
  stop.hidden = false;
  setBusy('sending', true);
  client.setAttribute('aria-busy', 'true');
  clientStatus.textContent = 'waiting';
  clientBody.textContent = '';
  showBackend({});
  let head: Answered | undefined;
  let received = '';
  const call: Call = {
    dialect,
    text,
    model: model.value.trim() || usualModel(text),
    key: key.value.trim(),
    strict,
  };
  try {
    await send(
      call,
      running.signal,
      (answered) => {
        head = answered;
        clientStatus.textContent = `status ${answered.status}`;
        showBackend(answered.side);
      },
      (piece) => {
        received += piece;
        if (received.length <= MOST_SHOWN) clientBody.append(piece);
      },
    );
    clientBody.textContent = laidOut(received).slice(0, MOST_SHOWN);
    if (head?.side.backend !== undefined) await showSent(call, head.side.backend, running.signal);
  } catch (error) {
    const reason = running.signal.aborted ? 'stopped' : error instanceof Error ? error.message : 'it failed';
    clientStatus.textContent = head === undefined ? reason : `status ${head.status}, ${reason}`;
  } finally {
    running = undefined;
    stop.hidden = true;
    client.setAttribute('aria-busy', 'false');
    setBusy('sending', false);
  }
}

/** JSON in lines; anything else as it came. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const FIELDS: readonly (readonly [keyof BackendSide, string])[] = [
  ['backend', 'Backend'],
  ['dialect', 'Dialect'],
  ['model', 'Model'],
  ['losses', 'Losses'],
  ['requestId', 'Request'],
];

function showBackend(side: BackendSide): void {
  const known = FIELDS.flatMap(([field, label]) => {
    const value = side[field];
    return value === undefined ? [] : [make('dt', {}, label), make('dd', {}, value)];
  });
  elements.backend.replaceChildren(...known);
  elements.sent.hidden = true;
}

/** Shows what the backend that answered was sent. Of several, another one may be drawn for the question. */
async function showSent(call: Call, backend: string, signal: AbortSignal): Promise<void> {
  const explained = await explain(call, signal);
  if (explained?.backend !== backend) return;
  const { method, url, body } = explained;
  elements.sent.textContent = `${method} ${url}\n\n${JSON.stringify(body, null, 2)}`;
  elements.sent.hidden = false;
}
