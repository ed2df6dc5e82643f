import type { MessagePort } from 'node:worker_threads';
import type { Backend, BackendCall } from '../backend/index.js';
import { type Begun, reportRestriction } from '../exchange/index.js';
import type { Gateway } from '../gateway/index.js';
import { abortedCall, type CallFailure, createDeferred, type Deferred, Failure, secretsOf } from '../ground/index.js';
import { type ClientCall, noteElsewhere, type Running } from '../http/index.js';
import { type AnswerReader, readAnswer } from './answer-reader.js';
import { createAnswerWriter } from './answer-writer.js';
import type { FromThread, ToThread } from './messages.js';
import { packFailure, unpackReason } from './packed-failure.js';

/** What the process does for one request that a thread works on. */
export interface Host {
  /**
   * Resolves when the thread is done: with the body, where the process has to serve the request after all. Rejects with
   * Failure (503) when the thread ended before.
   */
  readonly done: Promise<Uint8Array | undefined>;
  /** What runs for the request: ended when nobody waits any more. */
  readonly running: Running;
  /** Takes over a call that runs already, as the first of the thread. */
  adopt(begun: Begun): void;
}

export interface HostWatch {
  /** A backend is being called. */
  called(): void;
  /** Nothing of the request runs any more; `lost` when its thread ended before it was done. */
  over(lost: boolean): void;
}

interface BackendRunning {
  readonly call: BackendCall;
  reader: AnswerReader | undefined;
  /** Notes for the trace what the answer reported. */
  reported(reported: Extract<FromThread, { kind: 'reported' }>['reported']): void;
}

/** The state of a request that a thread works on. */
interface Hosted {
  readonly gateway: Gateway;
  readonly call: ClientCall;
  readonly post: (message: ToThread, memory?: ArrayBuffer[]) => void;
  readonly watch: HostWatch;
  readonly running: { called: boolean; abort(reason?: CallFailure): void };
  readonly done: Deferred<Uint8Array | undefined>;
  /** The calls of backends by their numbers. */
  readonly calls: Map<number, BackendRunning>;
  /** Targets that were passed over before the thread took the request. */
  passed: number | undefined;
  finished: boolean;
}

/** `port` is this end of the line to the thread. */
export function createHost(gateway: Gateway, call: ClientCall, port: MessagePort, watch: HostWatch): Host {
  const post: Hosted['post'] = (message, memory = []) => port.postMessage(message, memory);
  const hosted: Hosted = {
    gateway,
    call,
    post,
    watch,
    running: {
      called: false,
      abort: (reason) => post({ kind: 'stop', reason: reason && packFailure(reason) }),
    },
    done: createDeferred(),
    calls: new Map<number, BackendRunning>(),
    passed: undefined,
    finished: false,
  };
  const writer = createAnswerWriter(gateway, call, (size) => post({ kind: 'taken', size }));
  port.on('message', hearing(hosted, writer));
  port.once('close', () => end(hosted));
  return {
    done: hosted.done.promise,
    running: hosted.running,
    adopt({ target, answer, running: { abort } }) {
      hosted.passed = call.record.facts?.passed;
      noteCalled(hosted);
      const running = { call: { answer: Promise.resolve(answer), abort }, reader: undefined, reported: () => {} };
      listen(hosted, 0, { config: target.backend }, running);
    },
  };
}

function noteCalled({ running, watch }: Hosted): void {
  running.called = true;
  watch.called();
}

/** Tells the thread of the answer of a call. */
function listen(
  { calls, post }: Hosted,
  number: number,
  { config }: Pick<Backend, 'config'>,
  running: BackendRunning,
): void {
  calls.set(number, running);
  running.call.answer.then(
    (answer) => {
      // Tokens that were fetched or made for the call: an answer that quotes them is recognised in the thread.
      if (config.auth === 'google' || config.auth === 'aws')
        post({ kind: 'secrets', backend: config.name, secrets: secretsOf(config) });
      running.reader = readAnswer(number, answer, post);
    },
    (thrown: unknown) => post({ kind: 'fail', call: number, failure: packFailure(thrown) }),
  );
}

/** Calls a backend for the thread. */
function begin(
  hosted: Hosted,
  { call: number, backend: name, dialect, ask, for: kind, key, model, facts }: Asked,
): void {
  const { gateway, call, post } = hosted;
  // The thread asked before it heard that nobody waits any more.
  if (call.gone || call.stopped !== undefined) {
    post({ kind: 'fail', call: number, failure: packFailure(call.stopped ?? abortedCall()) });
    return;
  }
  noteCalled(hosted);
  const { meter, tracer, backends } = gateway;
  const backend = backends.at({ name, dialect });
  const record = { ...call.record, facts };
  if (facts !== undefined) call.record.facts = facts;
  if (model === undefined) {
    listen(hosted, number, backend, { call: backend.call(ask, { kind, key }), reader: undefined, reported: () => {} });
    return;
  }
  const trace = tracer.called({ trace: call.trace, record }, { backend: backend.config, model });
  let reported: BackendRunning['reported'] = () => {};
  const sent = trace.headers === undefined ? ask : { ...ask, headers: { ...ask.headers, ...trace.headers } };
  const ended = (status: number | undefined): void => {
    meter.called(name, status);
    reported = (facts) => trace.ended({ record: { reported: facts } }, status);
  };
  listen(hosted, number, backend, {
    call: backend.call(sent, { kind, key, ended }),
    reader: undefined,
    reported: (facts) => reported(facts),
  });
}

/** The line to the thread is closed. */
function end({ calls, done, watch, finished }: Hosted): void {
  for (const one of calls.values()) {
    one.call.abort();
    one.reported(undefined);
  }
  calls.clear();
  // Where it is done this changes nothing.
  done.reject(lostThread());
  watch.over(!finished);
}

/** What becomes of a message of the thread. */
function hearing(hosted: Hosted, writer: ReturnType<typeof createAnswerWriter>): (message: FromThread) => void {
  const { gateway, call, calls } = hosted;
  return (message) => {
    switch (message.kind) {
      case 'call':
        return begin(hosted, message);
      case 'abort':
        return calls.get(message.call)?.call.abort(unpackReason(message.reason));
      case 'pause':
        return calls.get(message.call)?.reader?.hold(true);
      case 'resume':
        return calls.get(message.call)?.reader?.hold(false);
      case 'read':
        return calls.get(message.call)?.reader?.read(message.size);
      case 'reported':
        calls.get(message.call)?.reported(message.reported);
        calls.delete(message.call);
        return;
      case 'learned':
        return noteLearned(gateway, call, message);
      case 'answered':
        return gateway.backends
          .at({ name: message.backend, dialect: message.dialect })
          .restrictions.answered(message.model, message.learner, message.tokens);
      case 'cool':
        return gateway.backends.get(message.backend).cooling.note(message.model, message.learner, message.ms);
      case 'key refused':
        return gateway.backends.get(message.backend).noteRefusedKey();
      case 'passed':
        return gateway.meter.passed(message.backend, message.reason);
      case 'done':
        hosted.finished = true;
        if (message.body === undefined) noteDone(call, message, hosted.passed);
        return hosted.done.resolve(message.body);
      default:
        return writer.hear(message);
    }
  };
}

const RETRY_MS = 2000;

function lostThread(): Failure {
  const message = 'the gateway is short of memory for this request';
  return new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: RETRY_MS });
}

/** Stores a restriction that the thread met. */
function noteLearned(
  gateway: Gateway,
  { id }: ClientCall,
  { backend: name, dialect, model, learner, restriction }: Extract<FromThread, { kind: 'learned' }>,
): void {
  if (gateway.backends.at({ name, dialect }).restrictions.note(model, learner, restriction))
    reportRestriction(gateway, { id, backend: name, model, key: learner }, restriction);
}

type Asked = Extract<FromThread, { kind: 'call' }>;

/** What is known of the exchange is what the thread knows, but for the targets that were passed over before. */
function noteDone(call: ClientCall, done: Extract<FromThread, { kind: 'done' }>, passed: number | undefined): void {
  const { record, admission } = call;
  noteElsewhere(call, done.record);
  if (passed !== undefined) record.facts = { ...record.facts, passed };
  if (admission !== undefined) admission.asked = done.asked;
}
