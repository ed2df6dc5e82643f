import type { LiveExchange, LiveLosses, LiveText } from '../../src/live/plain/index.js';

/** `1.2 s`, `340 ms`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `1,234`, `12.3k`, `4.56M`. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString('en');
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

/** `12,345 bytes, cut`: how much was said. */
export function sizeText({ bytes, cut }: LiveText): string {
  return `${bytes.toLocaleString('en')} bytes${cut === true ? ', cut' : ''}`;
}

/** `$0.0042`: three digits that say something. */
export function costText(usd: number): string {
  if (usd === 0) return '$0';
  return usd >= 1 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(3)).toFixed(12).replace(/0+$/, '')}`;
}

/** How an exchange ended: its word, and whether that is good. */
export function outcomeOf({ status, outcome, cut }: LiveExchange): { readonly words: string; readonly good: boolean } {
  const code = status === undefined ? 'no answer' : String(status);
  if (outcome === 'ok') return { words: code, good: true };
  const why = outcome === 'client_closed' ? 'aborted by its client' : outcome.replaceAll('_', ' ');
  return { words: `${code}, ${cut === true ? `cut: ${why}` : why}`, good: false };
}

/** What happened on the way, each in a word or two. */
export function eventsOf({ retried = 0, passed = 0, losses }: LiveExchange): readonly string[] {
  return [
    ...(retried > 0 ? [retried === 1 ? 'retried' : `retried ${retried} times`] : []),
    ...(passed > 0 ? [passed === 1 ? 'fell back' : `fell back ${passed} times`] : []),
    ...(losses === undefined ? [] : lossWords(losses)),
  ];
}

/** `2 losses, 1 small`. */
function lossWords({ counted, minor }: LiveLosses): readonly string[] {
  if (counted === 0) return minor === 0 ? [] : [`${minor} small`];
  return [`${counted} ${counted === 1 ? 'loss' : 'losses'}${minor > 0 ? `, ${minor} small` : ''}`];
}

/** What became of a call that did not serve. */
export const NEXT = { again: 'asked again', elsewhere: 'the next target was asked' } as const;

/** Why a call did not serve, in words. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason;
}

const REASONS: Readonly<Record<string, string>> = {
  refused: 'refused the request',
  credentials: "refused the gateway's key",
  unreachable: 'could not be reached',
  breaker: 'was kept out after failures',
  queue: 'had no free place',
};
