import { MessageChannel } from 'node:worker_threads';
import { errorCode, errorMessage } from './error-code.js';
import type { Gateway } from './gateway.js';
import { type ClientCall, runFor } from './http/client-call.js';
import { Failure } from './http/failure.js';
import { lengthOf } from './http/pieces.js';
import { LARGE } from './http/slices.js';
import type { Handover } from './offload/handover.js';
import { createHost } from './offload/host.js';
import { type Begin, type GivenCall, type GivenState, movable } from './offload/messages.js';
import { createPool, hasThreads } from './offload/pool.js';
import { createAnswerer } from './offload/questions.js';

/** Serves requests in threads, so that work on large bodies keeps nobody waiting (attacks.md rows 4, 7, 18). */
export interface Offload {
  /** Above so many bytes a request or an answer is large. */
  readonly largeBytes: number;
  /** Whether a body of so many bytes makes a request work for a thread. */
  takes(call: ClientCall, bytes: number): boolean;
  /**
   * Serves a request by the route with that number. Resolves with its body when the process has to serve it itself. Rejects
   * with Failure (503) when there is no room for it, or its thread ended before its time.
   */
  serve(gateway: Gateway, call: ClientCall, route: number, handover: Handover): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** How large bodies are worked on. */
export interface OffloadOptions {
  /** Requests and answers above so many bytes, and pictures, are worked on in threads; `Infinity` = nothing is. Default: 1 MB. */
  readonly largeBytes?: number;
  /** Memory in MB that one thread may fill. */
  readonly threadMb?: number;
}

/** How many times its own bytes a body takes while it is read and translated, and while its answer is awaited. */
const WORK_WEIGHT = 6;
const WAIT_WEIGHT = 3;

/** Threads for the requests of one gateway; undefined where there can be none. They begin with the first that needs one. */
export function createOffload(
  { config, storage, files, videoKey, logger }: Pick<Gateway, 'config' | 'storage' | 'files' | 'videoKey' | 'logger'>,
  { largeBytes = LARGE, threadMb }: OffloadOptions = {},
): Offload | undefined {
  if (!hasThreads || largeBytes === Number.POSITIVE_INFINITY) return undefined;
  const answerer = createAnswerer({ storage, files, videoKey, logger });
  const onError = (error: unknown): void =>
    logger.error({ reason: errorCode(error) ?? errorMessage(error) }, 'a thread ended before its time');
  const pool = createPool({ config, stores: storage !== undefined }, answerer, onError, threadMb);
  return {
    largeBytes,
    // Answers of the image routes are pictures.
    takes: ({ surface }, bytes) => bytes > largeBytes || surface === 'images',
    async serve(gateway, call, route, { body, begun }) {
      const size = lengthOf(body);
      const held = await gateway.room.take(size * WORK_WEIGHT);
      if (call.gone) {
        held.leave();
        throw new Failure({ kind: 'cancelled', message: 'the client went away' });
      }
      const { port1, port2 } = new MessageChannel();
      let release = (): void => {};
      const host = createHost(gateway, call, port1, {
        called: () => held.shrink(size * WAIT_WEIGHT),
        over() {
          held.leave();
          release();
        },
      });
      const pieces = body.map(movable);
      const begin: Begin = {
        port: port2,
        route,
        call: givenOf(call),
        body: pieces.map(({ bytes }) => bytes),
        state: stateOf(gateway),
        ...(begun !== undefined && {
          begun: { status: begun.answer.status, headers: { ...begun.answer.headers } },
          targets: [begun.target],
        }),
      };
      release = pool.begin(
        begin,
        pieces.map(({ memory }) => memory),
      );
      if (begun !== undefined) host.adopt(begun);
      runFor(call, host.running);
      return host.done;
    },
    close: () => pool.close(),
  };
}

function givenOf(call: ClientCall): GivenCall {
  const { request, base, path, query, route = '', dialect, surface, id, startedAt, key, admission } = call;
  return {
    method: request.method ?? '',
    headers: { ...request.headers },
    base,
    path,
    query,
    route,
    dialect,
    surface,
    id,
    startedAt: performance.timeOrigin + startedAt,
    key,
    admission: admission && { headers: admission.headers, counted: admission.counted },
  };
}

function stateOf({ state, backends, catalog }: Gateway): GivenState {
  const { url, listening, insecure } = state;
  const cooling = [...backends.all()].flatMap(({ config: { name }, cooling }) => {
    const models = cooling.all().filter((model) => cooling.has(model));
    return models.length === 0 ? [] : [[name, models] as const];
  });
  return { url, listening, insecure, cooling, names: [...catalog.known()] };
}
