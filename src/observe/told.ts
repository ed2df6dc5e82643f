import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { settleCall } from '../limits/admission.js';
import { tellContent, tellMade } from './content.js';
import { settleAnswer } from './record.js';

/** Tells log, metrics and traces of an exchange that is over, and gives back its place within the limits of its key. */
export function tellExchange(gateway: Gateway, call: ClientCall): void {
  const { logger, meter, tracer, hide } = gateway;
  settle(call);
  if (logger.isLevelEnabled('info')) logger.info(lineOf(gateway, call), 'exchange');
  tellContent(logger, call, hide);
  meter.ended(gateway, call);
  tracer.ended(call);
}

/** The same for an answer that was made in the background: its own request was told long before. */
export function tellMadeAnswer(gateway: Gateway, call: ClientCall, made: MadeAnswer): void {
  const { logger, meter, hide, config } = gateway;
  settle(call);
  const { id, key, record, startedAt } = call;
  const outcome = record.error ?? made.status;
  const ms = Math.round(performance.now() - startedAt);
  const line = { id, client: call.dialect, key: key?.name, answer: made.id, ...factsOf(gateway, call), outcome, ms };
  logger.info(line, 'background answer');
  if (config.log.content) tellMade(logger, id, JSON.stringify(made.answer), hide);
  meter.made(gateway, call, made.status);
}

export interface MadeAnswer {
  readonly id: string;
  /** As its dialect names how it ended. */
  readonly status: string;
  readonly answer: unknown;
}

/** Reads what is still to be read of an answer, charges its tokens, and gives its place back. */
function settle(call: ClientCall): void {
  settleAnswer(call);
  const { facts } = call.record;
  if (facts?.stream === false) facts.firstTokenMs ??= facts.firstByteMs;
  settleCall(call);
}

/** One line per exchange: no keys, no content. */
function lineOf(gateway: Gateway, call: ClientCall): Record<string, unknown> {
  const { record, gone, response, request, route } = call;
  return {
    id: request.headers['x-request-id'] === call.id ? gateway.hide(call.id) : call.id,
    method: request.method,
    path: call.path === route ? route : gateway.hide(call.path.slice(0, 256)),
    client: call.dialect,
    key: call.key?.name,
    ...factsOf(gateway, call),
    // Without a head the client was told nothing.
    status: response.headersSent ? response.statusCode : undefined,
    outcome: gone ? 'client_closed' : (record.error ?? 'ok'),
    ms: Math.round(performance.now() - call.startedAt),
  };
}

/** The facts of a call. A name that the configuration does not have may be anything, even somebody's key. */
function factsOf({ targets, hide }: Gateway, { record: { facts } }: ClientCall): object | undefined {
  if (facts === undefined) return undefined;
  const { model, target, answeredBy } = facts;
  const foreign = model !== undefined && targets.nameOf(model) !== model;
  return {
    ...facts,
    ...(foreign && { model: hide(model) }),
    ...(foreign && target !== undefined && { target: hide(target) }),
    ...(answeredBy !== undefined && { answeredBy: hide(answeredBy) }),
  };
}
