import type { Readable } from 'node:stream';

/** One HTTP request for a backend. Header names are lower case. */
export interface BackendRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its query, below the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Pieces go out one after the other and are not joined; their length is in the headers. A stream goes out as it is
   * read, and can be sent but once.
   */
  readonly body?: string | Uint8Array | readonly Uint8Array[] | Readable;
}

export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** Receives the events of a request, in this order; `end` or `error` is the last. */
export interface TransportSink {
  /** A connection is there: from now on the request may have left. */
  connected(): void;
  head(status: number, headers: AnswerHeaders): void;
  data(chunk: Uint8Array): void;
  end(): void;
  error(error: Error): void;
}

/** A running request. After `abort` its sink hears nothing more. */
export interface TransportCall {
  pause(): void;
  resume(): void;
  abort(): void;
}

/** The one seam behind which HTTP is spoken. It keeps no time: the caller does. */
export interface Transport {
  send(request: BackendRequest, sink: TransportSink): TransportCall;
  close(): Promise<void>;
}
