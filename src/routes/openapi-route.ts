import { sendJson } from '../http/index.js';
import type { Route } from './route.js';

/** `GET /openapi.json`: describes the routes. The words for that are loaded when somebody asks, so that a start does not wait for them. */
export function openapiRoute(routes: readonly Route[]): Route {
  return {
    methods: ['GET', 'HEAD'],
    path: '/openapi.json',
    pattern: /^\/openapi\.json\/?$/,
    async answer(_gateway, { base, response }) {
      const { describeRoutes } = await import('./openapi.js');
      sendJson(response, 200, describeRoutes(routes, base), {});
    },
  };
}
