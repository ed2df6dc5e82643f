import type { Logger, Redact } from '../ground/index.js';
import { type ClientCall, type Content, noteEnd, takeContent } from '../http/index.js';
import type { Usage } from '../usage/index.js';
import { reportContent, reportMade } from './content.js';
import type { Meter } from './metrics/meter.js';
import type { Observed } from './observed.js';
import type { Recorder } from './record/recorder.js';
import type { Tracer } from './tracing/tracer.js';

/** Reports an exchange that is over and settled to log, metrics and traces. */
export function reportExchange(
  gateway: Observed & {
    readonly logger: Logger;
    readonly meter: Pick<Meter, 'ended'>;
    readonly tracer: Pick<Tracer, 'ended'>;
    readonly recorder: Pick<Recorder, 'add'>;
    readonly usage: Pick<Usage, 'ended'>;
    readonly live: ExchangeWatch;
  },
  call: ClientCall,
): void {
  const { logger, meter, tracer, hide, recorder, usage, live, config } = gateway;
  noteEnd(call);
  noteWhole(call);
  if (logger.isLevelEnabled('info')) logger.info(lineOf(gateway, call), 'exchange');
  const content = takeContent(call.request);
  if (content !== undefined) {
    if (config.log.content) reportContent(logger, call, content, hide);
    recorder.add(call, content, hide);
  }
  live.add(call, content, hide);
  meter.ended(gateway, call);
  usage.ended(gateway, call);
  tracer.ended(call);
}

/** Who keeps exchanges for those who look. */
export interface ExchangeWatch {
  add(call: ClientCall, content: Content | undefined, hide: Redact): void;
  made(call: ClientCall): void;
}

/** The same for an answer that was made in the background: its own request was reported long before. */
export function reportMadeAnswer(
  gateway: Observed & {
    readonly logger: Logger;
    readonly meter: Pick<Meter, 'made'>;
    readonly usage: Pick<Usage, 'made'>;
    readonly live: Pick<ExchangeWatch, 'made'>;
  },
  call: ClientCall,
  made: MadeAnswer,
): void {
  const { logger, meter, usage, live, hide, config } = gateway;
  const { id, key, record } = call;
  noteEnd(call, record.error ?? (WELL.has(made.status) ? 'ok' : made.status));
  noteWhole(call);
  const ms = Math.round(record.ms ?? 0);
  const ended = { answer: made.id, outcome: record.outcome, ms };
  const line = { id, client: call.dialect, key: key?.name, ...factsOf(gateway, call), ...ended };
  logger.info(line, 'background answer');
  if (config.log.content) reportMade(logger, id, JSON.stringify(made.answer), hide);
  meter.made(gateway, call, made.status);
  usage.made(gateway, call);
  live.made(call);
}

export interface MadeAnswer {
  readonly id: string;
  /** As its dialect names how it ended. */
  readonly status: string;
  readonly answer: unknown;
}

/** How an answer ends that was not stopped, as its dialect names it. */
const WELL: ReadonlySet<string> = new Set(['completed', 'incomplete']);

/** A whole answer has its first token with its first byte. */
function noteWhole({ record: { facts } }: ClientCall): void {
  if (facts?.stream === false) facts.firstTokenMs ??= facts.firstByteMs;
}

/** One line per exchange: no keys, no content. */
function lineOf(gateway: Observed, call: ClientCall): Record<string, unknown> {
  const { record, request, route } = call;
  return {
    id: request.headers['x-request-id'] === call.id ? gateway.hide(call.id) : call.id,
    method: request.method,
    path: call.path === route ? route : gateway.hide(call.path.slice(0, 256)),
    client: call.dialect,
    key: call.key?.name,
    ...factsOf(gateway, call),
    status: record.status,
    outcome: record.outcome,
    ms: Math.round(record.ms ?? 0),
  };
}

/** The facts of a call. A name that the configuration does not have may be anything, even somebody's key. */
function factsOf({ targets, hide }: Observed, { record: { facts } }: ClientCall): object | undefined {
  if (facts === undefined) return undefined;
  const { model, target, answeredBy } = facts;
  const shown = { ...facts };
  if (answeredBy !== undefined) shown.answeredBy = hide(answeredBy);
  if (model === undefined || targets.nameOf(model) === model) return shown;
  shown.model = hide(model);
  if (target !== undefined) shown.target = hide(target);
  return shown;
}
