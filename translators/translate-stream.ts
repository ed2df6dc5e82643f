import { createLosses, type Loss, type Losses } from './canonical/loss.js';
import type { DialectId } from './dialect.js';
import { dialects } from './dialects.js';
import { createAnswering, type ResponseOptions } from './translate.js';
import { createWatcher } from './watcher.js';

/** Translates a stream piece by piece. */
export interface StreamTranslator {
  /** Text that is ready to send; '' when nothing is due. */
  push(chunk: string | Uint8Array): string;
  /** Closes the client's stream truthfully: with an error when the source had not finished. */
  end(): string;
  /** So far. */
  readonly losses: readonly Loss[];
}

/** A translator for one stream. Streams of one dialect pass as they are, watched for their last word. */
export function createStreamTranslator(
  options: ResponseOptions & { readonly from: DialectId; readonly to: DialectId },
): StreamTranslator {
  const losses = createLosses();
  if (options.from === options.to) return createRelay(options, losses);
  const stream = createAnswering(options, losses).stream(options.framing ?? 'sse');
  return {
    push: (chunk) => stream.push(chunk),
    end: () => stream.end(),
    losses: losses.list,
  };
}

function createRelay(options: ResponseOptions & { readonly to: DialectId }, losses: Losses): StreamTranslator {
  const watcher = createWatcher(dialects[options.to], options.framing, options.maxEventBytes);
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
      return watcher.whole ? rest : rest + watcher.ending(INCOMPLETE, { requestId: options.requestId });
    },
    losses: losses.list,
  };
}

const INCOMPLETE = {
  kind: 'upstream',
  message: 'the stream ended without its final event',
  code: 'upstream_incomplete',
} as const;

/** Translates a stream of bytes; what the source sends is translated as it comes. */
export function translateStream(
  readable: ReadableStream<Uint8Array>,
  options: ResponseOptions & { readonly from: DialectId; readonly to: DialectId },
): ReadableStream<Uint8Array> {
  const translator = createStreamTranslator(options);
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
