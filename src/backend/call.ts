import type { Timeouts } from '../config/index.js';
import {
  abortedCall,
  BUSY_MS,
  brokenCall,
  type CallFailure,
  createDeferred,
  Failure,
  lateCall,
  refusedCall,
} from '../ground/index.js';
import { createGathered, type Gathered } from '../http/index.js';
import { createClock } from './clock.js';
import { type CallKind, type Gate, SUSPECT } from './gate.js';
import { createJoinedChunks } from './joined-chunks.js';
import { shapeOf } from './shape.js';
import type { AnswerHeaders, BackendRequest, Transport, TransportCall } from './transport.js';

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
  { gate, kind = 'conversations', key, begun, ended }: CallOptions = {},
): BackendCall {
  let phase: Phase = 'waiting';
  let status: number | undefined;
  let running: TransportCall | undefined;
  let paused = false;
  let reader: BodySink | undefined;
  /** What came before anybody read. */
  let early: Gathered | undefined;
  /** The beginning of a body that says whether the backend or the request is to blame. */
  let suspect: Gathered | undefined;
  const chunks = createJoinedChunks((chunk) => {
    if (phase === 'idle') reader?.data(chunk);
  });
  let last: 'end' | Failure | undefined;
  const head = createDeferred<BackendAnswer>();

  const expire = (): void => {
    if (phase === 'waiting') fail(refusedCall('queue', BUSY_MS), 'refused');
    else fail(lateCall(phase === 'firstByte' || phase === 'idle'), 'late');
  };
  const clock = createClock(timeouts.total * 1000, expire);

  const enter = (next: Exclude<Phase, 'waiting'>): void => {
    phase = next;
    if (next === 'over') clock.end();
    else clock.start(timeouts[next] * 1000);
  };
  const blame = (): void => {
    if (suspect !== undefined) place?.answered(SUSPECT, suspect.join());
    suspect = undefined;
  };
  const fail = (failure: CallFailure, why: 'late' | 'broken' | 'unwanted' | 'refused'): void => {
    if (why !== 'unwanted') chunks.flush();
    if (phase === 'over') return;
    const answered = phase === 'idle';
    if ((why === 'late' || why === 'broken') && !answered) place?.failed();
    blame();
    enter('over');
    if (why !== 'broken') running?.abort();
    place?.leave();
    if (!answered) head.reject(failure);
    else if (reader !== undefined) reader.fail(failure);
    else last = failure;
    ended?.(status);
  };

  const answerOf = (answered: number, headers: AnswerHeaders): BackendAnswer => ({
    status: answered,
    headers,
    pipe(sink) {
      reader = sink;
      for (const chunk of early?.take() ?? []) sink.data(chunk);
      early = undefined;
      if (last === 'end') sink.end();
      else if (last !== undefined) sink.fail(last);
    },
    pause() {
      if (phase !== 'idle' || paused) return;
      paused = true;
      clock.stop();
      running?.pause();
    },
    resume() {
      if (phase !== 'idle' || !paused) return;
      paused = false;
      enter('idle');
      running?.resume();
    },
  });

  const begin = (): void => {
    begun?.();
    enter('connect');
    running = transport.send(request, {
      connected() {
        if (phase === 'connect') enter('firstByte');
      },
      head(received, headers) {
        if (phase === 'over') return;
        status = received;
        if (received === SUSPECT) suspect = createGathered();
        else place?.answered(received);
        enter('idle');
        head.resolve(answerOf(received, headers));
      },
      data(chunk) {
        if (phase !== 'idle') return;
        if (!paused) clock.refresh();
        if (suspect !== undefined && suspect.length < BLAME_BYTES) suspect.add(chunk);
        if (reader !== undefined) return chunks.add(chunk);
        early ??= createGathered();
        early.add(chunk);
      },
      end() {
        chunks.flush();
        if (phase !== 'idle') return;
        blame();
        enter('over');
        place?.leave();
        if (reader === undefined) last = 'end';
        else reader.end();
        ended?.(status);
      },
      error: (error) => fail(brokenCall(error, phase !== 'connect'), 'broken'),
    });
  };

  const place = gate?.placeFor({
    kind,
    key,
    shape: () => shapeOf(request),
    begin,
    refuse: (failure) => fail(failure, 'refused'),
  });
  if (place === undefined) begin();
  else place.enter();
  if (phase === 'waiting') clock.stop();

  return {
    answer: head.promise,
    abort: (reason = abortedCall()) => fail(reason, 'unwanted'),
  };
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
