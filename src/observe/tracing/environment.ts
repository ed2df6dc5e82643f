/** What the environment wants of traces. */
export interface TracingWanted {
  readonly exporter: 'otlp' | 'console';
  /** Whether the W3C headers continue traces of clients and go on to backends. */
  readonly propagates: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the standard variables; undefined when no traces are wanted. `onError` hears of a wish that cannot be met: only
 * what is met is done.
 */
export function tracingWanted(environment: Environment, onError: (reason: string) => void): TracingWanted | undefined {
  const read = (name: string): string => (environment[name] ?? '').trim();
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return undefined;
  const exporter = read('OTEL_TRACES_EXPORTER');
  const named = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (exporter === 'none' || (exporter === '' && named === '')) return undefined;
  if (exporter !== '' && exporter !== 'otlp' && exporter !== 'console') {
    onError(`OTEL_TRACES_EXPORTER: there is otlp, console and none, not ${exporter.slice(0, 40)}`);
    return undefined;
  }
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || read('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (exporter !== 'console' && protocol !== '' && protocol !== 'http/json') {
    onError(`OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent as http/json, not ${protocol.slice(0, 40)}`);
  }
  const propagators = read('OTEL_PROPAGATORS') || 'tracecontext';
  const unknown = propagators.split(',').filter((name) => !KNOWN_PROPAGATORS.has(name.trim()));
  if (unknown.length > 0) {
    onError(`OTEL_PROPAGATORS: there is tracecontext and none, not ${unknown.join(', ').slice(0, 40)}`);
  }
  return {
    exporter: exporter === 'console' ? 'console' : 'otlp',
    propagates: propagators.split(',').some((name) => name.trim() === 'tracecontext'),
  };
}

/** Baggage is what clients say to each other: it goes nowhere. Naming it, as the default does, is no fault. */
const KNOWN_PROPAGATORS = new Set(['tracecontext', 'baggage', 'none']);
