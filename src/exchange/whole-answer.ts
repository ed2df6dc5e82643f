import type { Loss } from '../../translators/index.js';
import type { AnswerHeaders } from '../backend/index.js';
import type { Target } from '../config/index.js';
import { type ClientCall, costHeaders, endLater, noteFirstByte, noteLosses, sendWhole } from '../http/index.js';
import { exchangeHeaders } from './answer-head.js';

/** What the head of a whole answer is made of: all that is left of its exchange while the store has the body. */
export interface AnswerHead {
  readonly call: ClientCall;
  readonly target: Target;
  readonly status: number;
  readonly type: string;
  /** The backend's. */
  readonly received: AnswerHeaders;
  readonly losses: readonly Loss[];
}

/** Sends a whole answer: at once, or when its body is there, which whoever serves the request waits for ({@link endLater}). */
export function sendAnswer(head: AnswerHead, body: string | Uint8Array | Promise<string | Uint8Array>): void {
  noteLosses(head.call, head.losses);
  if (!(body instanceof Promise)) send(head, body);
  else {
    const ending = body.then((told) => send(head, told));
    endLater(head.call, ending);
  }
}

function send({ call, target, status, type, received, losses }: AnswerHead, body: string | Uint8Array): void {
  noteFirstByte(call);
  const headers = exchangeHeaders(call, target, received, losses);
  sendWhole(call.response, status, body, { 'content-type': type, ...headers, ...costHeaders(call.record.facts) });
}
