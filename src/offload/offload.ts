import { MessageChannel } from 'node:worker_threads';
import { allEndpoints } from '../backend/index.js';
import type { Config } from '../config/index.js';
import { AnswerOffload, type Begun } from '../exchange/index.js';
import type { Gateway, Offload, Services } from '../gateway/index.js';
import { clientGone, errorCode, errorMessage } from '../ground/index.js';
import { type ClientCall, LARGE, lengthOf, runFor, sharerOf } from '../http/index.js';
import { createHost } from './host.js';
import { type Begin, type GivenCall, type GivenState, movable } from './messages.js';
import { createPool, hasThreads, type Release } from './pool.js';
import { createAnswerer } from './questions.js';
import type { Reservation, Room } from './room.js';

/** How large bodies are worked on. */
export interface OffloadOptions {
  /** Requests and answers above so many bytes, and pictures, are worked on in threads; `Infinity` = nothing is. Default: 1 MB. */
  readonly largeBytes?: number;
  /** Memory in MB that one thread may fill. */
  readonly threadMb?: number;
}

/** Threads for the requests of one gateway; undefined where there can be none. They begin with the first that needs one. */
export function createOffload(
  {
    config,
    storage,
    files,
    videoKey,
    logger,
  }: Pick<Services, 'storage' | 'files' | 'videoKey' | 'logger'> & { readonly config: Config },
  room: Room,
  { largeBytes = LARGE, threadMb }: OffloadOptions = {},
): Offload | undefined {
  if (!hasThreads || largeBytes === Number.POSITIVE_INFINITY) return undefined;
  const answerer = createAnswerer({ storage, files, videoKey, logger });
  const onError = (error: unknown): void =>
    logger.error({ reason: errorCode(error) ?? errorMessage(error) }, 'a thread ended unexpectedly');
  const pool = createPool({ config, stores: storage !== undefined }, answerer, onError, threadMb);
  return {
    largeBytes,
    // Answers of the image routes are pictures.
    takes: ({ surface }, bytes) => bytes > largeBytes || surface === 'images',
    async serve(gateway, call, route, request) {
      const { body } = request;
      const begun = request instanceof AnswerOffload ? request.begun : undefined;
      const held = await roomFor(room, gateway, call, lengthOf(body), begun);
      if (call.gone) {
        held.leave();
        throw clientGone();
      }
      const { port1, port2 } = new MessageChannel();
      let release: Release = () => {};
      const host = createHost(gateway, call, port1, {
        called: held.sent,
        over(lost) {
          held.leave();
          release(lost);
        },
      });
      const pieces = body.map(movable);
      const begin: Begin = {
        port: port2,
        route,
        call: givenOf(call),
        body: pieces.map(({ bytes }) => bytes),
        state: stateOf(gateway, call),
        ...(begun !== undefined && {
          begun: { status: begun.answer.status, headers: { ...begun.answer.headers } },
          targets: [begun.target],
        }),
      };
      release = pool.begin(
        begin,
        pieces.map(({ memory }) => memory),
        sharerOf(gateway.config, call),
      );
      if (begun !== undefined) host.adopt(begun);
      runFor(call, host.running);
      return host.done;
    },
    close: () => pool.close(),
  };
}

/** No more than that takes no room, as it would if it were work for the process: a picture is asked for in a few words. */
const FREE: Reservation = { sent: () => {}, leave: () => {} };

/** Waits for room as long as the client waits. What its backend has begun to answer ends when there is none. */
async function roomFor(
  room: Room,
  { config }: Gateway,
  call: ClientCall,
  bytes: number,
  begun: Begun | undefined,
): Promise<Reservation> {
  if (bytes <= LARGE) return FREE;
  const asked = room.take(sharerOf(config, call), bytes);
  runFor(call, {
    called: begun !== undefined,
    abort(reason) {
      asked.abort(reason);
      begun?.running.abort(reason);
    },
  });
  try {
    return await asked.held;
  } catch (thrown) {
    begun?.running.abort();
    throw thrown;
  }
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

function stateOf({ config, state, backends, catalog }: Gateway, call: ClientCall): GivenState {
  const learner = sharerOf(config, call);
  const { url, listening, insecure } = state;
  const cooling = [...backends.all()].flatMap(({ config: { name }, cooling }) => {
    const models = cooling.all(learner);
    return models.length === 0 ? [] : [[name, models] as const];
  });
  const endpoints = [...backends.all()].flatMap(allEndpoints);
  const restrictions = endpoints.flatMap(({ config: { name, dialect }, restrictions }) => {
    const models = restrictions.all(learner);
    return models.length === 0 ? [] : [{ backend: name, dialect, models }];
  });
  return { url, listening, insecure, cooling, restrictions, names: [...catalog.known()], told: catalog.told() };
}
