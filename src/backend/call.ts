import type { Timeouts } from '../config.js';
import { Failure } from '../failure.js';
import { abortedCall, brokenCall, type CallFailure, lateCall } from './call-failure.js';
import type { AnswerHeaders, BackendRequest, Transport } from './transport.js';

/** Hears the body of an answer; `end` or `fail` is the last word. */
export interface BodySink {
  data(chunk: Uint8Array): void;
  end(): void;
  fail(failure: Failure): void;
}

/** An answer whose head is there. Its body waits until it is piped. */
export interface BackendAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  pipe(sink: BodySink): void;
  pause(): void;
  resume(): void;
}

/** A call on its way. `answer` rejects with CallFailure. */
export interface BackendCall {
  readonly answer: Promise<BackendAnswer>;
  /** Ends the call at once; whoever waits for it hears why: that it was cancelled, unless another reason is given. */
  abort(reason?: CallFailure): void;
}

type Phase = 'connect' | 'firstByte' | 'idle' | 'over';

/**
 * Sends one request and keeps the time: to connect, to the first byte of the answer, between two pieces of it, and
 * for the whole. The idle clock stands still while the reader has paused the answer.
 */
export function callBackend(transport: Transport, request: BackendRequest, timeouts: Timeouts): BackendCall {
  let phase: Phase = 'connect';
  let paused = false;
  let reader: BodySink | undefined;
  let early: Uint8Array[] = [];
  let last: 'end' | Failure | undefined;
  let settle: { resolve(answer: BackendAnswer): void; reject(failure: CallFailure): void } | undefined;
  const promise = new Promise<BackendAnswer>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const expire = (): void => fail(lateCall(phase !== 'connect'), true);
  let clock = setTimeout(expire, timeouts.connect * 1000);
  const total = setTimeout(expire, timeouts.total * 1000);

  const enter = (next: Phase): void => {
    clearTimeout(clock);
    phase = next;
    if (next === 'over') clearTimeout(total);
    else clock = setTimeout(expire, timeouts[next] * 1000);
  };
  const fail = (failure: CallFailure, abort: boolean): void => {
    if (phase === 'over') return;
    const answered = phase === 'idle';
    enter('over');
    if (abort) running.abort();
    if (!answered) settle?.reject(failure);
    else if (reader !== undefined) reader.fail(failure);
    else last = failure;
  };

  const answerOf = (status: number, headers: AnswerHeaders): BackendAnswer => ({
    status,
    headers,
    pipe(sink) {
      reader = sink;
      const waiting = early;
      early = [];
      for (const chunk of waiting) sink.data(chunk);
      if (last === 'end') sink.end();
      else if (last !== undefined) sink.fail(last);
    },
    pause() {
      if (phase !== 'idle' || paused) return;
      paused = true;
      clearTimeout(clock);
      running.pause();
    },
    resume() {
      if (phase !== 'idle' || !paused) return;
      paused = false;
      enter('idle');
      running.resume();
    },
  });

  const running = transport.send(request, {
    connected() {
      if (phase === 'connect') enter('firstByte');
    },
    head(status, headers) {
      if (phase === 'over') return;
      enter('idle');
      settle?.resolve(answerOf(status, headers));
    },
    data(chunk) {
      if (phase !== 'idle') return;
      if (!paused) clock.refresh();
      if (reader === undefined) early.push(chunk);
      else reader.data(chunk);
    },
    end() {
      if (phase !== 'idle') return;
      enter('over');
      if (reader === undefined) last = 'end';
      else reader.end();
    },
    error: (error) => fail(brokenCall(error, phase !== 'connect'), false),
  });

  return {
    answer: promise,
    abort: (reason = abortedCall()) => fail(reason, true),
  };
}

/** Gathers a whole body. Rejects with Failure when it breaks off or grows beyond `limit` bytes. */
export function collectBody(answer: BackendAnswer, limit: number, abort: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    answer.pipe({
      data(chunk) {
        length += chunk.byteLength;
        if (length <= limit) {
          chunks.push(chunk);
          return;
        }
        reject(new Failure({ kind: 'upstream', message: 'the backend sent an answer that is too large' }));
        abort();
      },
      end: () => resolve(Buffer.concat(chunks, length)),
      fail: reject,
    });
  });
}
