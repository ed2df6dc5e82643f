import type { BackendAnswer, BackendCall } from '../backend.js';
import type { Target } from '../exchange/target.js';

/** Thrown by who finds that a request is work for a thread. Nothing was answered, kept or counted for it. */
export class Handover extends Error {
  /** The request's body, in pieces. */
  readonly body: readonly Uint8Array[];
  /** What a backend has begun to answer. */
  readonly begun: Begun | undefined;

  constructor(body: readonly Uint8Array[], begun?: Begun) {
    super('the request is served by a thread');
    this.body = body;
    this.begun = begun;
  }
}

export interface Begun {
  readonly target: Target;
  readonly answer: BackendAnswer;
  readonly running: BackendCall;
}

/** Thrown in a thread by what the process alone can do. */
export class NotHere extends Error {
  constructor() {
    super('the request is served by the process itself');
  }
}
