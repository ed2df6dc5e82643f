import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogLevel } from './config.js';

export type { Logger } from 'pino';

/** A logger together with what makes sure that its lines are out. */
export interface Log {
  readonly logger: Logger;
  /** Writes what is still buffered. */
  flush(): void;
}

/** How long, in ms, a line may wait for others before it is written. */
const FLUSH_MS = 500;

/**
 * JSON lines on standard error. Lines are gathered, so that an exchange does not pay for a write of its own; warnings
 * and errors go out at once.
 */
export function createLog(level: LogLevel): Log {
  if (level === 'silent') return { logger: pino({ level }), flush: () => {} };
  const stream = destination({ dest: 2, sync: true, minLength: 4096 });
  const timer = setInterval(() => stream.flushSync(), FLUSH_MS);
  timer.unref();
  const logger = pino({ level, base: undefined, hooks: { logMethod: urgent(stream) } }, stream);
  return {
    logger,
    flush() {
      clearInterval(timer);
      stream.flushSync();
    },
  };
}

const WARN = 40;

function urgent(stream: DestinationStream & { flushSync(): void }) {
  return function log(this: Logger, args: Parameters<Logger['info']>, method: Logger['info'], level: number): void {
    method.apply(this, args);
    if (level >= WARN) stream.flushSync();
  };
}
