import { errorMessage } from '../ground/index.js';
import { complain } from './command.js';

/** Seconds in which balancers learn that this gateway will be gone while it still takes connections. */
export const NOTICE_SECONDS = 1;

/** Calls `stop` on the first SIGTERM or SIGINT, and `force` on the next. */
export function onStopSignal(stop: () => void, force: () => void): void {
  let stopping = false;
  const hear = (): void => {
    if (stopping) {
      force();
      return;
    }
    stopping = true;
    stop();
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', hear);
}

/** A fault that nobody caught leaves the process in an unknown state: one line says so, and a supervisor starts anew. */
export function endOnFault(): void {
  process.on('uncaughtException', (error) => {
    complain(`interlingua: ended by a fault of its own: ${errorMessage(error)}`);
    process.exit(1);
  });
}

/** What still holds the process when everything was closed does not hold it longer than this, in ms. */
const LINGER_MS = 1000;

/** Ends the process soon even if something was forgotten; one that has nothing to do ends by itself. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
