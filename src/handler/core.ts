/** `interlingua/handler/core`: `createHandler` for the dialects that are handed over, and no others. */
import type { CallerDialect, DialectId, ServiceDialect } from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import { makeHandler, type WebHandler } from './create-handler.js';
import { fault } from './faults.js';
import type { CommonHandlerOptions } from './options.js';

export type { CallerDialect, ServiceDialect } from '../../translators/index.js';
export type { WebHandler } from './create-handler.js';
export type { CommonHandlerOptions, HandlerBackend, HandlerKey, HandlerRecord, HandlerTarget } from './options.js';

/** What `createHandler` of parts needs to know. */
export interface CoreHandlerOptions extends CommonHandlerOptions {
  /** What the clients speak: `fromMessages` of interlingua/fetch/messages and the like; nothing of `to`. */
  readonly from: readonly CallerDialect<DialectId>[];
  /** What the backends speak: `toResponses` of interlingua/fetch/responses and the like. */
  readonly to: readonly ServiceDialect<DialectId>[];
}

/**
 * A handler as `createHandler` of interlingua/handler makes it, for clients of the dialects `from` and backends of the dialects `to`. A call
 * of another dialect is answered 404, with the reason. Throws TypeError for an option that cannot be meant.
 */
export function createHandler(options: CoreHandlerOptions): WebHandler {
  const { from, to } = isObject(options) ? (options as CoreHandlerOptions) : { from: undefined, to: undefined };
  const isClient = (one: unknown): boolean => isObject(one) && typeof one.decodeRequest === 'function';
  const isService = (one: unknown): boolean => isObject(one) && typeof one.encodeRequest === 'function';
  const [first, ...others] = Array.isArray(from) ? from : [];
  if (first === undefined || ![first, ...others].every(isClient))
    throw fault('from', 'must hold dialects, such as fromMessages');
  const [service, ...more] = Array.isArray(to) ? to : [];
  if (service === undefined || ![service, ...more].every(isService))
    throw fault('to', 'must hold dialects, such as toResponses');
  const services = new Map([service, ...more].map((one) => [one.id, one]));
  for (const { id } of [first, ...others])
    if (services.has(id))
      throw fault(
        'from',
        `must not hold ${id}, a dialect of \`to\`: its calls pass with \`createHandler\` of interlingua/handler`,
      );
  const speech = {
    clients: [first, ...others] as const,
    serviceOf: (dialect: DialectId) => services.get(dialect),
    readerOf: (dialect: DialectId) => services.get(dialect) ?? service,
  };
  return makeHandler(options, speech, ['from', 'to']);
}
