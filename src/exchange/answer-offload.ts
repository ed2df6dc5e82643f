import type { BackendAnswer, BackendCall } from '../backend/index.js';
import type { Target } from '../config/index.js';
import { OffloadRequest } from '../http/index.js';

/** What a backend has begun to answer. */
export interface Begun {
  readonly target: Target;
  readonly answer: BackendAnswer;
  readonly running: BackendCall;
}

/** A request whose answer turns out to be work for a thread. */
export class AnswerOffload extends OffloadRequest {
  readonly begun: Begun;

  constructor(body: readonly Uint8Array[], begun: Begun) {
    super(body);
    this.begun = begun;
  }
}
