import type { Timeouts } from '../config/index.js';
import {
  abortedCall,
  BUSY_MS,
  brokenCall,
  type CallFailure,
  createDeferred,
  type Deferred,
  Failure,
  lateCall,
  refusedCall,
} from '../ground/index.js';
import { createGathered, type Gathered } from '../http/index.js';
import { type Clock, createClock } from './clock.js';
import { type CallKind, type Gate, type Place, SUSPECT, type Turn } from './gate.js';
import { createJoinedChunks, type JoinedChunks } from './joined-chunks.js';
import { shapeOf } from './shape.js';
import type { AnswerHeaders, BackendRequest, Transport, TransportCall, TransportSink } from './transport.js';

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
  /** Ends the call at once: what waits for it rejects with `reason`, else as cancelled. */
  abort(reason?: CallFailure): void;
}

/** So many bytes of a body are enough to know whom it blames. */
const BLAME_BYTES = 64 * 1024;

type Phase = 'waiting' | 'connect' | 'firstByte' | 'idle' | 'over';

/** What a call has beside its request. */
export interface CallOptions {
  /** Passed before the request leaves; waiting there counts towards the whole time. */
  readonly gate?: Gate;
  /** What the call is for. Default: a conversation, or what belongs to none of the kinds. */
  readonly kind?: CallKind;
  /** Whose call it is, where several keys share the backend. */
  readonly key?: string | undefined;
  /** Called when the request leaves, unless it never does. */
  readonly begun?: () => void;
  /** Called once when the call is over, with the status of the answer; undefined when there was none. */
  readonly ended?: (status: number | undefined) => void;
}

/**
 * Sends one request and keeps the time: to connect, to the first byte of the answer, between two pieces of it, and
 * for the whole. The idle clock stops while the reader has paused the answer.
 */
export function callBackend(
  transport: Transport,
  request: BackendRequest,
  timeouts: Timeouts,
  options: CallOptions = {},
): BackendCall {
  const call = new RunningCall(transport, request, timeouts, options);
  call.enter();
  return { answer: call.answer, abort: (reason = abortedCall()) => call.fail(reason, 'unwanted') };
}

/** In the place of a request that is not needed any more. */
const GONE: BackendRequest = { method: 'GET', path: '', headers: {} };

/** What runs of a call: a place at the gate, a request of the transport, and their clock. An object with methods: closures of each call cost ten times that. */
class RunningCall implements Turn, TransportSink {
  readonly kind: CallKind;
  readonly key: string | undefined;
  readonly answer: Promise<BackendAnswer>;
  readonly #head: Deferred<BackendAnswer>;
  readonly #transport: Transport;
  #request: BackendRequest;
  readonly #timeouts: Timeouts;
  readonly #begun: CallOptions['begun'];
  readonly #ended: CallOptions['ended'];
  readonly #clock: Clock;
  readonly #chunks: JoinedChunks;
  readonly #place: Place | undefined;
  #phase: Phase = 'waiting';
  #status: number | undefined = undefined;
  #running: TransportCall | undefined = undefined;
  #paused = false;
  #reader: BodySink | undefined = undefined;
  /** What came before anybody read. */
  #early: Gathered | undefined = undefined;
  /** The beginning of a body that says whether the backend or the request is to blame. */
  #suspect: Gathered | undefined = undefined;
  #last: 'end' | Failure | undefined = undefined;

  constructor(
    transport: Transport,
    request: BackendRequest,
    timeouts: Timeouts,
    { gate, kind = 'conversations', key, begun, ended }: CallOptions,
  ) {
    this.kind = kind;
    this.key = key;
    this.#head = createDeferred();
    this.answer = this.#head.promise;
    this.#transport = transport;
    this.#request = request;
    this.#timeouts = timeouts;
    this.#begun = begun;
    this.#ended = ended;
    this.#chunks = createJoinedChunks((chunk) => {
      if (this.#phase === 'idle') this.#reader?.data(chunk);
    });
    this.#clock = createClock(timeouts.total * 1000, () => this.#expire());
    this.#place = gate?.placeFor(this);
  }

  /** Begins, now or when its turn comes. */
  enter(): void {
    if (this.#place === undefined) this.begin();
    else this.#place.enter();
    if (this.#phase === 'waiting') this.#clock.stop();
  }

  shape(): string {
    return shapeOf(this.#request);
  }

  begin(): void {
    this.#begun?.();
    this.#go('connect');
    this.#running = this.#transport.send(this.#request, this);
  }

  refuse(failure: CallFailure): void {
    this.fail(failure, 'refused');
  }

  connected(): void {
    if (this.#phase === 'connect') this.#go('firstByte');
  }

  head(status: number, headers: AnswerHeaders): void {
    if (this.#phase === 'over') return;
    this.#status = status;
    if (status === SUSPECT) this.#suspect = createGathered();
    else this.#place?.answered(status);
    this.#go('idle');
    this.#head.resolve({
      status,
      headers,
      pipe: (sink) => this.#pipe(sink),
      pause: () => this.#pause(),
      resume: () => this.#resume(),
    });
  }

  data(chunk: Uint8Array): void {
    if (this.#phase !== 'idle') return;
    if (!this.#paused) this.#clock.refresh();
    if (this.#suspect !== undefined && this.#suspect.length < BLAME_BYTES) this.#suspect.add(chunk);
    if (this.#reader !== undefined) {
      this.#chunks.add(chunk);
      return;
    }
    this.#early ??= createGathered();
    this.#early.add(chunk);
  }

  end(): void {
    this.#chunks.flush();
    if (this.#phase !== 'idle') return;
    this.#blame();
    this.#go('over');
    this.#place?.leave();
    if (this.#reader === undefined) this.#last = 'end';
    else this.#reader.end();
    this.#ended?.(this.#status);
    this.#release();
  }

  error(error: Error): void {
    this.fail(brokenCall(error, this.#phase !== 'connect'), 'broken');
  }

  fail(failure: CallFailure, why: 'late' | 'broken' | 'unwanted' | 'refused'): void {
    if (why !== 'unwanted') this.#chunks.flush();
    if (this.#phase === 'over') return;
    const answered = this.#phase === 'idle';
    if ((why === 'late' || why === 'broken') && !answered) this.#place?.failed();
    this.#blame();
    this.#go('over');
    if (why !== 'broken') this.#running?.abort();
    this.#place?.leave();
    if (!answered) this.#head.reject(failure);
    else if (this.#reader !== undefined) this.#reader.fail(failure);
    else this.#last = failure;
    this.#ended?.(this.#status);
    this.#release();
  }

  /** Lets go of what a call that is over needs no more: its client's answer may wait for long, and the client holds what may abort the call. */
  #release(): void {
    this.#request = GONE;
    this.#running = undefined;
    this.#reader = undefined;
  }

  #expire(): void {
    if (this.#phase === 'waiting') this.fail(refusedCall('queue', BUSY_MS), 'refused');
    else this.fail(lateCall(this.#phase === 'firstByte' || this.#phase === 'idle'), 'late');
  }

  #go(next: Exclude<Phase, 'waiting'>): void {
    this.#phase = next;
    if (next === 'over') this.#clock.end();
    else this.#clock.start(this.#timeouts[next] * 1000);
  }

  #blame(): void {
    if (this.#suspect !== undefined) this.#place?.answered(SUSPECT, this.#suspect.join());
    this.#suspect = undefined;
  }

  #pipe(sink: BodySink): void {
    if (this.#phase !== 'over') this.#reader = sink;
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined) for (const chunk of early.take()) sink.data(chunk);
    if (this.#last === 'end') sink.end();
    else if (this.#last !== undefined) sink.fail(this.#last);
  }

  #pause(): void {
    if (this.#phase !== 'idle' || this.#paused) return;
    this.#paused = true;
    this.#clock.stop();
    this.#running?.pause();
  }

  #resume(): void {
    if (this.#phase !== 'idle' || !this.#paused) return;
    this.#paused = false;
    this.#go('idle');
    this.#running?.resume();
  }
}

/** Gathers a whole body. Rejects with Failure when it breaks off or grows beyond `limit` bytes. */
export function collectBody(answer: BackendAnswer, limit: number, abort: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = createGathered();
    answer.pipe({
      data(chunk) {
        if (gathered.length + chunk.byteLength <= limit) {
          gathered.add(chunk);
          return;
        }
        reject(new Failure({ kind: 'upstream', message: 'the backend sent an answer that is too large' }));
        abort();
      },
      end: () => resolve(gathered.join()),
      fail: reject,
    });
  });
}
