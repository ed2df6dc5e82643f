import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure } from '../http/failure.js';
import { FAMILIES, VERBS } from '../passthrough/families.js';
import { relayRoute } from '../passthrough/serve.js';
import { checkModelName, modelId } from './ask.js';
import { belowVersion, decodeSegment, type Route } from './route.js';

const METHODS = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const;

const relay = (gateway: Gateway, call: ClientCall): Promise<void> => relayRoute(gateway, call);

/** Where families stand in the documentation; those that several dialects have stand there once. */
const PATHS = new Map(
  [FAMILIES.generateContent, FAMILIES.messages, FAMILIES.responses].flatMap(({ names, versions: [version] }) =>
    names.map((family) => [family, `/${version}/${family}`] as const),
  ),
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

const VERB = belowVersion(`(.+):(${VERBS.join('|')})`);

/** Routes that nothing translates: they are relayed within their dialect (contract.md 4). */
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
      const [, resource = '', verb = ''] = VERB.exec(call.path) ?? [];
      const name = decodeSegment(resource);
      if (name === undefined) {
        throw new Failure({ kind: 'invalid_request', message: 'the model in the path is not valid percent-encoding' });
      }
      return relayRoute(gateway, call, { model: checkModelName(modelId(name), '/$url/model'), verb });
    },
  },
];
