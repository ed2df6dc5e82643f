import { gatewayDialects } from '../dialects/index.js';
import type { ClientCall, Served } from '../http/index.js';
import { relayRoute } from '../passthrough/index.js';
import { belowVersion, modelBefore } from '../protocol/index.js';
import type { Route } from './route.js';
import type { RouteServices } from './services.js';

const METHODS = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const;

const relay = (gateway: RouteServices, call: ClientCall): Promise<Served> => relayRoute(gateway, call);

const families = gatewayDialects.map((dialect) => dialect.families);

/** The paths of families in the documentation; those that several dialects have are listed once, below the plainest version. */
const PATHS = new Map(
  [...families]
    .sort((a, b) => b.versions.length - a.versions.length)
    .flatMap(({ names, versions: [version] }) => names.map((family) => [family, `/${version}/${family}`] as const)),
);

/** What begins like a family, in every version or none. */
function familyRoute([family, path]: readonly [string, string]): Route {
  return {
    methods: METHODS,
    path,
    pattern: belowVersion(String.raw`${family}(?:\/.*)?`),
    counts: 'request',
    serve: relay,
  };
}

const VERB = belowVersion(`(.+):(${families.flatMap(({ verbs }) => verbs).join('|')})`);

/** Routes that nothing translates: they are relayed within their dialect (http.md#routes-that-are-not-translated). */
export const passthroughRoutes: readonly Route[] = [
  ...[...PATHS].map(familyRoute),
  {
    methods: METHODS,
    path: '/upload/v1beta/files',
    pattern: /^\/(?:upload|download)\/.+$/,
    counts: 'request',
    serve: relay,
  },
  {
    methods: ['POST'],
    path: '/v1beta/models/{model}:embedContent',
    pattern: VERB,
    counts: 'request',
    serve: (gateway, call) => {
      const verb = VERB.exec(call.path)?.[2] ?? '';
      return relayRoute(gateway, call, { named: { model: modelBefore(VERB, call.path), verb } });
    },
  },
];
