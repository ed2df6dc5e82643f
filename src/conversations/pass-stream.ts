import { createWatcher, dialects } from '../../translators/index.js';
import type { BackendAnswer } from '../backend/index.js';
import type { BackendConfig } from '../config/index.js';
import { type ClientStream, outputFilterFor, relayGuardFor } from '../exchange/index.js';
import { MB } from '../ground/index.js';
import type { ConversationServices } from './services.js';

/**
 * Passes on a stream that a backend kept. One that breaks, cannot be read, or tells a secret breaks for the client as well.
 */
export function passStream(
  gateway: ConversationServices,
  backend: BackendConfig,
  answer: BackendAnswer,
  clientStream: ClientStream,
  abort: () => void,
): Promise<void> {
  const watcher = createWatcher(dialects.responses, 'sse', gateway.config.limits.eventMb * MB);
  const guard = relayGuardFor(watcher, gateway.redact);
  const filter = outputFilterFor(backend, watcher, clientStream);
  return new Promise((resolve) => {
    const breakOff = (): void => {
      clientStream.breakOff();
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
        filter.write(guard.pass(chunk));
        if (!filter.leaked) return;
        abort();
        breakOff();
      },
      end() {
        filter.write(guard.rest());
        filter.flush();
        if (filter.leaked) return breakOff();
        clientStream.end();
        resolve();
      },
      fail: breakOff,
    });
  });
}
