import type { Target } from '../../config/index.js';
import { missingFor, type Redact } from '../../ground/index.js';
import type { CallRecord, ClientCall } from '../../http/index.js';
import { tracingWanted } from './environment.js';
import { loadTracer } from './spans.js';

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

const NONE: CallTrace = { headers: undefined, ended: () => {} };

/** The trace of a client, as W3C Trace Context names it. */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

/** Writes no traces: the log names the client's own. */
const OFF: Tracer = {
  begin({ request, record }) {
    const { traceparent } = request.headers;
    const [, traceId] = typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent) ?? []) : [];
    if (traceId !== undefined && record.facts !== undefined) record.facts.traceId = traceId;
  },
  called: () => NONE,
  ended: () => {},
  close: async () => {},
};

/**
 * Every text in a trace goes through `clean`. `onError` hears what is wrong with the environment, and at most once a minute that
 * traces cannot be sent.
 */
export function createTracer(
  environment: Readonly<Record<string, string | undefined>>,
  clean: Redact,
  onError: (reason: string) => void,
): Tracer {
  const wanted = tracingWanted(environment, onError);
  if (wanted === undefined) return OFF;
  const missing = missingFor('traces');
  if (missing === undefined) return loadTracer(wanted, NONE, clean, onError);
  onError(missing);
  return OFF;
}
