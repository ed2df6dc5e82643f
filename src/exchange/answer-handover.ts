import type { BackendAnswer, BackendCall } from '../backend/index.js';
import type { Target } from '../config/index.js';
import { Handover } from '../http/index.js';

/** What a backend has begun to answer. */
export interface Begun {
  readonly target: Target;
  readonly answer: BackendAnswer;
  readonly running: BackendCall;
}

/** The same for a request whose answer turns out to be work for a thread. */
export class AnswerHandover extends Handover {
  readonly begun: Begun;

  constructor(body: readonly Uint8Array[], begun: Begun) {
    super(body);
    this.begun = begun;
  }
}
