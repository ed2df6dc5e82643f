import { breaks } from '../call/index.js';
import type { ResponseHeaders } from '../ground/index.js';
import { type ClientCall, noteFirstByte } from '../http/index.js';

/** What can be held back while the client is slow. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** How long, in ms, a client may take to read an error before the connection breaks. */
const READ_ERROR_MS = 1000;

/** The client's end of a stream. Its head goes out with the first piece. */
export interface ClientStream {
  readonly begun: boolean;
  /** The client has not read yet what was written. */
  readonly blocked: boolean;
  /** Where the pieces come from: paused while the client does not read. */
  source: Flow | undefined;
  write(piece: string | Uint8Array): void;
  /** Writes a sign of life, but not to a client that has something to read: signs would pile up. */
  beat(sign: string): void;
  /** Sends the head although there is no piece yet. */
  open(): void;
  end(): void;
  /**
   * An error was written, which some readers pass over: the connection breaks without the end of the body, so that nobody takes what
   * came for a whole answer. First the client has a second to read the error, after which most close by themselves: a reader whose
   * body fails throws away what it has not read yet. Resolves when the connection is gone.
   */
  breakAfterError(): Promise<void>;
  /** Nothing true can be said any more: the connection breaks, after what was written. */
  breakOff(): void;
}

/**
 * Moves pieces to the client with back pressure: while it does not read, the source is paused, and after
 * `writeIdleSeconds` without any progress it is dropped.
 */
export function createClientStream(
  call: ClientCall,
  head: () => ResponseHeaders,
  writeIdleSeconds: number,
  status = 200,
): ClientStream {
  const { response } = call;
  // Its head is made of the whole exchange, of which the listener below would hold all.
  let unsent: typeof head | undefined = head;
  response.on('drain', () => {
    if (!clientStream.blocked) return;
    clientStream.blocked = false;
    response.socket?.setTimeout(0);
    clientStream.source?.resume();
  });
  const begin = (): void => {
    clientStream.begun = true;
    noteFirstByte(call);
    response.writeHead(status, unsent?.());
    unsent = undefined;
  };
  const clientStream: ClientStream & { begun: boolean; blocked: boolean } = {
    begun: false,
    blocked: false,
    source: undefined,
    write(piece) {
      if (response.destroyed) return;
      if (!clientStream.begun) begin();
      call.record.streamed = (call.record.streamed ?? 0) + piece.length;
      // Text is a tree of its parts until it is written, of several times its size: a client that stalls would hold that.
      if (response.write(typeof piece === 'string' ? Buffer.from(piece) : piece)) return;
      // Each time: the source may be another one than when the client stopped to read.
      clientStream.source?.pause();
      if (clientStream.blocked) return;
      clientStream.blocked = true;
      response.socket?.setTimeout(writeIdleSeconds * 1000);
    },
    beat(sign) {
      if (!clientStream.blocked) clientStream.write(sign);
    },
    open() {
      if (clientStream.begun || response.destroyed) return;
      begin();
      response.flushHeaders();
    },
    end() {
      if (response.destroyed) return;
      response.end();
    },
    breakAfterError() {
      if (response.destroyed) return Promise.resolve();
      call.record.brokenOff = true;
      return new Promise((resolve) => {
        let waiting: NodeJS.Timeout | undefined;
        const wait = (): void => {
          waiting = setTimeout(clientStream.breakOff, READ_ERROR_MS);
        };
        response.once('close', () => {
          clearTimeout(waiting);
          resolve();
        });
        if (clientStream.blocked) response.once('drain', wait);
        else wait();
      });
    },
    breakOff() {
      call.record.brokenOff = true;
      // Newer versions of Node.js hand on what was written only when the step is over.
      process.nextTick(() => response.socket?.destroySoon());
    },
  };
  return clientStream;
}

/**
 * Ends a stream of conversation whose last words are an error, so that no reader takes it for a whole answer (translation.md 6.5). An
 * array is JSON only with its end. Resolves when nothing is left to do for the client.
 */
export async function endFailed(
  clientStream: ClientStream,
  { call, ask }: { readonly call: ClientCall; readonly ask: { readonly framing: 'sse' | 'array' } },
): Promise<void> {
  if (breaks(call.dialect, ask.framing)) await clientStream.breakAfterError();
  else clientStream.end();
}

/** Drops a client that does not take what is left of its answer. The server's own limit comes back with the next request. */
export function limitIdleWrites({ response }: ClientCall, writeIdleSeconds: number): void {
  if (response.writableLength > 0) response.socket?.setTimeout(writeIdleSeconds * 1000);
}
