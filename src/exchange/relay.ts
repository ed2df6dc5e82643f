import type { ClientCall } from '../http/client-call.js';
import type { ResponseHeaders } from '../http/own-headers.js';
import { noteFirstByte } from '../observe/record.js';

/** What can be held back while the client is slow. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** The client's end of a stream. Its head goes out with the first piece. */
export interface Outlet {
  readonly begun: boolean;
  /** The client has not read yet what was written: nothing more is due, not even a sign of life. */
  readonly blocked: boolean;
  /** Where the pieces come from: paused while the client does not read. */
  source: Flow | undefined;
  write(piece: string | Uint8Array): void;
  /** Sends the head although there is no piece yet. */
  open(): void;
  end(): void;
  /** Nothing true can be said any more: the connection breaks, after what was written. */
  breakOff(): void;
}

/**
 * Moves pieces to the client with back pressure: while it does not read, the source stands still, and after
 * `writeIdleSeconds` without any progress it is dropped.
 */
export function createOutlet(
  call: ClientCall,
  head: () => ResponseHeaders,
  writeIdleSeconds: number,
  status = 200,
): Outlet {
  const { response } = call;
  response.on('drain', () => {
    if (!outlet.blocked) return;
    outlet.blocked = false;
    response.socket?.setTimeout(0);
    outlet.source?.resume();
  });
  const begin = (): void => {
    outlet.begun = true;
    noteFirstByte(call);
    response.writeHead(status, head());
  };
  const outlet: Outlet & { begun: boolean; blocked: boolean } = {
    begun: false,
    blocked: false,
    source: undefined,
    write(piece) {
      if (response.destroyed) return;
      if (!outlet.begun) begin();
      call.record.streamed = (call.record.streamed ?? 0) + piece.length;
      if (response.write(piece)) return;
      // Each time: the source may be another one than when the client stopped to read.
      outlet.source?.pause();
      if (outlet.blocked) return;
      outlet.blocked = true;
      response.socket?.setTimeout(writeIdleSeconds * 1000);
    },
    open() {
      if (outlet.begun || response.destroyed) return;
      begin();
      response.flushHeaders();
    },
    end() {
      if (response.destroyed) return;
      response.end();
    },
    breakOff: () => response.socket?.destroySoon(),
  };
  return outlet;
}

/** Drops a client that does not take what is left of its answer. The server's own limit comes back with the next request. */
export function limitIdleWrites({ response }: ClientCall, writeIdleSeconds: number): void {
  if (response.writableLength > 0) response.socket?.setTimeout(writeIdleSeconds * 1000);
}
