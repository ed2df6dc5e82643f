import type { ClientCall } from './client-call.js';

/** Decides what is work for a thread (attacks.md rows 4, 7, 18). */
export interface Offloader {
  /** Above so many bytes a request or an answer is large. */
  readonly largeBytes: number;
  /** Whether a body that is as much work as one of so many bytes makes a request work for a thread. */
  takes(call: ClientCall, bytes: number): boolean;
}

/** Thrown by who finds that a request is work for a thread. Nothing was answered, kept or counted for it. */
export class Handover extends Error {
  /** The request's body, in pieces. */
  readonly body: readonly Uint8Array[];

  constructor(body: readonly Uint8Array[]) {
    super('the request is served by a thread');
    this.body = body;
  }
}
