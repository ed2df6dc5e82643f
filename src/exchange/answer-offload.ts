import type { BackendAnswer, BodySink } from '../backend/index.js';
import type { Target } from '../config/index.js';
import { OffloadRequest } from '../http/index.js';
import { JSON_TYPE, type JsonText } from '../protocol/index.js';
import type { AnsweredCall, Planned } from './attempt.js';

/** What a backend has begun to answer. */
export interface Begun extends AnsweredCall {
  readonly target: Target;
}

/** A request whose answer turns out to be work for a thread. */
export class AnswerOffload extends OffloadRequest {
  readonly begun: Begun;

  constructor(body: readonly Uint8Array[], begun: Begun) {
    super(body);
    this.begun = begun;
  }
}

/**
 * The answer to go on with here; AnswerOffload for a large one in one piece: a thread makes the same call plan from the same
 * request, and goes on with this answer. Not where something was fetched for the plan, or it calls in `ownWay`: that cannot be made a
 * second time; nor where a thread gave the request back.
 */
export function offloadLarge(
  plan: Planned,
  answered: AnsweredCall,
  ownWay: boolean,
): AnsweredCall | AnswerOffload | Promise<AnsweredCall | AnswerOffload> {
  const { gateway, call, ask, target } = plan.attempt;
  const { offload } = gateway;
  const { json } = call;
  const whole = !ask.stream && JSON_TYPE.test(answered.answer.headers['content-type'] ?? '');
  if (offload === undefined || json === undefined || call.detached === true || !whole) return answered;
  if (plan.media !== undefined || ownWay || call.returned === true) return answered;
  const checked = ({ large, answer }: Seen): AnsweredCall | AnswerOffload => {
    const { running } = answered;
    return large ? new AnswerOffload([bytesOf(json)], { target, answer, running }) : { answer, running };
  };
  const seen = lookAhead(answered.answer, offload.largeBytes);
  return seen instanceof Promise ? seen.then(checked) : checked(seen);
}

/** The body of a request, for somebody who may give the memory away. */
function bytesOf(json: JsonText): Uint8Array {
  return json.bytes === undefined ? Buffer.from(json.text) : Buffer.from(json.bytes);
}

/** An answer whose size is known as far as it matters. It can be read from its beginning. */
interface Seen {
  readonly large: boolean;
  readonly answer: BackendAnswer;
}

/** Whether an answer has more than `most` bytes: at once where its head says so, else when so much has come, or its end. */
function lookAhead(answer: BackendAnswer, most: number): Seen | Promise<Seen> {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN);
  if (!Number.isNaN(announced)) return { large: announced > most, answer };
  return new Promise((resolve) => {
    const early: Uint8Array[] = [];
    let length = 0;
    let known = false;
    let last: ((sink: BodySink) => void) | undefined;
    let reader: BodySink | undefined;
    const again: BackendAnswer = {
      ...answer,
      pipe(sink) {
        reader = sink;
        for (const chunk of early.splice(0)) sink.data(chunk);
        if (last === undefined) answer.resume();
        else last(sink);
      },
    };
    const know = (large: boolean): void => {
      known = true;
      resolve({ large, answer: again });
    };
    const end = (word: (sink: BodySink) => void): void => {
      if (reader !== undefined) word(reader);
      else last = word;
      if (!known) know(false);
    };
    answer.pipe({
      data(chunk) {
        if (reader !== undefined) return reader.data(chunk);
        early.push(chunk);
        length += chunk.byteLength;
        if (known || length <= most) return;
        answer.pause();
        know(true);
      },
      end: () => end((sink) => sink.end()),
      fail: (failure) => end((sink) => sink.fail(failure)),
    });
  });
}
