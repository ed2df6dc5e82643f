import { readJson } from '../body.js';
import { serveCount } from '../count.js';
import { serveExchange } from '../exchange.js';
import { askOf } from './ask.js';
import { belowVersion, type Route } from './route.js';

/** `/v1/responses` and its token count. */
export const responsesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/responses',
    pattern: belowVersion('responses'),
    serve: async (gateway, call) =>
      serveExchange(gateway, call, askOf(await readJson(call.request, gateway.config.limits))),
  },
  {
    methods: ['POST'],
    path: '/v1/responses/input_tokens',
    pattern: belowVersion(String.raw`responses\/+input_tokens`),
    serve: async (gateway, call) =>
      serveCount(gateway, call, askOf(await readJson(call.request, gateway.config.limits))),
  },
];
