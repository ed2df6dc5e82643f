import type { ClientCall } from './client-call.js';
import type { Gateway } from './gateway.js';

/** Why a target was passed over. */
export type PassReason = 'unreachable' | 'breaker' | 'queue' | 'credentials' | 'refused';

/** Counts what happens, in the format of Prometheus. */
export interface Meter {
  /** A target did not serve, and another was to be tried or told. */
  passed(backend: string, reason: PassReason): void;
  /** A caller was over a limit of its key. */
  limited(key: string, limit: 'requests' | 'tokens' | 'concurrency'): void;
  /** An exchange ended, or an answer that was made in the background. */
  ended(call: ClientCall): void;
  /** Everything counted, of all processes that share the port. */
  render(gateway: Gateway): Promise<{ readonly type: string; readonly text: string }>;
}

export function createMeter(): Meter {
  return {
    passed: () => {},
    limited: () => {},
    ended: () => {},
    render: async () => ({ type: 'text/plain', text: '' }),
  };
}
