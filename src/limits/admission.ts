import { dialects } from '../../translators/index.js';
import type { KeyConfig } from '../config/index.js';
import { clientGone, Failure } from '../ground/index.js';
import { type Admission, type ClientCall, type Counted, settleAnswer } from '../http/index.js';
import type { Admitted, Limiter, Refused } from './limiter.js';
import { tokensOf } from './tokens.js';

/** What the admission of calls needs of the gateway. */
export interface AdmissionServices {
  readonly limiter: Limiter;
  readonly meter: { limited(key: string, limit: Refused['refused']): void };
}

/**
 * Takes a place within the limits of the caller's key; undefined where there are none. Rejects with a Failure (429 with
 * `retry-after`) when the key is over one of them.
 */
export function admitCall(gateway: AdmissionServices, call: ClientCall, counted: Counted): Promise<void> | undefined {
  const { key } = call;
  return key === undefined
    ? undefined
    : gateway.limiter.admit(key, counted === 'read')?.then((decision) => {
        if (decision.refused !== undefined) {
          gateway.meter.limited(key.name, decision.refused);
          throw overLimit(call, key, decision);
        }
        if (call.gone) {
          // Its end was reported while it waited.
          decision.end();
          throw clientGone();
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
  return new Failure({ kind: 'rate_limit', message, retryAfterMs, exhausted: used }, { headers });
}

const LIMITS = {
  requests: ({ requestsPerMinute }) => `${requestsPerMinute} requests per minute`,
  tokens: ({ tokensPerMinute }) => `${tokensPerMinute} tokens per minute`,
  concurrency: ({ concurrency }) => `${concurrency} requests at the same time`,
} satisfies Record<Refused['refused'], (key: KeyConfig) => string>;

/** Reads what is still to be read of the answer to a call that is over, charges its tokens, and gives its place back. */
export function settleCall(call: ClientCall): void {
  settleAnswer(call);
  call.admission?.settle(tokensOf(call));
}
