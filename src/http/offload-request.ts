import type { ClientCall } from './client-call.js';

/** Decides what is work for a thread (attacks.md rows 4, 7, 18). */
export interface Offloader {
  /** Above so many bytes a request or an answer is large. */
  readonly largeBytes: number;
  /** Whether a body that is as much work as one of so many bytes makes a request work for a thread. */
  takes(call: ClientCall, bytes: number): boolean;
}

/** A request that turns out to be work for a thread. Nothing was answered, kept or counted for it. */
export class OffloadRequest {
  /** Its body, in pieces. */
  readonly body: readonly Uint8Array[];

  constructor(body: readonly Uint8Array[]) {
    this.body = body;
  }
}

/** What became of a request: it was answered, or a thread is to serve it. A word, so that nobody who waits for it forgets the other. */
export type Served = OffloadRequest | 'answered';
