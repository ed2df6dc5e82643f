import { errorCode } from '../ground/index.js';

/** An error as a line of the log shows it. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** Where it arose. */
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** So many causes behind each other are shown. */
const MOST_CAUSES = 4;

/**
 * An error without what it carries: members that libraries add, and the words of parsers, quote what they were given,
 * which may be a prompt or an answer (hardening.md row 29).
 */
export function describeError(thrown: unknown, causes = MOST_CAUSES): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { name, message, stack, cause } = thrown;
  const frames = stack?.split('\n').filter((line) => /^ {4}at /.test(line));
  return {
    type: name,
    code: errorCode(thrown),
    message: thrown instanceof SyntaxError ? undefined : message,
    stack: frames?.join('\n'),
    cause: cause === undefined || causes === 0 ? undefined : describeError(cause, causes - 1),
  };
}
