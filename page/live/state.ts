import { batch, computed, signal } from '@preact/signals';
import {
  filterFault,
  fits,
  type LiveExchange,
  type LiveFilter,
  MOST_KEPT,
  readFilter,
} from '../../src/live/plain/index.js';
import { address } from '../frame/address.js';
import { search } from '../frame/search.js';
import { checkLooking, GatewayError, type GatewayEvent, hearEvents } from '../gateway.js';

/** How it stands with the stream of exchanges. */
export type Connection =
  | { readonly kind: 'connecting' | 'live' }
  /** It broke, and is tried again. */
  | { readonly kind: 'lost'; readonly message: string }
  /** The gateway does not show it: for want of a right, or since it keeps nothing. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

export const connection = signal<Connection>({ kind: 'connecting' });

/** The exchanges that are shown, the newest first and as many as the gateway keeps, and those that came since they were paused. */
export const exchanges = signal<readonly LiveExchange[]>([]);
export const waiting = signal<readonly LiveExchange[]>([]);
export const paused = signal(false);
/** How many ended while nobody looked, and are not kept any more. */
export const missed = signal(0);
/** The numbers of the rows that are open. */
export const opened = signal<ReadonlySet<number>>(new Set());

/** Why the filter of the address can fit nothing. */
export const fault = computed(() => filterFault(address.value.query));

/** What is shown of them, by the filter in the address and the search field. */
export const shown = computed<readonly LiveExchange[]>(() => {
  const filter: LiveFilter | undefined = fault.value === undefined ? readFilter(address.value.query) : undefined;
  const wanted = search.value.trim().toLowerCase();
  return exchanges.value.filter(
    (one) => (filter === undefined || fits(filter, one)) && (wanted === '' || wordsOf(one).includes(wanted)),
  );
});

function wordsOf({ id, key, client, route, asked, answered }: LiveExchange): string {
  const words = [id, key, client, route, asked.model, answered?.backend, answered?.target, answered?.model];
  return words.join(' ').toLowerCase();
}

/** Holds back what comes, or shows what was held back. */
export function pause(on: boolean): void {
  batch(() => {
    paused.value = on;
    if (on) return;
    exchanges.value = [...waiting.value, ...exchanges.value].slice(0, MOST_KEPT);
    waiting.value = [];
  });
}

/** Opens or closes the row of an exchange. */
export function toggle(n: number): void {
  const next = new Set(opened.value);
  if (!next.delete(n)) next.add(n);
  opened.value = next;
}

/** The id of the last event, and the run of the gateway that it belongs to. */
let last = '';

/** First and longest pause, in ms, before a lost stream is asked for again. */
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Follows the gateway until the signal ends it or the gateway refuses. With another key it begins anew: what was shown was for the one
 * before.
 */
export async function follow(signal: AbortSignal): Promise<void> {
  begin();
  for (let ms = PAUSE_MS; !signal.aborted; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    try {
      checkLooking();
      await hearEvents('/live', hear, signal, {
        after: last,
        opened() {
          ms = PAUSE_MS;
          connection.value = { kind: 'live' };
        },
      });
      // The gateway was reloaded or stops.
      if (!signal.aborted) connection.value = { kind: 'lost', message: 'The gateway ended the connection.' };
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof GatewayError && REFUSALS.has(error.status)) {
        const { status, message } = error;
        begin();
        connection.value = { kind: 'refused', status, message };
        return;
      }
      const message = error instanceof GatewayError ? error.message : 'The connection to the gateway broke.';
      connection.value = { kind: 'lost', message };
    }
    await pauseFor(ms, signal);
  }
}

/** Statuses that another try would not change. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

function begin(): void {
  last = '';
  batch(() => {
    connection.value = { kind: 'connecting' };
    forget();
  });
}

function forget(): void {
  exchanges.value = [];
  waiting.value = [];
  opened.value = new Set();
  missed.value = 0;
}

/** What came since the page was last drawn. */
let fresh: LiveExchange[] = [];

function hear({ id, name, data }: GatewayEvent): void {
  if (name === 'missed') missed.value += Number(data);
  if (name !== 'exchange') return;
  // The numbers of another run of the gateway say nothing about these.
  if (last !== '' && runOf(last) !== runOf(id)) {
    fresh = [];
    forget();
  }
  last = id;
  if (fresh.length === 0) setTimeout(show, DRAWN_MS);
  fresh.push(JSON.parse(data) as LiveExchange);
}

/** How long, in ms, exchanges wait for others before they are drawn together. */
const DRAWN_MS = 60;

function show(): void {
  const place = paused.value ? waiting : exchanges;
  place.value = [...fresh.reverse(), ...place.value].slice(0, MOST_KEPT);
  fresh = [];
}

function runOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
