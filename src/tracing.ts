import type { ClientCall } from './client-call.js';
import type { Target } from './target.js';

/** Tells an OpenTelemetry collector of exchanges, when the environment names one (`OTEL_*`). */
export interface Tracer {
  /** An exchange begins; what the client says about its own trace is continued. */
  begin(call: ClientCall): void;
  /** A backend is called: gives the headers by which it can join the trace, and the way to tell how the call ended. */
  called(call: Pick<ClientCall, 'trace'>, target: Target): CallTrace;
  /** An exchange ended. */
  ended(call: ClientCall): void;
  /** Sends what is still to be sent. */
  close(): Promise<void>;
}

export interface CallTrace {
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** `status` of the answer; undefined when there was none. */
  ended(call: ClientCall, status: number | undefined): void;
}

const NONE: CallTrace = { headers: undefined, ended: () => {} };

export function createTracer(
  _environment: Readonly<Record<string, string | undefined>>,
  _onError: (reason: string) => void,
): Tracer {
  return { begin: () => {}, called: () => NONE, ended: () => {}, close: async () => {} };
}
