import { clientGone, Failure, MB } from '../ground/index.js';
import type { ClientCall } from './client-call.js';

/** Bytes that the open requests of each key hold of bodies that came compressed, by the key's name. */
export type Inflated = Map<string, number>;

/**
 * Counts what a request decompresses towards its key until the request is over: a few hundred bytes may hold a hundred
 * thousand times as many. Throws Failure (503) above `mostMb`, and `cancelled` when nobody waits any more.
 */
export function countInflated(inflated: Inflated, call: ClientCall, mostMb: number): (bytes: number) => void {
  const holder = call.key?.name ?? '';
  let held = 0;
  call.response.once('close', () => {
    const left = (inflated.get(holder) ?? 0) - held;
    if (left > 0) inflated.set(holder, left);
    else inflated.delete(holder);
  });
  return (bytes) => {
    if (call.gone) throw clientGone();
    const together = (inflated.get(holder) ?? 0) + bytes;
    if (together > mostMb * MB) throw tooMuch(mostMb);
    inflated.set(holder, together);
    held += bytes;
  };
}

function tooMuch(mostMb: number): Failure {
  const message = `the decompressed bodies of the open requests of this API key are too large together (limits.inflateMb: ${mostMb})`;
  return new Failure(
    { kind: 'overloaded', status: 503, message, retryAfterMs: 1000 },
    { headers: { connection: 'close' } },
  );
}
