import type { Config } from '../config/index.js';
import { Failure } from '../ground/index.js';
import type { ClientCall } from './client-call.js';

/** How many places everybody holds of what all share, by name. Names without any take no memory. */
export interface HeldPlaces {
  held(name: string): number;
  take(name: string): void;
  free(name: string): void;
}

export function createHeldPlaces(): HeldPlaces {
  const places = new Map<string, number>();
  const held = (name: string): number => places.get(name) ?? 0;
  return {
    held,
    take(name) {
      places.set(name, held(name) + 1);
    },
    free(name) {
      const left = held(name) - 1;
      if (left > 0) places.set(name, left);
      else places.delete(name);
    },
  };
}

/** Whether places are shared out: with several keys none may hold more than half, so that the others find room at any time. */
function isShared({ keys }: Pick<Config, 'keys'>): boolean {
  return keys.length > 1;
}

/** The name of a call's key, where it shares with others. */
export function sharerOf(config: Pick<Config, 'keys'>, { key }: Pick<ClientCall, 'key'>): string | undefined {
  return isShared(config) ? key?.name : undefined;
}

/** As much of so many places as one of several keys may hold. */
export function shareOfKey(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}

/** Throws 503 when a key holds its share of so many places; `bound` names them as the configuration does. */
export function checkShare(config: Pick<Config, 'keys'>, held: number, places: number, bound: string): void {
  if (!isShared(config) || held < shareOfKey(places)) return;
  const message = `this API key has reached its share of what all keys may hold at once (${bound}: ${places})`;
  throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 });
}
