import { Readable } from 'node:stream';
import {
  type Backend,
  type BackendAnswer,
  type BackendAsk,
  type BackendCall,
  type Backends,
  type BodySink,
  backendAt,
} from '../backend/index.js';
import type { BackendConfig, Config } from '../config/index.js';
import { abortedCall, addSecret, createDeferred, type Failure } from '../ground/index.js';
import type { CallRecord } from '../http/index.js';
import { type Begin, copied, type FromThread, movable, type ToThread } from './messages.js';
import { packFailure, unpackFailure } from './packed-failure.js';

/** The backends as one request in a thread reaches them: the process calls them. */
export interface RemoteBackends extends Backends {
  /** The next call is one of an exchange, to this model of the backend. */
  expect(model: string): void;
  hear(message: ToThread): void;
  /** Calls that are not over. */
  readonly running: number;
}

/** `record` of the request; `ended` hears of each call that is over. */
export function createRemoteBackends(
  { backends }: Config,
  { port, begun, state }: Pick<Begin, 'port' | 'begun' | 'state'>,
  record: CallRecord,
  ended: () => void,
): RemoteBackends {
  const calls = new Map<number, RemoteCall>();
  let expected: string | undefined;
  let count = 0;
  const post = (message: FromThread, memory: ArrayBuffer[] = []): void => port.postMessage(message, memory);
  const call = (config: BackendConfig, ask: BackendAsk, options: Parameters<Backend['call']>[1]): BackendCall => {
    const model = expected;
    expected = undefined;
    const number = count;
    count += 1;
    const one = createRemoteCall(number, post, (status) => {
      options?.ended?.(status);
      // What was read from the answer is noted in the same turn as its end.
      setImmediate(() => {
        calls.delete(number);
        post({ kind: 'reported', call: number, reported: record.soFar?.() ?? record.reported });
        ended();
      });
    });
    calls.set(number, one);
    // The row before the backend is the process's: here it is a part of the call.
    options?.begun?.();
    if (number === 0 && begun !== undefined) {
      one.hear({ kind: 'head', call: 0, ...begun });
    } else {
      const { body, ...rest } = ask;
      const { sent, memory } = bodyOf(body);
      const { kind, key } = options ?? {};
      const { facts } = record;
      post(
        {
          kind: 'call',
          call: number,
          backend: config.name,
          dialect: config.dialect,
          ask: { ...rest, body: sent },
          for: kind,
          key,
          model,
          facts,
        },
        memory,
      );
    }
    return one.call;
  };
  const cooling = new Map(state.cooling.map(([name, models]) => [name, new Set(models)]));
  const all = new Map<string, Backend>();
  const remote = (config: BackendConfig): Backend => {
    const { name, dialect } = config;
    const cool = cooling.get(name) ?? new Set();
    const known = state.restrictions.find((one) => one.backend === name && one.dialect === dialect);
    const learned = new Map(known?.models);
    return {
      config,
      endpoints: config.endpoints.map(remote),
      call: (ask, options) => call(config, ask, options),
      status: () => ({ breaker: 'closed', out: [], running: 0, waiting: 0, restMs: 0, keysOut: [], keyRefused: false }),
      noteRefusedKey: () => post({ kind: 'key refused', backend: name }),
      cooling: {
        // What holds for the caller alone came along.
        has: (model) => cool.has(model),
        all: () => [...cool],
        rest: () => 0,
        resting: () => [...cool],
        note(model, learner, ms) {
          if (ms > 0) cool.add(model);
          post({ kind: 'cool', backend: name, model, learner, ms });
        },
      },
      restrictions: {
        // Those of the caller alone came along.
        of: (model) => learned.get(model) ?? [],
        all: () => [...learned],
        note(model, learner, restriction) {
          post({ kind: 'learned', backend: name, dialect, model, learner, restriction });
          return false;
        },
        answered: (model, learner, tokens) =>
          post({ kind: 'answered', backend: name, dialect, model, learner, tokens }),
        kept: () => [],
        forget: () => {},
      },
    };
  };
  for (const config of Object.values(backends)) all.set(config.name, remote(config));
  const get = (name: string): Backend => {
    const one = all.get(name);
    if (one === undefined) throw new Error(`no backend ${name}`);
    return one;
  };
  return {
    get,
    at: (endpoint) => backendAt(get(endpoint.name), endpoint),
    all: () => all.values(),
    held: new Map(),
    close: async () => {},
    expect(model) {
      expected = model;
    },
    hear(message) {
      if (message.kind === 'secrets') {
        const config = backends[message.backend];
        for (const secret of message.secrets.toReversed()) if (config !== undefined) addSecret(config, secret);
      } else if ('call' in message) calls.get(message.call)?.hear(message);
    },
    get running() {
      return calls.size;
    },
  };
}

/** A body that may be sent again keeps its own memory. */
function bodyOf(body: BackendAsk['body']): {
  readonly sent: string | Uint8Array | readonly Uint8Array[] | undefined;
  readonly memory: ArrayBuffer[];
} {
  if (body instanceof Readable) throw new Error('a stream cannot leave a thread');
  if (body === undefined) return { sent: undefined, memory: [] };
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const { bytes, memory } = typeof body === 'string' ? movable(Buffer.from(body)) : copied(body);
    return { sent: bytes, memory: [memory] };
  }
  const pieces = body.map(copied);
  return { sent: pieces.map(({ bytes }) => bytes), memory: pieces.map(({ memory }) => memory) };
}

interface RemoteCall {
  readonly call: BackendCall;
  hear(message: ToThread): void;
}

function createRemoteCall(
  number: number,
  post: (message: FromThread) => void,
  ended: (status: number | undefined) => void,
): RemoteCall {
  let status: number | undefined;
  let over = false;
  let paused = false;
  let reader: BodySink | undefined;
  let early: Uint8Array[] = [];
  let last: 'end' | Failure | undefined;
  const head = createDeferred<BackendAnswer>();
  const fail = (failure: Failure): void => {
    if (over) return;
    over = true;
    if (status === undefined) head.reject(failure);
    else if (reader !== undefined) reader.fail(failure);
    else last = failure;
    ended(status);
  };
  const hold = (pause: boolean): void => {
    if (over || paused === pause) return;
    paused = pause;
    post({ kind: pause ? 'pause' : 'resume', call: number });
  };
  return {
    call: {
      answer: head.promise,
      abort(reason = abortedCall()) {
        if (over) return;
        post({ kind: 'abort', call: number, reason: packFailure(reason) });
        fail(reason);
      },
    },
    hear(message) {
      if (message.kind === 'data') post({ kind: 'read', call: number, size: message.chunk.byteLength });
      if (over) return;
      if (message.kind === 'head') {
        status = message.status;
        head.resolve({
          status,
          headers: message.headers,
          pipe(sink) {
            reader = sink;
            const waiting = early;
            early = [];
            for (const chunk of waiting) sink.data(chunk);
            if (last === 'end') sink.end();
            else if (last !== undefined) sink.fail(last);
          },
          pause: () => hold(true),
          resume: () => hold(false),
        });
      } else if (message.kind === 'data') {
        if (reader === undefined) early.push(message.chunk);
        else reader.data(message.chunk);
      } else if (message.kind === 'end') {
        over = true;
        if (reader === undefined) last = 'end';
        else reader.end();
        ended(status);
      } else if (message.kind === 'fail') fail(unpackFailure(message.failure));
    },
  };
}
