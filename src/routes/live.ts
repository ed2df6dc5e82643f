import { Failure } from '../ground/index.js';
import { type ClientCall, sendJson } from '../http/index.js';
import { filterFault, fits, type Position, readFilter } from '../live/index.js';
import { type Route, segmentOf } from './route.js';
import type { RouteServices } from './services.js';

const ONE = /^\/live\/([^/]+)\/?$/;

/** The last exchanges of all callers, for operators (http.md#live). */
export const liveRoutes: readonly Route[] = [
  {
    methods: ['GET'],
    path: '/live',
    pattern: /^\/live\/?$/,
    operator: true,
    answer: serveLive,
  },
  {
    methods: ['GET'],
    path: '/live/{n}',
    pattern: ONE,
    operator: true,
    async answer(gateway, call) {
      checkOn(gateway);
      const n = segmentOf(call, ONE);
      const detail = /^\d{1,15}$/.test(n) ? await gateway.live.source.detail(Number(n)) : undefined;
      if (detail === undefined) throw notFound('this exchange is not kept any more');
      sendJson(call.response, 200, detail, SAFE);
    },
  },
];

/** Pages of others can make a browser ask, and must not get hold of the answer. */
const SAFE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

async function serveLive(gateway: RouteServices, call: ClientCall): Promise<void> {
  checkOn(gateway);
  const { live } = gateway;
  const query = new URLSearchParams(call.query);
  const fault = filterFault(query);
  if (fault !== undefined) throw new Failure({ kind: 'invalid_request', message: fault });
  const filter = readFilter(query);
  const { accept = '', 'last-event-id': last } = call.request.headers;
  if (/\btext\/event-stream\b/.test(accept)) {
    return live.follow(gateway, call, positionOf(String(last ?? '')), filter);
  }
  const { run, exchanges } = await live.source.after(0);
  const shown = exchanges.filter((exchange) => fits(filter, exchange));
  sendJson(call.response, 200, { run, bodies: live.bodies, exchanges: shown }, { ...SAFE, vary: 'accept' });
}

/** Where a client goes on that had an event. Anything that is no id of ours begins at the first. */
function positionOf(id: string): Position {
  const [, run = '', n = '0'] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  return { run, n: Number(n) };
}

function checkOn({ live }: RouteServices): void {
  if (!live.on) throw notFound('exchanges are not kept here (live: false in the configuration)');
}

function notFound(message: string): Failure {
  return new Failure({ kind: 'not_found', status: 404, message });
}
