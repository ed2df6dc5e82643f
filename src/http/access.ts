import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/index.js';
import { Failure } from '../ground/index.js';
import { credentials, findKey, noValidKey } from '../protocol/index.js';
import type { ClientCall } from './client-call.js';
import { isLocal } from './server.js';
import type { GatewayState } from './state.js';
import { isFromHere } from './web-pages.js';

/** Decides who may call. */
export interface Access {
  /** Throws a 401 that is always the same when none of the call's keys is valid; else notes whose key it is. */
  admit(call: ClientCall): void;
}

/**
 * Without keys everybody on this machine is admitted, whatever credential is sent, and others where that is wanted
 * (configuration.md#access). `isEqual` takes the same time for all digests.
 */
export function createAccess(
  { keys, open }: Pick<Config, 'keys' | 'open'>,
  state: Pick<GatewayState, 'insecure'>,
  isEqual: (one: Uint8Array, other: Uint8Array) => boolean = timingSafeEqual,
): Access {
  const known = keys.map((key) => ({ key, digest: Buffer.from(key.sha256, 'hex') }));
  if (known.length === 0) {
    return {
      admit(call) {
        if (!open && !state.insecure && !isLocal(call.request)) throw noValidKey(NO_KEYS);
      },
    };
  }
  return {
    admit(call) {
      const found = findKey(known, credentials(call.request.headers, call.query), digestOf, isEqual);
      if (found === undefined) throw noValidKey();
      call.key = found;
    },
  };
}

const NO_KEYS = 'no API keys are configured: only callers on the machine of the gateway are admitted';

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/**
 * Lets those pass who run the gateway, for what tells of all callers together: with `keys` a key with `operator: true`, without them who
 * calls from this machine itself (configuration.md#access). For calls that {@link Access.admit} and `refusePages` have let pass; throws
 * a 403. Where anybody may call, nobody can be told from those who come by a proxy on this machine.
 */
export function checkOperator(call: ClientCall, { keys, open }: Pick<Config, 'keys' | 'open'>): void {
  if (keys.length > 0) {
    if (call.key?.operator !== true) throw forbidden('this API key may not see what others do (keys[].operator)');
  } else if (open) {
    throw forbidden(
      'this gateway is open to everybody: what all callers do is shown where there are keys (keys[].operator)',
    );
  } else if (!isFromHere(call)) {
    throw forbidden('without keys this is shown on the machine of the gateway alone: configure keys (keys[].operator)');
  }
}

function forbidden(message: string): Failure {
  return new Failure({ kind: 'permission', message });
}
