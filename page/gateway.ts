import { signal } from '@preact/signals';
import { keepLooking } from './look.js';

/** The key that was typed into the page. It is held here alone: neither stored nor put into an address. */
export const key = signal('');

/** Why the gateway did not give what it was asked for, in a sentence for people. */
export class GatewayError extends Error {
  /** 0 = it was not reached. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Who may see what all callers do, as the gateway says with its page: whoever got that, who has an operator's key, or nobody. */
const looking = document.querySelector<HTMLMetaElement>('meta[name="interlingua-looking"]')?.content ?? 'anybody';

/** Whether the gateway does not show what it was asked for to who asked. */
export function isHidden(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** Whether another key may be shown what this one was not. */
export function wantsKey(status: number | undefined): boolean {
  return isHidden(status) && looking !== 'nobody';
}

/**
 * Throws GatewayError where the gateway would refuse to show what all callers do, as far as that is known: a browser tells its console of
 * every refusal.
 */
export function checkLooking(): void {
  if (looking === 'nobody') {
    const here =
      "This gateway has no keys, and shows this to nobody who comes from elsewhere: give an operator's key (keys[].operator).";
    throw new GatewayError(403, here);
  }
  if (looking === 'key' && key.value === '') throw new GatewayError(401, sentenceFor(401, ''));
}

/** What is known of the gateway whose page this is. */
export type GatewayState =
  | { readonly kind: 'asking' | 'unreachable' }
  /** The page stands by itself, on a server of files. */
  | { readonly kind: 'none' }
  /** `started`: ms since 1970; absent where that is not told. */
  | { readonly kind: 'up'; readonly version: string; readonly started?: number };

const hasGateway = document.querySelector('meta[name="interlingua-gateway"][content="none"]') === null;

export const gateway = signal<GatewayState>({ kind: hasGateway ? 'asking' : 'none' });

/** The address of a path of the gateway, which begins with a slash: the page lies in a folder of it, wherever it is mounted. */
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
 * Asks the gateway with the typed key. Gives its answer whatever its status; throws GatewayError where none came, and AbortError
 * where the signal ended it.
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

/** Asks for JSON. Throws GatewayError for every answer that is none. */
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
  /** Of the last event that had one; '' = none had. */
  readonly id: string;
  /** '' = it has no name. */
  readonly name: string;
  readonly data: string;
}

/**
 * Hears events until the stream ends or the signal ends it; `opened` is called when there is one. With `after`, the id of an event, it goes
 * on behind that. Throws GatewayError where there is no stream.
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

/** The message of an error body, in whichever dialect it is. */
function messageIn(text: string): string {
  const quoted = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, 10_000))?.[1];
  try {
    return quoted === undefined ? '' : String(JSON.parse(quoted));
  } catch {
    return '';
  }
}

/** The models that the gateway serves, and patterns of them, as its page names them: none where it asks for a key. */
export function servedModels(): readonly { readonly name: string; readonly isPattern: boolean }[] {
  const list = document.querySelector<HTMLDataListElement>('datalist#models');
  return [...(list?.options ?? [])].map(({ value, disabled }) => ({ name: value, isPattern: disabled }));
}

/** How often the gateway is asked whether it is there, in ms. */
const LOOK_MS = 30_000;

/** Keeps {@link gateway} true while the page is seen. */
export function watchGateway(): void {
  if (!hasGateway) return;
  const look = async (): Promise<void> => {
    try {
      const body = await getJson('/');
      const { name, version, started } = Object(body) as Readonly<Record<string, unknown>>;
      const since = Date.parse(String(started));
      gateway.value =
        name === 'interlingua'
          ? { kind: 'up', version: String(version), ...(!Number.isNaN(since) && { started: since }) }
          : { kind: 'none' };
    } catch {
      gateway.value = { kind: 'unreachable' };
    }
  };
  keepLooking(look, LOOK_MS);
}
