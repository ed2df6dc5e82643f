import type { LiveDetail, LiveExchange, LiveText } from '../../../src/live/plain/index.js';
import { GatewayError, getJson } from '../../gateway.js';
import { laidOut } from './laid-out.js';

/** What the gateway itself knows of an exchange that is over; what was said where the gateway keeps that (`live.bodies`). */
export type Account = Pick<LiveDetail, 'exchange' | 'backendRequest' | 'backendAnswer'>;

/** So often the gateway is asked, with a pause in ms between: it closes an exchange a moment after its last byte. */
const TIMES = 5;
const PAUSE_MS = 200;

/** The gateway's account of the request with an id; undefined = it keeps none, or not for the typed key (http.md#live). */
export async function accountOf(id: string, signal: AbortSignal): Promise<Account | undefined> {
  try {
    for (let left = TIMES; left > 0 && !signal.aborted; left -= 1) {
      const found = (await getJson(`/live?id=${encodeURIComponent(id)}`, { signal })) as {
        readonly exchanges: readonly LiveExchange[];
      };
      const exchange = found.exchanges.at(-1);
      if (exchange === undefined) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        continue;
      }
      if (exchange.bodies !== true) return { exchange };
      const { backendRequest, backendAnswer } = (await getJson(`/live/${exchange.n}`, { signal })) as LiveDetail;
      return {
        exchange,
        ...(backendRequest && { backendRequest: inLines(backendRequest) }),
        ...(backendAnswer && { backendAnswer: inLines(backendAnswer) }),
      };
    }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
  return undefined;
}

const inLines = (said: LiveText): LiveText => ({ ...said, text: laidOut(said.text) });
