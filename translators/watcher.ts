import type { Dialect } from './dialect.js';
import { createJsonArrayCutter } from './wire/json-array.js';
import { createSseCutter } from './wire/sse.js';

/** Looks on while a stream is relayed untouched, to tell whether it ended with its dialect's own last word. */
export interface Watcher {
  push(chunk: string | Uint8Array): void;
  end(): void;
  /** The last word was seen. */
  readonly terminal: boolean;
  /** What came so far ends between two events, so that another could be appended. */
  readonly between: boolean;
}

/** A watcher for streams of `dialect` in the given framing. */
export function createWatcher(dialect: Dialect, framing: 'sse' | 'array', maxBytes?: number): Watcher {
  let terminal = false;
  const look = (event: string, data: string): void => {
    if (!terminal && dialect.isTerminal(event, data)) terminal = true;
  };
  if (framing === 'array') {
    const cutter = createJsonArrayCutter((text) => look('', text), { maxBytes });
    return {
      push: (chunk) => cutter.push(chunk),
      end: () => cutter.end(),
      get terminal() {
        return terminal;
      },
      between: false,
    };
  }
  const cutter = createSseCutter(look, { maxBytes });
  return {
    push: (chunk) => cutter.push(chunk),
    end: () => cutter.end(),
    get terminal() {
      return terminal;
    },
    get between() {
      return cutter.rest === '';
    },
  };
}
