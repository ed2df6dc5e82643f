import { missingFor, type Redact } from '../../ground/index.js';
import { tracingWanted } from './environment.js';
import { loadTracer } from './spans.js';
import type { CallTrace, Tracer } from './tracer.js';

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
