import { Failure } from '../ground/index.js';
import type { ClientCall, Counted, Served } from '../http/index.js';
import { decodeSegment } from '../protocol/index.js';
import type { RouteServices } from './services.js';

/** One place of the HTTP surface. */
export type Route = Place & (Serving | Answering);

/** A route whose requests a thread may have to serve. */
interface Serving {
  serve(gateway: RouteServices, call: ClientCall): Promise<Served>;
}

/** A route whose requests are answered here. */
interface Answering {
  readonly serve?: undefined;
  answer(gateway: RouteServices, call: ClientCall): Promise<void> | void;
}

interface Place {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** The path as the documentation has it. */
  readonly path: string;
  /** Every form of the path that clients use. */
  readonly pattern: RegExp;
  /** Needs no key. */
  readonly open?: boolean;
  /** For those who run the gateway (configuration.md#access); needs a key, as every route that is not open. Its requests are no exchanges. */
  readonly operator?: true;
  /** A POST counts towards the limits of the caller's key. */
  readonly counts?: Exclude<Counted, 'read'>;
  /** A GET counts towards them as a request that reads. */
  readonly reads?: true;
  /** What the pattern fits although it is meant for no route. */
  excludes?(call: ClientCall): boolean;
}

/** Serves a request by its route; gives, or resolves with, what a thread is to serve where that is so. */
export function serveRoute(route: Route, gateway: RouteServices, call: ClientCall): unknown {
  return route.serve === undefined ? route.answer(gateway, call) : route.serve(gateway, call);
}

/** The text of the first group of a route's pattern in the path of a call; '' when its percent-encoding is broken. */
export function segmentOf(call: ClientCall, pattern: RegExp): string {
  return decodeSegment(pattern.exec(call.path)?.[1] ?? '') ?? '';
}

/** The first of some routes that is meant for a call. Throws 400 for a path that is no valid percent-encoding. */
export function findRoute(among: readonly Route[], call: ClientCall): Route | undefined {
  for (const route of among) {
    const groups = route.pattern.exec(call.path);
    if (groups === null) continue;
    for (let index = 1; index < groups.length; index += 1) {
      if (decodeSegment(groups[index] ?? '') === undefined) throw unreadable();
    }
    if (route.excludes?.(call) !== true) return route;
  }
  return undefined;
}

function unreadable(): Failure {
  return new Failure({ kind: 'invalid_request', status: 400, message: 'the request cannot be read' });
}
