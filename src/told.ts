import type { ClientCall } from './client-call.js';
import type { Gateway } from './gateway.js';

/** Tells log, metrics and traces of an exchange that is over, and gives back its place within the limits of its key. */
export function tellExchange({ logger, meter, tracer }: Gateway, call: ClientCall): void {
  const { admission, record } = call;
  const { inputTokens, outputTokens } = record.facts ?? {};
  admission?.charge((inputTokens ?? 0) + (outputTokens ?? 0));
  admission?.end();
  logger.info(lineOf(call), 'exchange');
  meter.ended(call);
  tracer.ended(call);
}

/** One line per exchange: no keys, no content. */
export function lineOf(call: ClientCall): Record<string, unknown> {
  const { record, gone, response } = call;
  return {
    id: call.id,
    method: call.request.method,
    path: call.path.slice(0, 256),
    client: call.dialect,
    key: call.key?.name,
    ...record.facts,
    status: response.statusCode,
    outcome: gone ? 'client_closed' : (record.error ?? 'ok'),
    ms: Math.round(performance.now() - call.startedAt),
  };
}
