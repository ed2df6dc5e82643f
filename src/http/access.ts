import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config, KeyConfig } from '../config/index.js';
import { Failure, matchesName } from '../ground/index.js';
import { credentials } from '../protocol/index.js';
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
        if (!open && !state.insecure && !isLocal(call.request)) throw refusal(NO_KEYS);
      },
    };
  }
  return {
    admit(call) {
      let found: KeyConfig | undefined;
      for (const sent of credentials(call.request.headers, call.query)) {
        const digest = createHash('sha256').update(sent).digest();
        // Every key is compared, also after a match: the time taken must not tell which one it was.
        for (const { key, digest: expected } of known) {
          if (isEqual(digest, expected)) found ??= key;
        }
      }
      if (found === undefined) throw refusal();
      call.key = found;
    },
  };
}

const NO_KEYS = 'no API keys are configured: only callers on the machine of the gateway are admitted';

function refusal(message = 'a valid API key is required'): Failure {
  return new Failure({ kind: 'authentication', message }, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Throws 403 when the caller's key does not permit the model. */
export function checkModel(key: KeyConfig | undefined, model: string): void {
  if (mayUse(key, model)) return;
  throw new Failure({ kind: 'permission', message: 'this API key may not use this model', path: '/model' });
}

/** Whether a key permits a model. Without a list it permits all. */
export function mayUse(key: KeyConfig | undefined, model: string): boolean {
  return key?.models === undefined || key.models.some((pattern) => matchesName(pattern, model));
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
