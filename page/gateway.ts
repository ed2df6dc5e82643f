import { signal } from '@preact/signals';
import { useLooking } from './look.js';

/** The API key that was typed into the page. It is kept in memory only, never in storage or in a URL. */
export const key = signal('');

/** A request to the gateway failed; the message is a sentence for the reader of the page. */
export class GatewayError extends Error {
  /** The HTTP status; 0 = there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Who may see the exchanges of all callers, which the gateway writes into the page: `anybody` who can load it, whoever has the `key` of an
 * operator, or `nobody`.
 */
const looking = document.querySelector<HTMLMetaElement>('meta[name="interlingua-looking"]')?.content ?? 'anybody';

/** Whether a status means that the gateway shows this to others, but not with this key. */
export function isHidden(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** Whether to ask for another key after this status. */
export function wantsKey(status: number | undefined): boolean {
  return isHidden(status) && looking !== 'nobody';
}

/**
 * Throws GatewayError, without a request, where it is known that the gateway would refuse to show the exchanges of all callers: browsers
 * log every refused request to the console.
 */
export function checkLooking(): void {
  if (looking === 'nobody') {
    const here =
      "This gateway has no keys, and shows this to nobody who comes from elsewhere: give an operator's key (keys[].operator).";
    throw new GatewayError(403, here);
  }
  if (looking === 'key' && key.value === '') throw new GatewayError(401, sentenceFor(401, ''));
}

/** The state of the gateway that served this page. */
export type GatewayState =
  | { readonly kind: 'asking' | 'unreachable' }
  /** There is no gateway: the page is on a static file server. */
  | { readonly kind: 'none' }
  /** `started`: when it was started, in ms since 1970; absent where this key is not told. */
  | { readonly kind: 'up'; readonly version: string; readonly started?: number };

const hasGateway = document.querySelector('meta[name="interlingua-gateway"][content="none"]') === null;

export const gateway = signal<GatewayState>({ kind: hasGateway ? 'asking' : 'none' });

/** The URL of a path of the gateway, which begins with a slash. The root of the gateway is the folder above the page, wherever it is mounted. */
export function addressOf(path: string): string {
  return new URL(`..${path}`, location.href.replace(/[?#].*$/, '')).href;
}

interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to the gateway with the typed key. Resolves with the response whatever its status; throws GatewayError where there is
 * none, and AbortError after the signal.
 */
export async function ask(path: string, { headers, ...rest }: Asked = {}): Promise<Response> {
  const own = { ...(key.value !== '' && { authorization: `Bearer ${key.value}` }), ...headers };
  try {
    return await fetch(addressOf(path), { ...rest, credentials: 'omit', headers: own });
  } catch (error) {
    if (rest.signal?.aborted === true) throw error;
    throw new GatewayError(0, 'The gateway cannot be reached.');
  }
}

/** Requests JSON. Throws GatewayError for a status that is not 2xx and for a body that is not JSON. */
export async function getJson(path: string, asked: Asked = {}): Promise<unknown> {
  const answer = await good(await ask(path, { ...asked, headers: { accept: 'application/json', ...asked.headers } }));
  try {
    return await answer.json();
  } catch {
    throw new GatewayError(answer.status, 'The gateway answered with something else than JSON.');
  }
}

/** A server-sent event. */
export interface GatewayEvent {
  /** The last id that was sent, by this event or one before it; '' = none. */
  readonly id: string;
  /** The value of `event:`; '' = it has none. */
  readonly name: string;
  readonly data: string;
}

/**
 * Calls `hear` with each event of a stream until the stream ends or the signal aborts it, and `opened` when the response has begun. `after`
 * is the id of the event behind which the stream is to continue. Throws GatewayError where the gateway answers with no stream.
 */
export async function hearEvents(
  path: string,
  hear: (event: GatewayEvent) => void,
  signal: AbortSignal,
  { after = '', opened }: { readonly after?: string; opened?(): void } = {},
): Promise<void> {
  const headers = { accept: 'text/event-stream', ...(after !== '' && { 'last-event-id': after }) };
  const answer = await good(await ask(path, { headers, signal }));
  opened?.();
  let id = after;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
    const frames = (rest + piece.value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const lines = frame.split('\n');
      const valuesOf = (field: string): string[] =>
        lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trimStart());
      const data = valuesOf('data');
      id = valuesOf('id').at(-1) ?? id;
      if (data.length > 0) hear({ id, name: valuesOf('event').at(-1) ?? '', data: data.join('\n') });
    }
  }
}

async function good(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw new GatewayError(answer.status, sentenceFor(answer.status, messageIn(await answer.text().catch(() => ''))));
}

function sentenceFor(status: number, message: string): string {
  const said = message === '' ? '' : ` It says: ${message}`;
  switch (status) {
    case 401:
      return key.value === '' ? 'The gateway asks for a key.' : 'The gateway does not know this key.';
    case 403:
      return `The gateway does not show this to this key.${said}`;
    case 404:
      return `This gateway has nothing here.${said}`;
    case 429:
      return `The gateway has no room for this key at the moment.${said}`;
    default:
      return `The gateway answered ${status}.${said}`;
  }
}

/** The message in an error body of any dialect; '' = there is none. */
function messageIn(text: string): string {
  const quoted = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, 10_000))?.[1];
  try {
    return quoted === undefined ? '' : String(JSON.parse(quoted));
  } catch {
    return '';
  }
}

/** The model names and patterns that the gateway writes into the page: none where it requires a key. */
export function servedModels(): readonly { readonly name: string; readonly isPattern: boolean }[] {
  const list = document.querySelector<HTMLDataListElement>('datalist#models');
  return [...(list?.options ?? [])].map(({ value, disabled }) => ({ name: value, isPattern: disabled }));
}

/** The interval, in ms, at which the gateway is asked for its state. */
const LOOK_MS = 30_000;

async function look(): Promise<void> {
  if (!hasGateway) return;
  const asked = key.value;
  try {
    const { name, version, started } = Object(await getJson('/')) as Readonly<Record<string, unknown>>;
    if (key.value !== asked) return;
    const since = Date.parse(String(started));
    gateway.value =
      name === 'interlingua'
        ? { kind: 'up', version: String(version), ...(!Number.isNaN(since) && { started: since }) }
        : { kind: 'none' };
  } catch {
    if (key.value === asked) gateway.value = { kind: 'unreachable' };
  }
}

/** Keeps {@link gateway} up to date while the page is visible, and asks again with each key that is typed. */
export function useGateway(): void {
  useLooking(look, LOOK_MS, key.value);
}
