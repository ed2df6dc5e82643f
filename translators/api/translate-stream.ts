import type { Loss, Losses } from '../canonical/loss.js';
import type { StreamEnds } from '../dialect.js';
import { createWatcher } from '../relay/watcher.js';

/** Translates a stream piece by piece. */
export interface StreamTranslator {
  /** Text that is ready to send; '' when nothing is due. */
  push(chunk: string | Uint8Array): string;
  /** Closes the client's stream truthfully: with an error when the source had not finished. */
  end(): string;
  /** So far. */
  readonly losses: readonly Loss[];
}

/** What the relay of a stream needs to know of it. */
interface RelayOptions {
  /** Absent = the one that the first character shows. */
  readonly framing?: 'sse' | 'array';
  readonly maxEventBytes?: number;
  readonly requestId?: string;
}

/** Passes a stream of one dialect as it is, and ends it truthfully where it broke. */
export function createRelay(
  dialect: StreamEnds,
  { framing, maxEventBytes, requestId }: RelayOptions,
  losses: Losses,
): StreamTranslator {
  const watcher = createWatcher(dialect, framing, maxEventBytes);
  // The bytes pass as they came, the mark at their beginning too.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let unreadable = false;
  const watch = (step: () => void): void => {
    if (unreadable) return;
    try {
      step();
    } catch {
      unreadable = true;
    }
  };
  return {
    push(chunk) {
      watch(() => watcher.push(chunk));
      return typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    },
    end() {
      const rest = decoder.decode();
      watch(() => watcher.end());
      return watcher.whole ? rest : rest + watcher.ending(INCOMPLETE, { requestId });
    },
    losses: losses.list,
  };
}

const INCOMPLETE = {
  kind: 'upstream',
  message: 'the stream ended without its final event',
  code: 'upstream_incomplete',
} as const;

/** A stream of bytes through a translator. */
export function translated(
  readable: ReadableStream<Uint8Array>,
  translator: StreamTranslator,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return readable.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = translator.push(chunk);
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
      flush(controller) {
        const text = translator.end();
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
    }),
  );
}
