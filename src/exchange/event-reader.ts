import type { Config } from '../config/index.js';
import { answerHeaders, type ClientCall, EVENT_STREAM } from '../http/index.js';
import { createClientStream } from './client-stream.js';

/** Who reads a stream of events that somebody else keeps. While nothing is said, comments keep the connection. */
export interface EventReader {
  /** Takes no more for now; `drained` is called when it does again. */
  readonly full: boolean;
  write(text: string): void;
  /** `last` is written before the end, though it is taken no more. */
  end(last?: string): void;
}

/** The reader behind a call. */
export function createEventReader(
  { config: { limits } }: { readonly config: Pick<Config, 'limits'> },
  call: ClientCall,
  drained: () => void,
): EventReader {
  const head = () => ({
    ...answerHeaders(call),
    ...EVENT_STREAM,
  });
  const clientStream = createClientStream(call, head, limits.writeIdleSeconds);
  let full = false;
  clientStream.source = {
    pause() {
      full = true;
    },
    resume() {
      full = false;
      drained();
    },
  };
  const silence = setInterval(() => clientStream.beat(': waiting\n\n'), limits.heartbeatSeconds * 1000);
  return {
    get full() {
      return full;
    },
    write(text) {
      clientStream.write(text);
      silence.refresh();
    },
    end(last = '') {
      clearInterval(silence);
      if (last !== '') clientStream.write(last);
      if (!clientStream.begun) clientStream.open();
      clientStream.end();
    },
  };
}
