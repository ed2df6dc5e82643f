/** One HTTP request as the gateway's client seam hands it over. Header names are lower case. */
export interface SimulatorRequest {
  readonly method: string;
  /** Path with its query, as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends a running stream early; what was already pulled stays valid. */
  readonly signal?: AbortSignal;
}

/** One HTTP answer. A plain answer has a string as its body, a stream its bytes in the pieces they were written in. */
export interface SimulatorAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: AsyncIterable<Uint8Array> | string;
}

/** What a refusal says beside its words. */
export interface RefusalDetail {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Further details of the error body, where the dialect has them. */
  readonly details?: readonly object[];
}

/** A refusal on its way out of a reader; the dialect's handler prints it in the dialect's own error shape. */
export class Refusal extends Error {
  /**
   * @param status HTTP status
   * @param message text for the caller
   * @param detail the dialect's discriminators: `type`, `code`, `param`, and what its error body says besides
   */
  constructor(
    readonly status: number,
    message: string,
    readonly detail: RefusalDetail = {},
  ) {
    super(message);
  }
}
