import { type LogFn, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from '../config/index.js';
import type { Logger, Redact } from '../ground/index.js';
import { workerId } from '../workers/index.js';
import { describeError } from './log-error.js';
import { createLines, type Lines } from './log-lines.js';
import { readableLine } from './log-readable.js';

/** A logger together with what makes sure that its lines are out. */
export interface Log {
  readonly logger: Logger;
  /**
   * Takes secrets out of warnings and errors from now on: their texts come from elsewhere. What was given before stays
   * for what still runs with it.
   */
  hide(redact: Redact): void;
  /** Takes the same secrets out of a text. */
  readonly clean: Redact;
  /** Writes what is still buffered. */
  flush(): void;
}

/** How long, in ms, a line may wait for others before it is written. */
const FLUSH_MS = 500;

/**
 * JSON lines on standard error, in worker processes with the worker's number; lines for people where that is a terminal,
 * in colours unless NO_COLOR is set. Lines are gathered, so that an exchange
 * does not pay for a write of its own; warnings and errors go out at once. The logger's level may change at any time.
 */
export function createLog(level: LogLevel, terminal: boolean = process.stderr.isTTY): Log {
  const lines = terminal ? readable(createLines(2)) : createLines(2);
  const timer = setInterval(lines.flush, FLUSH_MS);
  timer.unref();
  const base = workerId === undefined ? undefined : { worker: workerId };
  let redacts: readonly Redact[] = [];
  const clean: Redact = (given) => redacts.reduce((text, redact) => redact(text), given);
  const sink = createSink(lines, clean);
  const logger = pino({ level, base, hooks: { logMethod: sink.method }, serializers: { err: describeError } }, sink);
  return {
    logger,
    hide(redact) {
      redacts = [...redacts.slice(-1), redact];
    },
    clean,
    flush() {
      clearInterval(timer);
      lines.finish();
    },
  };
}

/** The same lines for people. */
function readable(lines: Lines): Lines {
  const colours = (process.env.NO_COLOR ?? '') === '';
  return { ...lines, write: (line) => lines.write(readableLine(line, colours)) };
}

const WARN = 40;

/** Where lines go. `method` gets the level of each just before it is written. */
function createSink(lines: Lines, redact: Redact) {
  let urgent = false;
  return {
    write: (line: string) => lines.write(urgent ? redact(line) : line),
    method(this: PinoLogger, args: Parameters<LogFn>, method: LogFn, level: number): void {
      urgent = level >= WARN;
      method.apply(this, args);
      if (urgent) lines.flush();
      urgent = false;
    },
  };
}
