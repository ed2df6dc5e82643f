import type { Attributes, Context, Span } from '@opentelemetry/api';
import { gatewayDialect } from '../../dialects/index.js';
import type { Redact } from '../../ground/index.js';
import { type CallRecord, type ClientCall, credible } from '../../http/index.js';
import type { TracingWanted } from './environment.js';
import { providerName } from './provider-name.js';
import { loadSdk } from './sdk.js';
import type { CalledTarget, CallTrace, Tracer } from './tracer.js';

/** A part of a trace, from which calls to backends branch off. */
interface Trace {
  readonly span: Span;
  readonly context: Context;
  /** Ends the span of the call whose answer is over and was not read yet. */
  pending?: (() => void) | undefined;
  over?: true;
}

/** A tracer for an environment that wants one. `untraced` is for calls that belong to no exchange. */
export function loadTracer(
  wanted: TracingWanted,
  untraced: CallTrace,
  clean: Redact,
  onError: (reason: string) => void,
): Tracer {
  const { api, tracer, extract, inject, close } = loadSdk(wanted, onError);
  const { SpanKind, SpanStatusCode, trace } = api;
  /** Names of models and ids come from clients and backends: they may be anything. */
  const cleaned = (attributes: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]),
    );
  return {
    begin(call) {
      const { request } = call;
      const before = extract(request.headers);
      const span = tracer.startSpan(
        [request.method, call.route].filter(Boolean).join(' '),
        { kind: SpanKind.SERVER, attributes: cleaned(requestAttributes(call)) },
        before,
      );
      call.trace = { span, context: trace.setSpan(before, span) } satisfies Trace;
      if (call.record.facts !== undefined) call.record.facts.traceId = span.spanContext().traceId;
    },
    called(call, target) {
      const parent = call.trace as Trace | undefined;
      if (parent === undefined) return untraced;
      // What is noted from now on is of the next answer.
      parent.pending?.();
      const operation = gatewayDialect(target.backend.dialect).service.operation;
      const span = tracer.startSpan(
        clean(`${operation} ${target.model}`),
        { kind: SpanKind.CLIENT, attributes: cleaned(targetAttributes(operation, target, call.record)) },
        parent.context,
      );
      return {
        headers: inject(trace.setSpan(parent.context, span)),
        ended({ record }, status) {
          const at = Date.now();
          const end = (): void => {
            if (parent.pending === end) parent.pending = undefined;
            span.setAttributes(cleaned(answerAttributes(record, status)));
            if (status === undefined || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end(at);
          };
          parent.pending?.();
          parent.pending = end;
          // A whole answer may wait for a later turn in which it is read, and noted.
          setImmediate(() => {
            if (parent.pending === end && (parent.over || !isAwaited(record, status))) end();
          });
        },
      };
    },
    ended(call) {
      const begun = call.trace as Trace | undefined;
      if (begun === undefined) return;
      const { span } = begun;
      begun.over = true;
      begun.pending?.();
      span.setAttributes(cleaned(exchangeAttributes(call)));
      if (call.response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    close,
  };
}

function requestAttributes({ request, path, route, dialect, id }: ClientCall): Attributes {
  return {
    'http.request.method': request.method,
    'url.scheme': 'http',
    'url.path': path.slice(0, 256),
    'http.route': route,
    'network.protocol.version': request.httpVersion,
    'interlingua.client.dialect': dialect,
    'interlingua.request.id': id,
  };
}

function exchangeAttributes(call: ClientCall): Attributes {
  const { record, key } = call;
  const { facts, status, outcome } = record;
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(outcome !== 'ok' && { 'error.type': outcome }),
    'interlingua.outcome': outcome,
    'interlingua.key.name': key?.name,
    'interlingua.backend': facts?.backend,
    'interlingua.model': facts?.model,
    'interlingua.losses': facts?.losses,
    'interlingua.lost': facts?.lost?.split(' '),
    'interlingua.passed_targets': facts?.passed,
  };
}

function targetAttributes(operation: string, { backend, model }: CalledTarget, { facts }: CallRecord): Attributes {
  const url = backend.baseUrl === undefined ? undefined : new URL(backend.baseUrl);
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerName(backend),
    'gen_ai.request.model': model,
    'gen_ai.request.stream': facts?.stream,
    'server.address': url?.hostname,
    'server.port': url === undefined ? undefined : Number(url.port || PORTS[url.protocol]),
    'interlingua.backend': backend.name,
    'interlingua.backend.dialect': backend.dialect,
  };
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether an answer was a success and nothing of it is noted yet. */
function isAwaited({ soFar, reported }: CallRecord, status: number | undefined): boolean {
  return status !== undefined && status < 400 && soFar === undefined && reported === undefined;
}

/** Only a success tells of an answer: what the record holds beside a refusal is of another call. */
function answerAttributes(record: CallRecord, status: number | undefined): Attributes {
  if (status === undefined) return { 'error.type': 'no_answer' };
  const head = { 'http.response.status_code': status };
  if (status >= 400) return { ...head, 'error.type': String(status) };
  const { id, model, finish, input, output } = credible(record.soFar?.() ?? record.reported ?? {});
  return {
    ...head,
    'gen_ai.response.id': id,
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
  };
}
