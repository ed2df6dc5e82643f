import type { Target } from '../../config/index.js';
import type { CallRecord, ClientCall } from '../../http/index.js';

/** Tells an OpenTelemetry collector of exchanges, when the environment names one (`OTEL_*`). */
export interface Tracer {
  /** An exchange begins; what the client says about its own trace is continued. */
  begin(call: ClientCall): void;
  /** A backend is called: gives the headers by which it can join the trace, and the way to tell how the call ended. */
  called(call: Pick<ClientCall, 'trace' | 'record'>, target: CalledTarget): CallTrace;
  /** An exchange ended. */
  ended(call: ClientCall): void;
  /** Sends what is still to be sent, for a bounded time. */
  close(): Promise<void>;
}

export type CalledTarget = Pick<Target, 'backend' | 'model'>;

export interface CallTrace {
  readonly headers: Readonly<Record<string, string>> | undefined;
  /**
   * The call is over. `status` of its answer; undefined when there was none. What the answer reports is read from the record
   * of the call once it is noted there: shortly afterwards, or when the exchange ended or calls again.
   */
  ended(call: { readonly record: CallRecord }, status: number | undefined): void;
}
