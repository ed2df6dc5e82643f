import { createHash, randomUUID } from 'node:crypto';
import { dialects } from '../../translators/index.js';
import { converse, countTokensOf, framingOf } from './conversation.js';
import { encodeThrown, noRoute } from './errors.js';
import { type Exchange, json, type SimulatorAnswer, type SimulatorRequest } from './http.js';
import { serveImages } from './media/images.js';
import { servePredictions } from './media/predictions.js';
import { serveVideos, type VideoTasks } from './media/videos.js';
import { createServices, encodeModels, routeOf, type Services } from './services.js';

export type { SimulatorAnswer, SimulatorRequest } from './http.js';
export { type ServiceRefusal, serviceRefusal } from './rules/index.js';

/** What can be fixed about a simulator, so that equal calls give equal answers. */
export interface SimulatorOptions {
  /** Ids are derived from it, the number of the request and its body. Random unless given. */
  readonly seed?: string;
  /** Unix time in seconds; the clock's unless given. */
  readonly now?: () => number;
}

/**
 * A backend that speaks every dialect, in the process and without a network: it refuses what the service of the dialect
 * refuses, plans its answers as canonical ones and encodes them with the library. Which dialect a request is in follows
 * from its path; for the model lists, which two dialects serve under one path, from its headers. What it answers follows
 * from the request alone; `simulate error 429`, `simulate error midstream`, `simulate cut`, `simulate refusal` and
 * `simulate slow` in the user's text make it misbehave. Stored responses and videos are kept per simulator, in memory.
 */
export function createSimulator(options: SimulatorOptions = {}): (request: SimulatorRequest) => SimulatorAnswer {
  const run = options.seed ?? randomUUID();
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const services = createServices();
  const tasks: VideoTasks = new Map();
  let served = 0;
  return ({ method: verb, path: target, headers, body, signal }) => {
    const method = verb.toUpperCase();
    const url = new URL(target, 'http://simulator');
    const [, version = '', rest = '/'] = /^(\/v1beta1|\/v1beta|\/v1alpha|\/v1)?(\/.*)$/.exec(url.pathname) ?? [];
    const path = rest.length > 1 ? rest.replace(/(?<!\/)\/+$/, '') : rest;
    served += 1;
    const seed = createHash('sha256').update(`${run} ${served} ${body}`).digest('hex');
    const requestId = `req_${seed.slice(0, 24)}`;
    const route = routeOf(services, method, path, version, headers);
    const limits = dialects[route.dialect].encodeLimits(LIMITS, now());
    const exchange: Exchange = {
      ...route,
      method,
      path,
      query: url.searchParams,
      requestHeaders: headers,
      text: body,
      signal,
      seed,
      headers: { [services[route.dialect].idHeader]: requestId, ...limits },
      now: now(),
    };
    try {
      return serve(exchange, services, tasks);
    } catch (thrown) {
      const refusal = encodeThrown(thrown, exchange, requestId);
      // A client that asks for a stream that is an array is refused in an array [G §7].
      const listed = route.stream === true && framingOf(exchange, services[route.dialect]) === 'array';
      return json(listed ? [refusal.body] : refusal.body, { ...exchange.headers, ...refusal.headers }, refusal.status);
    }
  };
}

const BUCKET = { limit: 1_000_000, remaining: 999_000, resetMs: 60 };
const LIMITS = { requests: BUCKET, tokens: BUCKET };

function serve(exchange: Exchange, services: Services, tasks: VideoTasks): SimulatorAnswer {
  const service = services[exchange.dialect];
  switch (exchange.operation) {
    case 'create':
      return converse(exchange, service);
    case 'count':
      return countTokensOf(exchange, service);
    case 'models':
      return json(encodeModels(services, exchange), exchange.headers);
    case 'stored':
      if (service.serveStored === undefined) throw noRoute(exchange);
      return json(service.serveStored(exchange), exchange.headers);
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
