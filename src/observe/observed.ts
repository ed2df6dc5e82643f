import type { Config, Targets } from '../config/index.js';
import type { Redact } from '../ground/index.js';
import type { GatewayState } from '../http/index.js';

/** What the words of a report depend on: names that the configuration has may be shown, others may be anything. */
export interface Observed {
  readonly config: Pick<Config, 'backends' | 'log'>;
  readonly targets: Pick<Targets, 'nameOf'>;
  /** Takes secrets out of a text for the log. */
  readonly hide: Redact;
}

/** What gauges read when somebody asks. */
export interface Gauged {
  readonly state: Pick<GatewayState, 'open'>;
  readonly jobs: { readonly size: number };
  readonly backends: { readonly held: ReadonlyMap<string, { readonly backend: { status(): BackendStatus } }> };
}

/** The status of a backend. */
export interface BackendStatus {
  /** Calls whose answer has not ended. */
  readonly running: number;
  readonly waiting: number;
  readonly breaker: 'closed' | 'half-open' | 'open';
}
