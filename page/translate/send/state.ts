import { batch, signal } from '@preact/signals';
import { ask, GatewayError } from '../../gateway.js';
import type { Tick } from '../stream/ticks.js';
import type { Account } from './account.js';
import type { Head, HeadLoss } from './head.js';
import type { Call } from './request.js';
import type { Tokens } from './tokens.js';

/** What the gateway would send for a call. */
export interface Explained {
  readonly backend: string;
  readonly text: string;
}

/** A loss with its sentence. */
export interface ToldLoss extends HeadLoss {
  readonly sentence: string;
}

/** A call and what came of it so far. */
export interface Exchange {
  readonly state: 'waiting' | 'coming' | 'done' | 'failed' | 'stopped';
  readonly head?: Head;
  readonly losses: readonly ToldLoss[];
  /** The answer as the client gets it, as far as it is shown. */
  readonly text: string;
  readonly isCut: boolean;
  /** In ms from the call's leaving, as the page sees it. */
  readonly firstByte?: number;
  readonly whole?: number;
  readonly tokens: Tokens;
  /** Of streams, each event with its time. */
  readonly ticks: readonly Tick[];
  readonly explained?: Explained;
  /** Where the gateway tells it to the typed key. */
  readonly account?: Account;
  /** Why it failed. */
  readonly reason: string;
}

/** The last call; undefined = none was made. */
export const exchange = signal<Exchange | undefined>(undefined);

/** How many events of the answer are passed; undefined = all. */
export const passedHere = signal<number | undefined>(undefined);

/** More of an answer than this is not shown, in UTF-16 units. */
const MOST_SHOWN = 2_000_000;

/** How often what has come is shown, in ms. */
const SHOW_MS = 100;

let running: AbortController | undefined;

/** Ends the call that runs. */
export function stopSending(): void {
  running?.abort();
}

/** Sends a request to the gateway by its ordinary route, then asks what its backend was sent and what the gateway knows of it. */
export async function sendCall(call: Call): Promise<void> {
  running?.abort();
  const own = new AbortController();
  running = own;
  const change = (part: Partial<Exchange>): void => {
    if (running === own && exchange.value !== undefined) exchange.value = { ...exchange.value, ...part };
  };
  batch(() => {
    passedHere.value = undefined;
    exchange.value = { state: 'waiting', losses: [], text: '', isCut: false, tokens: {}, ticks: [], reason: '' };
  });
  try {
    const { accountOf, laidOut, readHead, requestOf, tellLosses, ticksOf, tokensOf } = await import('./parts.js');
    const { path, headers, body } = requestOf(call);
    const left = performance.now();
    const answer = await ask(path, { method: 'POST', headers, body, signal: own.signal });
    const head = readHead(answer.status, answer.headers);
    const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
    change({ state: 'coming', head, losses: tellLosses(head.losses) });
    const pieces: { readonly text: string; readonly at: number }[] = [];
    const came = (): string => pieces.map(({ text }) => text).join('');
    let told = 0;
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
      const at = performance.now() - left;
      pieces.push({ text: piece.value, at });
      if (pieces.length === 1) change({ firstByte: at });
      if (at - told < SHOW_MS) continue;
      told = at;
      change({ text: came().slice(0, MOST_SHOWN) });
    }
    const text = came();
    change({
      state: 'done',
      whole: performance.now() - left,
      text: (isStream ? text : laidOut(text)).slice(0, MOST_SHOWN),
      isCut: text.length > MOST_SHOWN,
      tokens: tokensOf(text, isStream),
      ticks: isStream ? ticksOf(pieces) : [],
      losses: tellLosses(head.losses, text),
    });
    if (head.backend === undefined) return;
    const { requestId } = head;
    const [more, account] = await Promise.all([
      explained(path, headers, body, head, own.signal),
      requestId === undefined ? undefined : accountOf(requestId, own.signal),
    ]);
    if (more !== undefined) change({ explained: more.explained, losses: tellLosses(head.losses, text, more.losses) });
    if (account !== undefined) change({ account });
  } catch (error) {
    change(
      own.signal.aborted
        ? { state: 'stopped' }
        : { state: 'failed', reason: error instanceof Error ? error.message : 'It failed.' },
    );
  }
}

/** What the backend that answered was sent; undefined = the gateway does not tell. Of several, another one may be drawn for the question. */
async function explained(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  head: Head,
  signal: AbortSignal,
): Promise<{ readonly explained: Explained; readonly losses: readonly unknown[] } | undefined> {
  const asked = { ...headers, 'x-interlingua-explain': 'true' };
  const answer = await ask(path, { method: 'POST', headers: asked, body, signal }).catch((error: unknown) => {
    if (error instanceof GatewayError) return undefined;
    throw error;
  });
  if (answer?.ok !== true) return undefined;
  const told = (await answer.json().catch(() => undefined)) as Readonly<Record<string, unknown>> | undefined;
  const [name = ''] = (head.backend ?? '').split(';');
  if (told === undefined || told.backend !== name) return undefined;
  const text = `${told.method} ${told.url}\n\n${JSON.stringify(told.headers, null, 2)}\n\n${JSON.stringify(told.body, null, 2)}`;
  const losses = Array.isArray(told.losses) ? told.losses : [];
  return { explained: { backend: name, text: text.slice(0, MOST_SHOWN) }, losses };
}
