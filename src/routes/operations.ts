import { sendJson } from '../failure.js';
import { VERSION } from '../version.js';
import type { Route } from './route.js';

/** What load balancers and people ask; no key, no backend, no body. */
export const operationRoutes: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    pattern: /^\/*$/,
    open: true,
    serve: (_gateway, { response }) => sendJson(response, 200, { name: 'interlingua', version: VERSION }, {}),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/healthz',
    pattern: /^\/+healthz\/*$/,
    open: true,
    serve: (_gateway, { response }) => sendJson(response, 200, { status: 'ok' }, {}),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/readyz',
    pattern: /^\/+readyz\/*$/,
    open: true,
    serve: (gateway, { response }) =>
      gateway.state.draining
        ? sendJson(response, 503, { status: 'draining' }, {})
        : sendJson(response, 200, { status: 'ready' }, {}),
  },
];
