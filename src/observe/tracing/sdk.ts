import { createRequire } from 'node:module';
import type { Context, Tracer } from '@opentelemetry/api';
import type { BatchSpanProcessor, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { VERSION } from '../../ground/index.js';
import type { TracingWanted } from './environment.js';

/** The parts of OpenTelemetry that are used, loaded only when traces are wanted. */
export interface Sdk {
  readonly api: typeof import('@opentelemetry/api');
  readonly tracer: Tracer;
  /** The trace that headers name. */
  extract(headers: Readonly<Record<string, unknown>>): Context;
  /** Headers that name a trace. */
  inject(context: Context): Record<string, string>;
  close(): Promise<void>;
}

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/**
 * How long, in ms, traces may take to be sent, repeats included, unless the environment says otherwise; and the last ones
 * in any case. The exporter cannot be stopped: a process that ends waits for it.
 */
const SEND_MS = 3000;
const MINUTE_MS = 60_000;

/** Sets up what the environment says. Loading takes tens of milliseconds, so that who wants no traces does not load it. */
export function loadSdk({ exporter, propagates }: TracingWanted, onError: (reason: string) => void): Sdk {
  const load = createRequire(import.meta.url);
  const api = load('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const sdk = load('@opentelemetry/sdk-trace-base') as typeof import('@opentelemetry/sdk-trace-base');
  const core = load('@opentelemetry/core') as typeof import('@opentelemetry/core');
  const resources = load('@opentelemetry/resources') as typeof import('@opentelemetry/resources');

  const warn = limited(onError);
  // What is wrong with the environment is reported while it is read, and then no more.
  const ignore = (): void => {};
  const logger = { error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore };
  api.diag.setLogger(logger, { suppressOverrideMessage: true });
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': 'interlingua', 'service.version': VERSION }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const processor: BatchSpanProcessor = new sdk.BatchSpanProcessor(
    quiet(exporter === 'console' ? consoleExporter(sdk) : otlpExporter(load), warn),
  );
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [processor] });
  api.diag.disable();
  const propagator = new core.W3CTraceContextPropagator();
  const setter = {
    set(carrier: Record<string, string>, name: string, value: string) {
      carrier[name] = value;
    },
  };
  const getter = {
    keys: Object.keys,
    get: (carrier: Readonly<Record<string, unknown>>, name: string) => {
      const value = carrier[name];
      return typeof value === 'string' ? value : undefined;
    },
  };
  return {
    api,
    tracer: provider.getTracer('interlingua', VERSION),
    extract: (headers) => (propagates ? propagator.extract(api.ROOT_CONTEXT, headers, getter) : api.ROOT_CONTEXT),
    inject(context) {
      const headers: Record<string, string> = {};
      if (propagates) propagator.inject(context, headers, setter);
      return headers;
    },
    close: () => withinTime(provider.shutdown()),
  };
}

function otlpExporter(load: NodeJS.Require): SpanExporter {
  const { OTLPTraceExporter } = load(
    '@opentelemetry/exporter-trace-otlp-http',
  ) as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const said = process.env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  return new OTLPTraceExporter(said === undefined ? { timeoutMillis: SEND_MS } : {});
}

function consoleExporter(sdk: typeof import('@opentelemetry/sdk-trace-base')): SpanExporter {
  return new sdk.ConsoleSpanExporter();
}

/** Traces that cannot be sent are given up: that costs nothing but a warning. */
function quiet(exporter: SpanExporter, warn: (reason: string) => void): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result: ExportResult) => {
        if (result.error !== undefined) warn(result.error.message || result.error.name);
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Passes on at most one reason per minute. */
function limited(onError: (reason: string) => void): (reason: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (reason) => {
    const now = performance.now();
    if (now - last < MINUTE_MS) return;
    last = now;
    onError(reason);
  };
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SEND_MS);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
