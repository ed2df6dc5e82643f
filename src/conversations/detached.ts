import { type IncomingMessage, ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { type ClientCall, createFacts, createRecord } from '../http/index.js';

/** Who takes what would be sent to a client. */
export interface Sink {
  write(text: string): void;
  /** A backend is being asked. */
  asked?(): void;
}

/** Takes the place of a client's connection: what would be sent is handed to `sink`, and nothing waits. */
class DetachedResponse extends ServerResponse {
  /** The headers that would be sent. */
  readonly head: Record<string, string | number> = {};
  readonly #sink: Sink;
  /** Characters may be cut in two between pieces. */
  readonly #text = new StringDecoder('utf8');

  constructor(request: IncomingMessage, sink: Sink) {
    super(request);
    this.#sink = sink;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    Object.assign(this.head, rest.at(-1));
    return this;
  }

  override flushHeaders(): void {}

  override write(piece: unknown): boolean {
    this.#sink.write(typeof piece === 'string' ? piece : this.#text.write(Buffer.from(piece as Uint8Array)));
    return true;
  }

  override end(piece?: unknown): this {
    if (typeof piece === 'string' || piece instanceof Uint8Array) this.write(piece);
    return this;
  }
}

/**
 * The same request, answered to nobody's connection. It goes on when the client goes away, and what a backend refuses is
 * thrown and never sent.
 */
export function detach(call: ClientCall, sink: Sink): ClientCall & { readonly response: DetachedResponse } {
  let running: ClientCall['running'];
  return {
    ...call,
    response: new DetachedResponse(call.request, sink),
    detached: true,
    get running() {
      return running;
    },
    set running(value) {
      running = value;
      if (value !== undefined) sink.asked?.();
    },
    gone: false,
    record: createRecord(createFacts()),
  };
}
