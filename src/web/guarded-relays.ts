import { dialects } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import { createGuardedGate, endingOf, WEB_BYTES } from '../guard/index.js';
import { LEAKED } from '../protocol/index.js';
import { createRelays } from './relayed.js';

/** How calls of the backend's own dialect pass to clients that must not see all. */
export const GUARDED_RELAYS = createRelays(
  ({ guard, redact }, watcher, framing, write) => {
    if (guard === undefined || redact === undefined) return undefined;
    return createGuardedGate({
      ...{ watcher, framing, finder: guard.finder, redact, write, bytes: WEB_BYTES },
      report: () => undefined,
      leak: () => new Failure(LEAKED),
    });
  },
  (dialect, ends, requestId) => endingOf(dialects[dialect], ends, LEAKED, requestId),
);
