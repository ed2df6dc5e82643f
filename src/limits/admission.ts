import { dialects } from '../../translators/index.js';
import type { KeyConfig } from '../config.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure } from '../http/failure.js';
import type { Admitted, Refused } from '../limits.js';
import { tokensOf } from './tokens.js';

/**
 * What a request is for the limits of its caller's key: a POST whose tokens are told by the answer alone; a conversation,
 * whose tokens are estimated when nobody tells them; or one that reads what is stored, which costs no tokens.
 */
export type Counted = 'request' | 'conversation' | 'read';

/** A call's place within the limits of its key. */
export interface Admission {
  /** The key's own limits as they were when the request came, in the words of the client's dialect. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counted: Counted;
  /** What was sent to the model as text, once that is known; or how many tokens that is about. */
  asked?: string | number;
  /** Who holds it from now on ends it; the one it was taken from has nothing to end. */
  handOver(): Admission;
  /** Counts tokens, and gives the place back. Repeated calls do nothing. */
  settle(tokens: number): void;
}

/**
 * Takes a place within the limits of the caller's key; undefined where there are none. Rejects with a Failure (429 with
 * `retry-after`) when the key is over one of them.
 */
export function admitCall(gateway: Gateway, call: ClientCall, counted: Counted): Promise<void> | undefined {
  const { key } = call;
  return key === undefined
    ? undefined
    : gateway.limiter.admit(key, counted === 'read')?.then((decision) => {
        if (decision.refused !== undefined) {
          gateway.meter.limited(key.name, decision.refused);
          throw overLimit(call, key, decision);
        }
        if (call.gone) {
          // Its end was told while it waited.
          decision.end();
          throw new Failure({ kind: 'cancelled', message: 'the client went away' });
        }
        const headers = dialects[call.dialect].encodeLimits(decision.limits, Date.now());
        call.admission = createAdmission(decision, headers, counted);
      });
}

function createAdmission(admitted: Admitted, headers: Admission['headers'], counted: Counted): Admission {
  let held: Admitted | undefined = admitted;
  return {
    headers,
    counted,
    handOver() {
      held = undefined;
      return createAdmission(admitted, headers, counted);
    },
    settle(tokens) {
      held?.charge(tokens);
      held?.end();
      held = undefined;
    },
  };
}

function overLimit(call: ClientCall, key: KeyConfig, { refused, retryAfterMs, limits }: Refused): Failure {
  const message = `this API key is over its limit of ${LIMITS[refused](key)}`;
  const headers = dialects[call.dialect].encodeLimits(limits, Date.now());
  const used = refused === 'concurrency' ? [] : [{ what: refused, limit: limits[refused]?.limit }];
  return new Failure({ kind: 'rate_limit', message, retryAfterMs, usedUp: used }, { headers });
}

const LIMITS = {
  requests: ({ requestsPerMinute }) => `${requestsPerMinute} requests per minute`,
  tokens: ({ tokensPerMinute }) => `${tokensPerMinute} tokens per minute`,
  concurrency: ({ concurrency }) => `${concurrency} requests at the same time`,
} satisfies Record<Refused['refused'], (key: KeyConfig) => string>;

/** Charges a call that is over, and gives its place back. */
export function settleCall(call: ClientCall): void {
  call.admission?.settle(tokensOf(call));
}
