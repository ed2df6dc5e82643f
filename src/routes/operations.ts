import type { IncomingMessage } from 'node:http';
import type { CallKind } from '../backend/index.js';
import { CHALLENGE_HEADER, Failure, PROOF_HEADER, proofsFor, VERSION } from '../ground/index.js';
import { type ClientCall, hasForeignHost, isLocal, refusePages, sendJson, sendWhole } from '../http/index.js';
import { hasPlayground } from './playground.js';
import type { Route } from './route.js';
import type { RouteServices } from './services.js';

/** What load balancers and people ask; no key, no backend, no body. */
export const operationRoutes: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    pattern: /^\/?$/,
    open: true,
    answer: serveRoot,
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/healthz',
    pattern: /^\/healthz\/?$/,
    open: true,
    answer: (gateway, call) => sendJson(call.response, 200, { status: 'ok' }, proofHeaders(gateway, call)),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/readyz',
    pattern: /^\/readyz\/?$/,
    open: true,
    answer: (gateway, call) =>
      gateway.state.draining
        ? sendJson(call.response, 503, { status: 'draining' }, {})
        : sendJson(call.response, 200, { status: 'ready', ...(mayCall(gateway, call) && out(gateway)) }, {}),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/metrics',
    pattern: /^\/metrics\/?$/,
    open: true,
    answer: serveMetrics,
  },
];

/**
 * The proof that this gateway has the keys of its callers, for one that wants it before it tells its own. A key that can be guessed could
 * be guessed from it without asking again: callers from elsewhere get none, nor do pages that reach this machine by another name.
 */
function proofHeaders({ config, state }: RouteServices, call: ClientCall): Record<string, string> {
  const { headers, socket } = call.request;
  const challenge = headers[CHALLENGE_HEADER];
  const isHere = isLocal(call.request) || socket.remoteAddress === socket.localAddress;
  if (typeof challenge !== 'string' || !isHere || hasForeignHost(call, config, state.url)) return {};
  const end = { address: socket.localAddress, port: socket.localPort };
  const digests = config.keys.map(({ sha256 }) => sha256);
  const proofs = proofsFor(digests, challenge, end);
  return proofs === undefined ? {} : { [PROOF_HEADER]: proofs, 'cache-control': 'no-store' };
}

/** Programs are told who is here, and since when if they may call; people are led to the page for them, where there is one. */
function serveRoot(gateway: RouteServices, call: ClientCall): void {
  const { response, request } = call;
  const vary = { vary: 'accept' };
  if (/\btext\/html\b/.test(request.headers.accept ?? '') && hasPlayground(gateway, call)) {
    const location = `${nameOfRoot(request)}playground/`;
    sendWhole(response, 302, '', { ...vary, location, 'cache-control': 'no-store' });
    return;
  }
  const started = mayCall(gateway, call) ? { started: new Date(gateway.state.startedAt).toISOString() } : {};
  sendJson(response, 200, { name: 'interlingua', version: VERSION, ...started }, vary);
}

/** What leads from the page that was asked for to a neighbour of it: nothing behind a slash, else its own name. Mounted, it has one. */
function nameOfRoot(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const [path = ''] = (request.originalUrl ?? request.url ?? '').split('?');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '' ? '' : `${name}/`;
}

/** Whether it may call routes that need a key: names of backends and the time of its start are for nobody else. A probe without one is answered all the same. */
function mayCall({ access }: RouteServices, call: ClientCall): boolean {
  try {
    access.admit(call);
    return true;
  } catch {
    return false;
  }
}

/** Backends whose breaker keeps calls away, with the kinds of those calls; nothing when there are none. */
function out({ backends }: RouteServices): { readonly out?: Readonly<Record<string, readonly CallKind[]>> } {
  const found = [...backends.all()].flatMap(({ config, status }) => {
    const kinds = status().out;
    return kinds.length === 0 ? [] : [[config.name, kinds] as const];
  });
  return found.length === 0 ? {} : { out: Object.fromEntries(found) };
}

/** Metrics tell who uses what: they are for this machine, and for those who have a key (hardening.md T28). */
async function serveMetrics({ access, config, meter, state }: RouteServices, call: ClientCall): Promise<void> {
  refusePages(call, config, state.url);
  const elsewhere = config.metrics.port !== undefined;
  if (elsewhere || !isLocal(call.request)) {
    access.admit(call);
    if (call.key === undefined || elsewhere) {
      throw new Failure({ kind: 'not_found', status: 404, message: 'there are no metrics here' });
    }
  }
  const { type, text } = await meter.render().catch((cause: unknown) => {
    const message = 'the metrics cannot be gathered';
    throw new Failure({ kind: 'overloaded', status: 503, message }, { cause });
  });
  sendWhole(call.response, 200, text, { 'content-type': type });
}
