import { createHash, randomUUID } from 'node:crypto';
import { createExchange } from './exchange.js';
import { serveGenerateContent } from './generate-content/index.js';
import type { SimulatorAnswer, SimulatorRequest } from './http.js';
import type { VideoTasks } from './media/videos.js';
import { serveMessages } from './messages/index.js';
import { serveResponses } from './responses/index.js';
import { createResponseStore } from './responses/stored.js';

export type { SimulatorAnswer, SimulatorRequest } from './http.js';

/** What can be fixed about a simulator, so that equal calls give equal answers. */
export interface SimulatorOptions {
  /** Ids are derived from it, the number of the request and its body. Random unless given. */
  readonly seed?: string;
  /** Unix time in seconds; the clock's unless given. */
  readonly now?: () => number;
}

/**
 * A backend that speaks every dialect natively, in the process and without a network. Which dialect a request is in
 * follows from its path; for the model lists, which two dialects serve under one path, from its headers. What it answers
 * follows from the request alone; `simulate error 429`, `simulate error midstream`, `simulate cut`, `simulate refusal`
 * and `simulate slow` in the user's text make it misbehave. Stored responses and videos are kept per simulator, in memory.
 */
export function createSimulator(options: SimulatorOptions = {}): (request: SimulatorRequest) => SimulatorAnswer {
  const seed = options.seed ?? randomUUID();
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const store = createResponseStore();
  const tasks: VideoTasks = new Map();
  let served = 0;
  return (request) => {
    const url = new URL(request.path, 'http://simulator');
    const [, version = '', rest = '/'] = /^(\/v1beta1|\/v1beta|\/v1alpha|\/v1)?(\/.*)$/.exec(url.pathname) ?? [];
    const path = rest.length > 1 ? rest.replace(/(?<!\/)\/+$/, '') : rest;
    const body = createHash('sha256').update(request.body).digest('hex');
    served += 1;
    const exchange = createExchange(request, url, path, `${seed} ${served} ${body}`, now());
    switch (dialectOf(version, path, request.headers)) {
      case 'messages':
        return serveMessages(exchange);
      case 'responses':
        return serveResponses(exchange, store, tasks);
      case 'generateContent':
        return serveGenerateContent(exchange);
    }
  };
}

function dialectOf(version: string, path: string, headers: SimulatorRequest['headers']) {
  if (/:[a-zA-Z]+$/.test(path) || /^\/(projects|publishers)\//.test(path)) return 'generateContent';
  if (path.startsWith('/messages')) return 'messages';
  if (/^\/(?:responses|images|videos)(?:\/|$)/.test(path)) return 'responses';
  if (headers['anthropic-version'] !== undefined) return 'messages';
  const google = headers['x-goog-api-key'] ?? headers['x-goog-api-client'];
  return version.startsWith('/v1beta') || version === '/v1alpha' || google !== undefined
    ? 'generateContent'
    : 'responses';
}
