import { createWatcher, dialects } from '../../translators/index.js';
import type { BackendAnswer } from '../backend.js';
import type { BackendConfig } from '../config.js';
import { createExit } from '../exchange/leak-guard.js';
import type { Outlet } from '../exchange/relay.js';
import { createRelayGuard } from '../exchange/relay-guard.js';
import type { Gateway } from '../gateway.js';

const MB = 1024 * 1024;

/**
 * Passes on a stream that a backend kept. One that breaks, cannot be read, or tells a secret breaks for the client as well.
 */
export function passStream(
  gateway: Gateway,
  backend: BackendConfig,
  answer: BackendAnswer,
  outlet: Outlet,
  abort: () => void,
): Promise<void> {
  const watcher = createWatcher(dialects.responses, 'sse', gateway.config.limits.eventMb * MB);
  const guard = createRelayGuard(watcher, gateway.redact);
  const exit = createExit(backend, watcher, outlet);
  return new Promise((resolve) => {
    const breakOff = (): void => {
      outlet.breakOff();
      resolve();
    };
    answer.pipe({
      data(chunk) {
        try {
          watcher.push(chunk);
        } catch {
          abort();
          return;
        }
        exit.write(guard.pass(chunk));
        if (!exit.leaked) return;
        abort();
        breakOff();
      },
      end() {
        exit.write(guard.rest());
        exit.flush();
        if (exit.leaked) return breakOff();
        outlet.end();
        resolve();
      },
      fail: breakOff,
    });
  });
}
