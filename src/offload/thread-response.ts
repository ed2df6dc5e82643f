import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import { type FromThread, movable } from './messages.js';

/** Texts above so many characters cross as bytes, which are given away and not copied. */
const LONG = 16 * 1024;

/** So much may be on its way to the client's connection before it counts as not read. */
const UNREAD = 64 * 1024;

/** A client's request as a thread knows it: its head alone. */
export function createRequest(method: string, url: string, headers: IncomingMessage['headers']): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url, headers, complete: true });
  request.push(null);
  return request;
}

/** Stands for the client's connection in a thread. */
class RemoteSocket extends Socket {
  readonly #breakOff: () => void;

  constructor(breakOff: () => void) {
    super();
    this.#breakOff = breakOff;
  }

  override destroySoon(): void {
    this.#breakOff();
  }

  /** The process itself looks after a client that does not read. */
  override setTimeout(): this {
    return this;
  }
}

/** An answer that is written in a thread and sent by the process: what is done to it goes over the port. */
export class RemoteResponse extends ServerResponse {
  readonly #port: MessagePort;
  #unread = 0;
  #full = false;
  #held = true;
  #last: (() => void) | undefined;

  constructor(request: IncomingMessage, port: MessagePort) {
    super(request);
    this.#port = port;
    let begun = false;
    const post = (message: FromThread): void => port.postMessage(message);
    Object.defineProperties(this, {
      headersSent: { get: () => begun },
      socket: { value: new RemoteSocket(() => post({ kind: 'breakOff' })) },
      writeHead: {
        value: (status: number, ...rest: unknown[]) => {
          begun = true;
          this.statusCode = status;
          post({ kind: 'head', status, headers: headersIn(rest.at(-1)) });
          return this;
        },
      },
    });
  }

  override flushHeaders(): void {
    this.#port.postMessage({ kind: 'flush' } satisfies FromThread);
  }

  override write(piece: unknown): boolean {
    const { sent, memory } = pieceOf(piece);
    if (sent === undefined) return true;
    // What is given away has no length any more.
    this.#unread += sent.length;
    this.#port.postMessage({ kind: 'write', piece: sent } satisfies FromThread, memory);
    this.#full ||= this.#unread > UNREAD;
    return !this.#full;
  }

  override end(piece?: unknown): this {
    if (this.writableEnded) return this;
    this.finished = true;
    const { sent, memory } = pieceOf(piece);
    const post = (): void => this.#port.postMessage({ kind: 'end', piece: sent } satisfies FromThread, memory);
    if (this.#held) this.#last = post;
    else post();
    return this;
  }

  /** Sends the last piece. Until then it is held back: an answer is counted before its client sees its end. */
  release(): void {
    this.#held = false;
    this.#last?.();
  }

  override destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.#port.postMessage({ kind: 'destroy' } satisfies FromThread);
    return this;
  }

  /** The client's connection took so much of what was written. */
  take(size: number): void {
    this.#unread -= size;
    if (!this.#full || this.#unread > 0) return;
    this.#full = false;
    this.emit('drain');
  }

  /** The client's connection is gone. */
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function headersIn(given: unknown): OutgoingHttpHeaders {
  return typeof given === 'object' && given !== null ? { ...given } : {};
}

function pieceOf(piece: unknown): { readonly sent: string | Uint8Array | undefined; readonly memory: ArrayBuffer[] } {
  if (typeof piece === 'string' && piece.length <= LONG) return { sent: piece, memory: [] };
  if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return { sent: undefined, memory: [] };
  const { bytes, memory } = movable(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return { sent: bytes, memory: [memory] };
}
