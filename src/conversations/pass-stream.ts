import { createWatcher, dialects } from '../../translators/index.js';
import type { BackendAnswer } from '../backend.js';
import type { Outlet } from '../exchange/relay.js';
import { createRelayGuard } from '../exchange/relay-guard.js';
import type { Gateway } from '../gateway.js';

const MB = 1024 * 1024;

/** Passes on a stream that a backend kept. One that breaks, or cannot be read, breaks for the client as well. */
export function passStream(gateway: Gateway, answer: BackendAnswer, outlet: Outlet, abort: () => void): Promise<void> {
  const watcher = createWatcher(dialects.responses, 'sse', gateway.config.limits.eventMb * MB);
  const guard = createRelayGuard(watcher, gateway.redact);
  return new Promise((resolve) => {
    const pass = (piece: Uint8Array | undefined): void => {
      if (piece !== undefined) outlet.write(piece);
    };
    answer.pipe({
      data(chunk) {
        try {
          watcher.push(chunk);
        } catch {
          abort();
          return;
        }
        pass(guard.pass(chunk));
      },
      end() {
        pass(guard.rest());
        outlet.end();
        resolve();
      },
      fail() {
        outlet.breakOff();
        resolve();
      },
    });
  });
}
