import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Express } from 'express';
import { limitIdleWrites } from '../exchange/index.js';
import type { Gateway } from '../gateway/index.js';
import { andOthers, didYouMean, Failure, forgetLastMatch, ignore } from '../ground/index.js';
import {
  allowOrigins,
  answerFailure,
  type ClientCall,
  type Counted,
  checkOperator,
  checkShare,
  countRequest,
  createFacts,
  cutUnreadBody,
  isSurplus,
  LOGGED_BYTES,
  noteAdmitted,
  OffloadRequest,
  openCall,
  reachedAt,
  refusePages,
  watchContent,
} from '../http/index.js';
import { admitCall, settleCall } from '../limits/index.js';
import { reportExchange } from '../observe/index.js';
import { dialectOf, plainPath, surfaceOf } from '../protocol/index.js';
import { findRoute, type Route, routes, serveRoute } from '../routes/index.js';

/** A request as it comes from the connection, or through an Express application around us. */
type Received = IncomingMessage & { readonly originalUrl?: string; readonly baseUrl?: string };

/** Answers every request, whatever it asks for. */
export type Handler = (request: Received, response: ServerResponse) => void;

/** The gateway as an Express application, to be mounted in another. */
export function createApp(handler: Handler): Express {
  const app = load()();
  app.disable('x-powered-by');
  app.use(handler);
  return app;
}

/** Only who mounts the gateway needs it: loading Express is a fifth of a start. */
function load(): typeof import('express') {
  return createRequire(import.meta.url)('express');
}

/**
 * What every request passes, the routes, and the last resort. Our own server calls it without Express, whose chain of layers costs as
 * much as a tenth of a small exchange (docs/internals/decisions/0012-cost-of-an-exchange.md).
 */
export function createHandler(current: () => Gateway): Handler {
  const { cors } = current().config.listen;
  const serveAny: Handler = (request, response) => {
    // The application around us took so long that nobody waits any more: `close` was emitted already.
    if (response.closed) return;
    const opened = open(current(), request, response);
    const refuse = (thrown: unknown): void => answerFailure(opened.gateway, opened.call, thrown);
    try {
      const served = pass(opened, request);
      if (served instanceof Promise) served.catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
  if (cors.length === 0) return serveAny;
  const allow = allowOrigins(cors);
  return (request, response) => allow(request, response, () => serveAny(request, response));
}

/** Opens the record of a request. */
function open(gateway: Gateway, request: Received, response: ServerResponse): Opened {
  const { path: received, query } = splitTarget(request.url ?? '');
  const path = plainPath(received);
  const target = { path, query, base: baseFor(gateway, request) };
  const call = openCall(request, response, target, dialectOf(path, request.headers), surfaceOf(path));
  gateway.state.requests += 1;
  countRequest(request.socket, 1);
  if (gateway.state.draining || isSurplus(request.socket)) response.shouldKeepAlive = false;
  cutUnreadBody(response);
  response.on('close', () => closeCall(gateway, call));
  // A write that crosses the client's going away is no event of its own: `close` tells.
  response.on('error', ignore);
  return { call, gateway, received };
}

/** Serves a request, once nothing of it is left that no route should see (hardening.md 2.1). */
function pass(opened: Opened, request: Received): Promise<void> | void {
  const { call, gateway, received } = opened;
  checkHead(request, request.originalUrl ?? request.url ?? '');
  checkPath(received, gateway.config.limits.pathBytes);
  const free = findRoute(OPEN, call);
  if (free !== undefined) return serve(opened, free);
  // Nothing but what is open to everybody happens before this: who calls is checked before a route is looked for.
  admit(opened);
  const route = findRoute(CLOSED, call);
  return route === undefined ? refuseUnknown(opened) : serve(opened, route);
}

const OPEN = routes.filter((route) => route.open === true);
const CLOSED = routes.filter((route) => route.open !== true);

/** Mounted without `listen.publicUrl`, only the connection and the application around us tell where we are. */
function baseFor({ config, state }: Gateway, request: Received): string {
  return config.listen.publicUrl ?? (state.listening ? state.url : reachedAt(request) + (request.baseUrl ?? ''));
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function checkHead(request: IncomingMessage, target: string): void {
  if (!target.startsWith('/')) {
    throw new Failure({ kind: 'invalid_request', message: 'the request target must be a path' });
  }
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.length === 4 && request.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new Failure({ kind: 'invalid_request', message: 'the request has more than one Host header' });
  if (WEBSOCKET.test(request.headers.upgrade ?? '')) {
    throw new Failure(
      { kind: 'invalid_request', status: 426, message: 'this server does not speak WebSocket: use HTTP/1.1' },
      { headers: { upgrade: 'HTTP/1.1', connection: 'close' } },
    );
  }
}

/**
 * A client that asks for a WebSocket can do nothing with another answer. Any other offer, such as the `h2c` of Java's own client with
 * each first request, is ignored, as a server may (RFC 9110, 7.8): the answer comes in HTTP/1.1.
 */
const WEBSOCKET = /(?:^|,)\s*websocket\s*(?:[/,]|$)/i;

/** Paths hold one byte in each character. */
function checkPath(path: string, most: number): void {
  if (path.length <= most) return;
  const message = `the path is longer than ${most} bytes (limits.pathBytes)`;
  throw new Failure({ kind: 'invalid_request', status: 414, message });
}

/** What every request has from its beginning to its end. */
interface Opened {
  readonly call: ClientCall;
  /** The parts that were current when it came. */
  readonly gateway: Gateway;
  /** Its path with the runs of slashes that it came with. */
  readonly received: string;
}

function admit({ call, gateway }: Opened): void {
  const { access, state, config } = gateway;
  if (isSurplus(call.request.socket)) throw tooManyConnections(config.limits.connections);
  access.admit(call);
  noteAdmitted(call.request.socket);
  refusePages(call, config, state.url);
}

/** Counts a request among what is open, as far as that may be. */
function enter({ call, gateway }: Opened, counts?: Route['counts']): void {
  const { state, config, tracer, recorder, live } = gateway;
  const { exchanges } = config.limits;
  if (state.open.size >= exchanges) {
    const message = `the gateway is busy (limits.exchanges: ${exchanges})`;
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 });
  }
  const holder = call.key?.name ?? '';
  checkShare(config, state.places.held(holder), exchanges, 'limits.exchanges');
  state.open.add(call);
  state.places.take(holder);
  gateway.enter();
  call.record.facts = createFacts();
  const shown = live.bodies && counts === 'conversation';
  const logged = config.log.content || shown;
  const bytes = Math.max(logged ? LOGGED_BYTES : 0, counts === 'conversation' ? recorder.bytes : 0);
  if (bytes > 0) watchContent(call, bytes, shown);
  tracer.begin(call);
}

function tooManyConnections(most: number): Failure {
  const message = `the gateway has reached its limit of connections (limits.connections: ${most})`;
  const headers = { connection: 'close' };
  return new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 }, { headers });
}

function serve(opened: Opened, route: Route): Promise<void> | void {
  const { call, gateway } = opened;
  const { method = '' } = call.request;
  const allowed: readonly string[] = route.methods;
  call.route = route.path;
  if (route.operator === true) checkOperator(call, gateway.config);
  else if (route.open !== true) enter(opened, route.counts);
  if (allowed.includes(method)) {
    const served = serveWithin(opened, route);
    if (!(served instanceof Promise)) return undefined;
    const end = (): void => limitIdleWrites(call, gateway.config.limits.writeIdleSeconds);
    return served.then((rest) => {
      if (rest instanceof OffloadRequest) return serveElsewhere(gateway, call, route, rest).then(end);
      return call.ending === undefined ? end() : call.ending.then(end);
    });
  }
  const allow = allowed.join(', ');
  throw new Failure(
    { kind: 'invalid_request', status: 405, message: `${route.path} takes ${allow}, not ${method}` },
    { headers: { allow } },
  );
}

/** Serves a request that its key may make: before anything of its body is read, it is weighed and counted. */
function serveWithin({ call, gateway }: Opened, route: Route): unknown {
  const counted = countedOf(call, route);
  if (counted !== undefined) gateway.pressure.check(gateway.state.open.size - 1);
  const admitted = counted === undefined ? undefined : admitCall(gateway, call, counted);
  return admitted === undefined
    ? serveRoute(route, gateway, call)
    : admitted.then(() => serveRoute(route, gateway, call));
}

/** What turns out to be work for a thread is served by one. */
async function serveElsewhere(
  gateway: Gateway,
  call: ClientCall,
  route: Route,
  request: OffloadRequest,
): Promise<void> {
  const serving = gateway.offload?.serve(gateway, call, routes.indexOf(route), request);
  call.elsewhere = serving;
  const body = await serving?.finally(() => {
    call.elsewhere = undefined;
  });
  if (body === undefined) return;
  call.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  call.returned = true;
  await serveRoute(route, gateway, call);
  await call.ending;
}

function countedOf({ request: { method } }: ClientCall, { counts, reads }: Route): Counted | undefined {
  if (method === 'POST') return counts;
  return method === 'GET' && reads === true ? 'read' : undefined;
}

const DOCUMENTED = routes.flatMap(({ methods, path, open: isOpen }) =>
  isOpen === true ? [] : [{ path, shown: `${methods[0]} ${path}` }],
);

/** What most callers look for. */
const CONVERSATIONS = routes
  .filter(({ counts }) => counts === 'conversation')
  .map(({ methods, path }) => `${methods[0]} ${path}`);

function refuseUnknown(opened: Opened): never {
  const { path, request } = opened.call;
  enter(opened);
  const message = `unknown route ${request.method} ${path.slice(0, 200)}; ${advice(path)}`;
  throw new Failure({ kind: 'not_found', status: 404, message });
}

function advice(path: string): string {
  const closest = didYouMean(
    path,
    DOCUMENTED.map((route) => route.path),
  );
  const found = DOCUMENTED.find((route) => route.path === closest);
  if (found !== undefined) return `did you mean ${found.shown}?`;
  return `known: ${andOthers(CONVERSATIONS, DOCUMENTED.length)} (GET /openapi.json)`;
}

/** The last thing that happens to a request: whatever still runs for it ends, and its outcome is reported. */
function closeCall(gateway: Gateway, call: ClientCall): void {
  gateway.state.requests -= 1;
  gateway.state.served += 1;
  countRequest(call.request.socket, -1);
  if (!call.response.writableFinished) {
    call.gone = true;
    call.running?.abort();
  }
  if (gateway.state.open.delete(call)) {
    gateway.state.places.free(call.key?.name ?? '');
    const report = (): void => {
      settleCall(call);
      reportExchange(gateway, call);
      gateway.leave();
    };
    if (call.elsewhere === undefined) report();
    else call.elsewhere.then(report, report);
  } else if (call.record.error !== undefined) {
    settleCall(call);
    reportExchange(gateway, call);
  }
  forgetLastMatch();
}
