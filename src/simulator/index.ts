import { createHash, randomUUID } from 'node:crypto';
import { type CanonicalError, dialects, type EncodedError, encodeMediaError } from '../../translators/index.js';
import { converse } from './conversation.js';
import { noRoute, refusedBy } from './errors.js';
import { type Exchange, json, type SimulatorAnswer, type SimulatorRequest } from './http.js';
import { serveImages } from './media/images.js';
import { servePredictions } from './media/predictions.js';
import { serveVideos, type VideoTasks } from './media/videos.js';
import { framingOf, modelBody, type Route, routeOf, SERVICES } from './services.js';

export type { SimulatorAnswer, SimulatorRequest } from './http.js';

/** What can be fixed about a simulator, so that equal calls give equal answers. */
export interface SimulatorOptions {
  /** Ids are derived from it, the number of the request and its body. Random unless given. */
  readonly seed?: string;
  /** Unix time in seconds; the clock's unless given. */
  readonly now?: () => number;
}

/**
 * A backend that speaks every dialect, in the process and without a network: it plans its answers as canonical ones and
 * prints them with the library. Which dialect a request is in follows from its path; for the model lists, which two
 * dialects serve under one path, from its headers. What it answers follows from the request alone; `simulate error 429`,
 * `simulate error midstream`, `simulate cut`, `simulate refusal` and `simulate slow` in the user's text make it misbehave.
 * Of what it made it keeps videos only, in memory.
 */
export function createSimulator(options: SimulatorOptions = {}): (request: SimulatorRequest) => SimulatorAnswer {
  const run = options.seed ?? randomUUID();
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const tasks: VideoTasks = new Map();
  let served = 0;
  return ({ method: verb, path: target, headers, body, signal }) => {
    const method = verb.toUpperCase();
    const url = new URL(target, 'http://simulator');
    const [, version = '', rest = '/'] = /^(\/v1beta1|\/v1beta|\/v1alpha|\/v1)?(\/.*)$/.exec(url.pathname) ?? [];
    const path = rest.length > 1 ? rest.replace(/(?<!\/)\/+$/, '') : rest;
    served += 1;
    const seed = createHash('sha256').update(`${run} ${served} ${body}`).digest('hex');
    const route = routeOf(method, path, version, headers);
    const { dialect } = route;
    const requestId = `req_${seed.slice(0, 24)}`;
    const exchange: Exchange = {
      method,
      path,
      query: url.searchParams,
      asked: headers,
      text: body,
      signal,
      seed,
      headers: { [SERVICES[dialect].idHeader]: requestId, ...dialects[dialect].encodeLimits(LIMITS, now()) },
      now: now(),
    };
    try {
      return serve(exchange, route, tasks);
    } catch (thrown) {
      const refusal = encodeRefusal(route, refusedBy(thrown), requestId);
      // Who asked for a stream that is an array is refused in an array [G §7].
      const listed = route.stream === true && framingOf(dialect, url.searchParams) === 'array';
      const all = { ...exchange.headers, ...refusal.headers };
      return json(listed ? [refusal.body] : refusal.body, all, refusal.status);
    }
  };
}

const BUCKET = { limit: 1_000_000, remaining: 999_000, resetMs: 60 };
const LIMITS = { requests: BUCKET, tokens: BUCKET };

function serve(exchange: Exchange, route: Route, tasks: VideoTasks): SimulatorAnswer {
  switch (route.to) {
    case 'create':
    case 'count':
      return converse(exchange, route);
    case 'models':
      return json(modelBody(route, Object.fromEntries(exchange.query)), exchange.headers);
    case 'images':
      return serveImages(exchange);
    case 'videos':
      return serveVideos(exchange, tasks);
    case 'predict':
      return servePredictions(exchange, tasks);
    case undefined:
      throw noRoute(exchange);
  }
}

function encodeRefusal({ dialect, to }: Route, error: CanonicalError, requestId: string): EncodedError {
  if (to === 'images') return encodeMediaError('images', error, { requestId });
  return to === 'videos'
    ? encodeMediaError('videoA', error, { requestId })
    : dialects[dialect].encodeError(error, { requestId });
}
